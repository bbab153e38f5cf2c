import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Caller, TellProgress } from '../caller.ts';

/** What work that outlives its call is told. */
export interface StopSignals {
  /** The caller gave the call up, or the program ends: obeyed as long as that is sure to change nothing. */
  readonly cancelled: AbortSignal;
  /** The program ends: everything is to stop at once. */
  readonly closing: AbortSignal;
}

export type BackgroundResult<Value> =
  | { readonly ended: true; readonly value: Value }
  /** It goes on; the call's time is over, or the caller gave it up. */
  | { readonly ended: false };

export interface Background {
  /** Runs work to its end, and waits for it as long as the call lasts, which hears of its progress. */
  run<Value>(
    caller: Caller,
    work: (signals: StopSignals, progress: TellProgress) => Promise<Value>,
  ): Promise<BackgroundResult<Value>>;
  /** Tells all work to stop and waits for what it still records. */
  close(): Promise<void>;
}

/** No code reads it; an error would be made with a stack each time. */
const givenUp = 'given up';

/** How long a cancelled call waits to hear what is known. */
const lastWordMs = 1_000;

/** Goes on with mutations after their calls were answered, and ends when the server closes. */
export function createBackground(clock: Clock, log: Log): Background {
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  return {
    async run({ deadline, progress }, work) {
      const cancelling = new AbortController();
      const waiting = new AbortController();
      const cancel = () => {
        cancelling.abort(givenUp);
        waiting.abort(givenUp);
      };
      for (const signal of [deadline.signal, closing.signal]) {
        signal.addEventListener('abort', cancel, { once: true });
        if (signal.aborted) cancel();
      }

      let awaited = true;
      const signals = { cancelled: cancelling.signal, closing: closing.signal };
      const working = work(signals, (...told) => {
        if (awaited) progress(...told);
      });
      const tracked = working
        .then(
          () => undefined,
          (error: unknown) => {
            // Told to the call, while it waits.
            if (!awaited)
              log.error(`A mutation went on in the background and failed: ${nameOfError(error)}.`);
          },
        )
        .finally(() => {
          running.delete(tracked);
          for (const signal of [deadline.signal, closing.signal]) signal.removeEventListener('abort', cancel);
        });
      running.add(tracked);

      const lastWord = new AbortController();
      const over = async (): Promise<BackgroundResult<never>> => {
        await clock.sleep(deadline.left(), waiting.signal);
        if (cancelling.signal.aborted) await clock.sleep(lastWordMs, lastWord.signal);
        return { ended: false };
      };
      try {
        return await Promise.race([working.then((value) => ({ ended: true as const, value })), over()]);
      } finally {
        awaited = false;
        waiting.abort(givenUp);
        lastWord.abort(givenUp);
      }
    },

    async close() {
      closing.abort(givenUp);
      await Promise.all(running);
    },
  };
}

function nameOfError(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
