import { createHash } from 'node:crypto';

/** Pseudorandom numbers: the same for the same seed, on every machine. */
export interface Random {
  /** From `low` (inclusive) to `high` (exclusive). */
  between(low: number, high: number): number;
  /** A whole number, both ends inclusive. */
  whole(low: number, high: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  chance(share: number): boolean;
}

/** Mulberry32 over the SHA-256 of the seed: small and fast. */
export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low: number, high: number): number => low + next() * (high - low);
  return {
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    chance: (share) => next() < share,
  };
}
