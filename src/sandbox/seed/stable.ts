/**
 * 128 bits that depend on the name alone, as four numbers of 32 bits. Not for secrets: a cryptographic hash
 * of many thousand names would double the time of the first start.
 */
function mix(name: string): readonly [number, number, number, number] {
  let a = 0x243f6a88;
  let b = 0x85a308d3;
  let c = 0x13198a2e;
  let d = 0x03707344;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  a ^= b ^ c ^ d;
  return [a >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
}

/** Two hexadecimal digits for each byte. */
const digitsOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexadecimal(part: number): string {
  const upper = `${digitsOf[part >>> 24]}${digitsOf[(part >>> 16) & 0xff]}`;
  return `${upper}${digitsOf[(part >>> 8) & 0xff]}${digitsOf[part & 0xff]}`;
}

/** A UUID (version 8: own derivation) that depends on the name alone. */
export function stableUuid(name: string): string {
  const parts = mix(name);
  const [a, b, d] = [hexadecimal(parts[0]), hexadecimal(parts[1]), hexadecimal(parts[3])];
  // The thirteenth digit is the version, the highest two bits of the seventeenth are the variant.
  const c = hexadecimal((parts[2] & 0x3fffffff) | 0x80000000);
  return `${a}-${b.slice(0, 4)}-8${b.slice(5)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
}

/** A whole number from 0 up to but not including `below`, at most 2^32, that depends on the name alone. */
export function stableNumber(name: string, below: number): number {
  return mix(name)[0] % below;
}

/**
 * Assigns ids that depend on the names alone: a new work in the seed leaves the other ids unchanged, except
 * in the rare case that two names share a number.
 * @throws Error when a name is used twice.
 */
export class StableIds {
  readonly #first: number;
  readonly #count: number;
  readonly #names = new Set<string>();
  readonly #taken = new Set<number>();

  constructor(first: number, last: number) {
    this.#first = first;
    this.#count = last - first + 1;
  }

  idOf(name: string): number {
    if (this.#names.has(name)) throw new Error(`The seed has ${name} twice.`);
    this.#names.add(name);
    let offset = stableNumber(name, this.#count);
    while (this.#taken.has(offset)) offset = (offset + 1) % this.#count;
    this.#taken.add(offset);
    return this.#first + offset;
  }
}

const second = 1_000;
const day = 86_400 * second;

/**
 * A time between `most` and `least` days before `now` that depends on the name: ISO 8601 UTC with
 * milliseconds.
 */
export function stableTime(now: Date, least: number, most: number, name: string): string {
  const seconds = 1 + stableNumber(`when ${name}`, ((most - least) * day) / second);
  return new Date(now.getTime() - least * day - seconds * second).toISOString();
}
