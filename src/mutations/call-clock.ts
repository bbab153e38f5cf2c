import type { Call } from '../catalogue/request-time.ts';
import type { Clock } from '../clock.ts';
import { ArtworkError } from '../errors.ts';

/** Hosts give up at 60 s; a call answers well before that. */
const callBudgetMs = 45_000;

/** What a caller says of one call. */
export interface CallLimits {
  /** Cancels the call: what has not left is not sent; what has left is followed to its end and recorded. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds in which the call has to answer; the work may go on after that. 45,000 unless told otherwise. */
  readonly deadlineMs?: number | undefined;
  /** Told how far the call is: bytes for an upload. */
  readonly progress?: ((done: number, total: number | null, message: string) => void) | undefined;
}

/** The time that one call has to answer, by a clock that only ever grows. */
export interface CallClock {
  readonly signal: AbortSignal;
  /** When the call began, milliseconds since 1970: what ended later the caller can't have known. */
  readonly begunAt: number;
  /** Milliseconds left, never negative. */
  left(): number;
  /** What a request made now may take. */
  call(): Call;
  /** @throws ArtworkError `cancelled` once the caller gave the call up */
  check(): void;
  progress(done: number, total: number | null, message: string): void;
}

/** Starts the clock of one call. */
export function startCallClock(clock: Clock, call: CallLimits = {}): CallClock {
  const end = clock.monotonic() + (call.deadlineMs ?? callBudgetMs);
  const signal = call.signal ?? new AbortController().signal;
  const begunAt = clock.now();
  const left = () => Math.max(0, end - clock.monotonic());
  return {
    signal,
    begunAt,
    left,
    call: () => ({ signal, deadlineMs: Math.max(1, left()) }),
    check: () => {
      if (signal.aborted) throw callCancelledError();
    },
    progress: (done, total, message) => call.progress?.(done, total, message),
  };
}

/** The error of a call that its caller gave up. */
export function callCancelledError(): ArtworkError {
  return new ArtworkError('cancelled', 'The call was cancelled.');
}
