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
 * The one spelling of a JSON value (RFC 8785): members in the order of their names' UTF-16 code units, no white
 * space, numbers and escapes as ECMAScript writes them. Members that are undefined are left out. Texts are not
 * normalized: two that only look alike stay two.
 * @throws TypeError for what JSON can't hold (NaN, a hole, a class's object); that is a defect of the caller
 */
export function canonicalJson(value: Json): string {
  return write(value, 0, (what) => {
    throw new TypeError(`${what} is not JSON`);
  });
}

/**
 * The canonical JSON of a value that was parsed from an answer. `JSON.parse` reads a number that is too large as
 * Infinity, which is written as null, as `JSON.stringify` does. Never throws.
 */
export function canonicalAnswer(value: unknown): string {
  return write(value, 0, () => 'null');
}

/** SHA-256 of the canonical JSON, 64 lowercase hex digits. */
export function canonicalDigest(canonical: string): string {
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}

/** Answers what is written in place of something that JSON can't hold, or throws. */
type Unfit = (what: string) => string;

function write(value: unknown, depth: number, unfit: Unfit): string {
  if (depth > deepest) return unfit(`a value deeper than ${deepest} levels`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : unfit(String(value));
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeArray(value, depth, unfit) : writeObject(value, depth, unfit);
    default:
      return unfit(typeof value);
  }
}

function writeArray(value: readonly unknown[], depth: number, unfit: Unfit): string {
  // Not `map`, which passes over holes.
  return `[${Array.from(value, (item) => write(item, depth + 1, unfit)).join(',')}]`;
}

function writeObject(value: object, depth: number, unfit: Unfit): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return unfit('an object of a class');
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, member]) => `${JSON.stringify(name)}:${write(member, depth + 1, unfit)}`);
  return `{${members.join(',')}}`;
}
