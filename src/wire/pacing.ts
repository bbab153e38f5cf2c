import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, timerMs } from '../clock.ts';

/** Pauses before something is tried or asked again, each twice as long as the one before. */
interface Backoff {
  /** The next pause, milliseconds. */
  readonly nextMs: number;
  /** Sleeps for the next pause, `leastMs` at least, and doubles it; ends at once when the signal is aborted. */
  pause(signal?: AbortSignal, leastMs?: number): Promise<void>;
  /** Begins anew with the first pause. */
  reset(): void;
}

export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Pauses between tries, each longer than the one before. */
export function createBackoff(clock: Pick<Clock, 'sleep'>, { firstMs, longestMs }: BackoffLimits): Backoff {
  let nextMs = firstMs;
  return {
    get nextMs() {
      return nextMs;
    },
    async pause(signal, leastMs = 0) {
      const milliseconds = Math.max(nextMs, leastMs);
      nextMs = Math.min(nextMs * 2, longestMs);
      await clock.sleep(milliseconds, signal);
    },
    reset() {
      nextMs = firstMs;
    },
  };
}

/**
 * Milliseconds to wait by an answer's `Retry-After`, in seconds or as a date; null when it says nothing usable.
 * Never more than a timer can run: whatever is computed from it, a date or a wait, can be made.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number = Date.now()): number | null {
  const header: unknown = headers['retry-after'];
  // A header that was sent twice is a list.
  if (typeof header !== 'string') return null;
  const value = header.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return timerMs(Number(value) * 1000);
  // Date.parse alone takes far too much for a date.
  if (!/^[A-Z][a-z]{2,8}, /.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : timerMs(date - now);
}

/**
 * Does `work` for each element, a few at a time and in their order. Where one fails none is begun any more, and
 * the first failure is told once those that were begun have ended: nothing goes on unseen.
 */
export async function mapLimit<Element, Result>(
  elements: readonly Element[],
  few: number,
  work: (element: Element, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const queue = elements.entries();
  let failed = false;
  const take = async (): Promise<void> => {
    for (const [index, element] of queue) {
      if (failed) return;
      try {
        results.set(index, await work(element, index));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const takers = Array.from({ length: Math.min(few, elements.length) }, take);
  const failure = (await Promise.allSettled(takers)).find((one) => one.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return [...results].sort(([one], [other]) => one - other).map(([, result]) => result);
}
