import type { Clock } from '../../clock.ts';
import { createBackoff } from '../../wire/backoff.ts';

/** Pauses between looks, which begin anew with each news; tells for how long there has been none. */
export interface IdleBackoff {
  /** There is something new. */
  renew(): void;
  /** Whether there has been nothing new for this long, ms. */
  isOver(afterMs: number): boolean;
  /** At least so many ms, where the service asks for it. */
  pause(signal: AbortSignal, leastMs: number): Promise<void>;
}

/** Pauses between looks at a submission, longer while nothing changes, and tells how long nothing has. */
export function startIdleBackoff(clock: Clock): IdleBackoff {
  const backoff = createBackoff(clock, { firstMs: 500, longestMs: 8_000 });
  let last = clock.monotonic();
  return {
    renew() {
      backoff.reset();
      last = clock.monotonic();
    },
    isOver: (afterMs) => clock.monotonic() - last >= afterMs,
    pause: backoff.pause,
  };
}
