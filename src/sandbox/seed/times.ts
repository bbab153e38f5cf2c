import { stableNumber } from './identity.ts';

const second = 1_000;
const day = 86_400 * second;

/**
 * A time between `most` and `least` days before `now` that depends on the name: ISO 8601 UTC with
 * milliseconds.
 */
export function before(now: Date, least: number, most: number, name: string): string {
  const seconds = 1 + stableNumber(`when ${name}`, ((most - least) * day) / second);
  return new Date(now.getTime() - least * day - seconds * second).toISOString();
}
