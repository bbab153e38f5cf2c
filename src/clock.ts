import { setTimeout as wait } from 'node:timers/promises';

/** Time as the program sees it; tests and simulations bring their own. */
export interface Clock {
  /** Milliseconds since 1970. People and time servers set this clock, so it may jump. */
  now(): number;
  /** Milliseconds that only grow: for measuring waits. */
  monotonic(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** This machine's. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
};

/** The longest that a timer can run, milliseconds (about 24.8 days): a longer one would end at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** A time that a timer can run. Waits are computed from answers, settings and sizes of files. */
export function timerMs(milliseconds: number): number {
  return Number.isNaN(milliseconds) ? 0 : Math.min(Math.max(milliseconds, 0), longestTimerMs);
}

/** Waits so many milliseconds, or until the signal is aborted, as `Clock.sleep` says; `longestTimerMs` at most. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(timerMs(milliseconds), undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    // Aborted: the caller looks at the signal next.
    if (signal?.aborted !== true) throw error;
  }
}

export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Pauses before something is tried or asked again, each twice as long as the one before. */
export function createBackoff(clock: Pick<Clock, 'sleep'>, { firstMs, longestMs }: BackoffLimits) {
  let nextMs = firstMs;
  return {
    /** The next pause, milliseconds. */
    get nextMs() {
      return nextMs;
    },
    /** Sleeps for the next pause, `leastMs` at least, and doubles it; ends at once when the signal is aborted. */
    async pause(signal?: AbortSignal, leastMs = 0): Promise<void> {
      const milliseconds = Math.max(nextMs, leastMs);
      nextMs = Math.min(nextMs * 2, longestMs);
      await clock.sleep(milliseconds, signal);
    },
    /** Begins anew with the first pause. */
    reset(): void {
      nextMs = firstMs;
    },
  };
}
