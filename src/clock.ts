import { setTimeout as wait } from 'node:timers/promises';

/** Time as the program sees it. Tests and simulations bring their own. */
export interface Clock {
  /** Milliseconds since 1970. People and time servers set this clock, so it may jump. */
  now(): number;
  /** Milliseconds that only grow, for measuring waits. */
  monotonic(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted. Never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** This machine's. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep };

/** The longest that a timer runs, about 24.8 days: Node ends a longer one at once. ms */
export const longestTimerMs = 2 ** 31 - 1;

/** A time that a timer can run: waits are computed from answers, settings and sizes of files. */
export function timerMs(milliseconds: number): number {
  return Number.isNaN(milliseconds) ? 0 : Math.min(Math.max(milliseconds, 0), longestTimerMs);
}

/** As `Clock.sleep`, for `longestTimerMs` at most. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(timerMs(milliseconds), undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    // The caller looks at the signal next.
    if (signal?.aborted !== true) throw error;
  }
}

export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Pauses before something is tried again, each twice as long as the one before. */
export function createBackoff(clock: Pick<Clock, 'sleep'>, { firstMs, longestMs }: BackoffLimits) {
  let nextMs = firstMs;
  return {
    get nextMs() {
      return nextMs;
    },
    /** Sleeps for the next pause, `leastMs` at least. Ends at once when the signal is aborted. */
    async pause(signal?: AbortSignal, leastMs = 0): Promise<void> {
      const milliseconds = Math.max(nextMs, leastMs);
      nextMs = Math.min(nextMs * 2, longestMs);
      await clock.sleep(milliseconds, signal);
    },
    /** The next pause is the first again. */
    reset(): void {
      nextMs = firstMs;
    },
  };
}
