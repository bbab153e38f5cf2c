import type { Clock } from '../../clock.ts';

/** Waits between looks, longer and longer, until there has been nothing new for too long. */
export interface IdleBackoff {
  /** There is something new. */
  renew(): void;
  /** Whether there has been nothing new for this long, ms. */
  isOver(afterMs: number): boolean;
  /** At least so many ms, where the service asks for it. */
  pause(signal: AbortSignal, leastMs: number): Promise<void>;
}

const firstPauseMs = 500;
const longestPauseMs = 8_000;

export function startIdleBackoff(clock: Clock): IdleBackoff {
  let pauseMs = firstPauseMs;
  let last = clock.monotonic();
  return {
    renew() {
      pauseMs = firstPauseMs;
      last = clock.monotonic();
    },
    isOver: (afterMs) => clock.monotonic() - last >= afterMs,
    async pause(signal, leastMs) {
      await clock.sleep(Math.max(pauseMs, leastMs), signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    },
  };
}
