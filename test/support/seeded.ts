/** Draws numbers from 0 to below 1; the same seed draws the same ones (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number of the environment, or the given one. @throws Error for anything else */
export function numberFrom(name: string, otherwise: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} must be a whole number.`);
  return Number(text);
}
