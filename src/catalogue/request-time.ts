import { ArtworkError } from '../errors.ts';
import { timerMs } from '../clock.ts';

/** What every call takes. */
export interface Call {
  /** Aborting it aborts the request and rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call, retries and waits included. 45,000 unless told otherwise. */
  readonly deadlineMs?: number | undefined;
}

/** The time that one call has. Once `signal` is aborted its reason is the ArtworkError to reject with. */
export interface CallTime {
  readonly signal: AbortSignal;
  /** Milliseconds left, never negative. */
  left(): number;
  /** Rejects with the signal's reason when that comes first. */
  wait(milliseconds: number): Promise<void>;
  /** For work that can't be aborted: it may go on, but the caller does not wait for it any longer. */
  race<T>(work: Promise<T>): Promise<T>;
}

const defaultDeadlineMs = 45_000;

/** Runs `work` within the call's time and leaves no timer or listener behind. */
export async function withinTime<T>(call: Call, work: (time: CallTime) => Promise<T>): Promise<T> {
  const deadlineMs = call.deadlineMs ?? defaultDeadlineMs;
  const end = performance.now() + deadlineMs;
  const controller = new AbortController();
  const cancel = () => controller.abort(new ArtworkError('cancelled', 'The call was cancelled.'));
  const expire = () =>
    controller.abort(
      new ArtworkError(
        'network',
        `The catalogue did not answer within ${Math.round(deadlineMs / 100) / 10} seconds.`,
      ),
    );
  const timer = setTimeout(expire, timerMs(deadlineMs));
  call.signal?.addEventListener('abort', cancel, { once: true });
  if (call.signal?.aborted) cancel();

  const { signal } = controller;
  const race = <R>(other: Promise<R>): Promise<R> =>
    new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      other.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  const wait = async (milliseconds: number): Promise<void> => {
    let waiting: NodeJS.Timeout | undefined;
    try {
      await race(new Promise<void>((resolve) => (waiting = setTimeout(resolve, timerMs(milliseconds)))));
    } finally {
      clearTimeout(waiting);
    }
  };
  try {
    return await work({ signal, left: () => Math.max(0, end - performance.now()), wait, race });
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', cancel);
  }
}
