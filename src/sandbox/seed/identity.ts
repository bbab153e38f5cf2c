import { createHash } from 'node:crypto';

/** A UUID (version 8: own derivation) that depends on the name alone. */
export function stableUuid(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A whole number from 0 to below `below` that depends on the name alone. */
export function stableNumber(name: string, below: number): number {
  return createHash('sha256').update(name).digest().readUIntBE(0, 6) % below;
}

/** The element that the name falls on. */
export function stableChoice<T>(name: string, choices: readonly T[]): T {
  const chosen = choices[stableNumber(name, choices.length)];
  if (chosen === undefined) throw new Error(`Nothing to choose from for ${name}`);
  return chosen;
}

/**
 * Gives out ids that depend on the names alone, so that a work added to the seed leaves the ids of the
 * others as they are (but for the rare case that two names fall on one number).
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
