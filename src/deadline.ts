import { type Clock, longestTimerMs, systemClock } from './clock.ts';

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
