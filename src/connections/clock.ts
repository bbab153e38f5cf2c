import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/** This machine's. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(milliseconds, signal) {
    try {
      await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // Aborted: whoever sleeps looks at the signal next.
      if (signal?.aborted !== true) throw error;
    }
  },
};
