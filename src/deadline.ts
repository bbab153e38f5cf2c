import { setMaxListeners } from 'node:events';
import { type Clock, longestTimerMs, systemClock, timerMs } from './clock.ts';
import { ArtworkError } from './errors.ts';

/** Until when an answer is waited for. */
export interface Deadline {
  /** Aborted once nothing waits any longer: the caller gave up or, where the work itself has to end by then, time is up. */
  readonly signal: AbortSignal;
  /** Milliseconds left, by a clock that only grows; never negative. */
  left(): number;
}

/** Hosts give up a call at 60 s, so that a call, or anything that it asks, answers well before. ms */
export const callBudgetMs = 45_000;

/** A deadline so many milliseconds from now. @param signal of the caller, who can give up earlier */
export function deadlineIn(
  milliseconds: number,
  signal: AbortSignal = new AbortController().signal,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): Deadline {
  const end = clock.monotonic() + milliseconds;
  return { signal, left: () => Math.max(0, end - clock.monotonic()) };
}

/** The same deadline, or an earlier one so many milliseconds from now. */
export function noLaterThan({ signal, left }: Deadline, milliseconds: number): Deadline {
  const cut = Math.max(0, left() - Math.max(0, milliseconds));
  return { signal, left: () => Math.max(0, left() - cut) };
}

/** For work that no caller waits for: only its signal ends it. */
export function unhurried(signal: AbortSignal): Deadline {
  return deadlineIn(longestTimerMs, signal);
}

/**
 * Runs `work` until the deadline. The signal that it gets is aborted when the time is up, too; its reason is the
 * ArtworkError to reject with (`cancelled`, `network`).
 */
export async function untilDeadline<T>(
  { signal: caller, left }: Deadline,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const limitMs = left();
  const controller = new AbortController();
  const cancel = () => controller.abort(new ArtworkError('cancelled', 'The call was cancelled.'));
  const seconds = Math.round(limitMs / 100) / 10;
  const late = `The catalogue did not answer within ${seconds} seconds.`;
  const timer = setTimeout(() => controller.abort(new ArtworkError('network', late)), timerMs(limitMs));
  if (caller.aborted) cancel();
  // The reads of a call are many, and Node takes the eleventh listener for a leak.
  setMaxListeners(0, caller, controller.signal);
  caller.addEventListener('abort', cancel);
  try {
    return await work({ signal: controller.signal, left });
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', cancel);
  }
}

/** A read, its retries and pauses included, takes no longer than a call may, however much time is left. */
export function readUntil<T>(
  deadline: Deadline = deadlineIn(callBudgetMs),
  read: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  return untilDeadline(noLaterThan(deadline, callBudgetMs), read);
}

/** For work that can't be aborted: it may go on, but the caller does not wait for it once the signal is aborted. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
