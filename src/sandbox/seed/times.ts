import { stableNumber } from './identity.ts';

const day = 86_400_000;

/**
 * A time between `most` and `least` days before `now` that depends on the name: ISO 8601 UTC with
 * milliseconds.
 */
export function before(now: Date, least: number, most: number, name: string): string {
  const span = (most - least) * day;
  return new Date(now.getTime() - least * day - 1 - stableNumber(`when ${name}`, span)).toISOString();
}
