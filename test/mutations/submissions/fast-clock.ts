import { systemClock } from '../../../src/connections/connections.ts';
import type { Clock } from '../../../src/connections/ports.ts';

/** Every wait is so many times shorter, and its end as far away as if it were whole. */
export function fastClock(times: number): Clock {
  return {
    now: systemClock.now,
    monotonic: () => systemClock.monotonic() * times,
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / times, signal),
  };
}
