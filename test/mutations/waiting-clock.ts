import { type Clock, systemClock } from '../../src/clock.ts';

/** The longest pause between two looks, ms; what waits longer waits for the end of a call's time. */
const longestPauseMs = 8_000;
/** Where nothing else waits, a call's time ends all the same, ms. */
const patienceMs = 150_000;

/**
 * A clock on which only pauses take time, so that no call is late because the machine is busy. A pause is so many
 * times shorter than it says; the time of a whole call is over when the pauses have taken as long.
 */
export function waitingClock(times: number): Clock {
  let passed = 0;
  const calls = new Set<() => void>();
  return {
    now: systemClock.now,
    monotonic: () => passed,
    async sleep(milliseconds, signal) {
      const end = passed + milliseconds;
      if (milliseconds > longestPauseMs) {
        const over = new AbortController();
        const look = () => {
          if (passed >= end) over.abort();
        };
        calls.add(look);
        await systemClock.sleep(
          patienceMs,
          signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
        );
        calls.delete(look);
      } else {
        await systemClock.sleep(milliseconds / times, signal);
      }
      if (signal?.aborted === true) return;
      passed = Math.max(passed, end);
      for (const look of calls) look();
    },
  };
}
