import { sleep } from '../sleep.ts';
import type { Clock } from './ports.ts';

/** This machine's. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
};
