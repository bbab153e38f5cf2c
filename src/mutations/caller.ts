import type { Deadline } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';

/** Hears how far a call is: bytes for an upload. */
export type TellProgress = (done: number, total: number | null, message: string) => void;

/** Who waits for a call. */
export interface Caller {
  /**
   * When the call has to answer; the work may go on after that. Its signal cancels the call: what has not left is not
   * sent; what has left is followed to its end and recorded.
   */
  readonly deadline: Deadline;
  readonly progress: TellProgress;
}

/** @throws ArtworkError `cancelled` once the caller gave the call up */
export function requireNotCancelled({ signal }: Pick<Deadline, 'signal'>): void {
  if (signal.aborted) throw callCancelledError();
}

/** The error of a call that its caller gave up. */
export function callCancelledError(): ArtworkError {
  return new ArtworkError('cancelled', 'The call was cancelled.');
}
