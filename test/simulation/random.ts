/** Seeded, so that what it decides once it decides again (mulberry32). */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number;
  /** 0 ≤ n < below */
  below(below: number): number;
  chance(probability: number): boolean;
  pick<Value>(from: readonly [Value, ...Value[]]): Value;
}

export function seeded(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (from) => from[below(from.length)] ?? from[0],
  };
}
