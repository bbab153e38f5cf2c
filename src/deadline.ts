import { setMaxListeners } from 'node:events';
import { type Clock, longestTimerMs, systemClock, timerMs } from './clock.ts';
import { ArtworkError } from './errors.ts';

/** Until when an answer is waited for. */
export interface Deadline {
  /** Aborted when nobody waits any longer: the caller gave up, or the time of `untilDeadline` is over. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left, by a clock that only grows. Never negative. */
  left(): number;
}

/** Hosts give a call up after 60 s, so every call answers well before. ms */
export const callBudgetMs = 45_000;

/** A deadline so many milliseconds from now. @param signal of the caller, who may give up earlier */
export function deadlineIn(
  milliseconds: number,
  signal: AbortSignal = new AbortController().signal,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): Deadline {
  const end = clock.monotonic() + milliseconds;
  return { signal, left: () => Math.max(0, end - clock.monotonic()) };
}

/** The same deadline, but at most so many milliseconds from now. */
export function noLaterThan({ signal, left }: Deadline, milliseconds: number): Deadline {
  const cut = Math.max(0, left() - Math.max(0, milliseconds));
  return { signal, left: () => Math.max(0, left() - cut) };
}

/** For work that only its signal ends. */
export function unhurried(signal: AbortSignal): Deadline {
  return deadlineIn(longestTimerMs, signal);
}

/**
 * Runs `work` until the deadline. Its own signal is aborted also when the time is over, with the ArtworkError to reject
 * with (`cancelled`, `network`).
 */
export async function untilDeadline<T>(
  { signal: caller, left }: Deadline,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const limitMs = left();
  const late = `The catalogue did not answer within ${Math.round(limitMs / 100) / 10} seconds.`;
  const controller = new AbortController();
  const cancel = () => controller.abort(new ArtworkError('cancelled', 'The call was cancelled.'));
  const timer = setTimeout(() => controller.abort(new ArtworkError('network', late)), timerMs(limitMs));
  if (caller.aborted) cancel();
  // A call reads many things at once, and Node takes the eleventh listener for a leak.
  setMaxListeners(0, caller, controller.signal);
  caller.addEventListener('abort', cancel);
  try {
    return await work({ signal: controller.signal, left });
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', cancel);
  }
}

/** A read with its retries takes no longer than a call may, however much time is left. */
export function readUntil<T>(
  deadline: Deadline = deadlineIn(callBudgetMs),
  read: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  return untilDeadline(noLaterThan(deadline, callBudgetMs), read);
}

/** For work that can't be aborted: it goes on, but the caller stops waiting when the signal is aborted. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
