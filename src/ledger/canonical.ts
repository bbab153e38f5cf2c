import { createHash } from 'node:crypto';

/** What JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json | undefined };

/** Deep enough for every body of the interface document, shallow enough for the stack. */
const deepest = 100;

/**
 * The one way of writing a value as JSON: members in the order of their names' UTF-16 code units, no white
 * space, numbers and escapes as ECMAScript writes them, `-0` as `0`, members that are undefined left out.
 * Texts stay as they are: two that only look alike are two.
 * @throws TypeError for what JSON can't hold (NaN, a hole, a class's object); that is a defect of the caller
 */
export function canonicalJson(value: Json): string {
  return write(value, 0);
}

/** SHA-256 of the canonical JSON, 64 lowercase hex digits. */
export function canonicalDigest(canonical: string): string {
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}

function write(value: unknown, depth: number): string {
  if (depth > deepest) throw new TypeError(`deeper than ${deepest} levels`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} is not JSON`);
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
    default:
      throw new TypeError(`${typeof value} is not JSON`);
  }
}

function writeArray(value: readonly unknown[], depth: number): string {
  // Not `map`, which passes over holes.
  return `[${Array.from(value, (item) => write(item, depth + 1)).join(',')}]`;
}

function writeObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('not a plain object');
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, member]) => `${JSON.stringify(name)}:${write(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}
