import type { Call } from '../catalogue/call-time.ts';
import type { Clock } from '../connections/ports.ts';
import { ArtworkError } from '../errors.ts';
import type { MutationCall } from './mutations.ts';

/** Hosts give up at 60 s; a call answers well before that. */
const callBudgetMs = 45_000;

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

export function startCall(clock: Clock, call: MutationCall = {}): CallClock {
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
      if (signal.aborted) throw callCancelled();
    },
    progress: (done, total, message) => call.progress?.(done, total, message),
  };
}

export function callCancelled(): ArtworkError {
  return new ArtworkError('cancelled', 'The call was cancelled.');
}
