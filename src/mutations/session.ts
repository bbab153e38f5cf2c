import type { Call } from '../catalogue/call.ts';
import type { Clock } from '../clock.ts';
import type { Bearer } from '../connections/grant.ts';
import type { Account } from '../connections/status.ts';
import { ArtworkError } from '../errors.ts';
import type { AccountScope } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../log.ts';
import type { MutationPorts, Service } from './ports.ts';

/** The entries of one account in the ledger, and all that a mutation may touch of the world. */
export interface AccountLedger {
  readonly ports: MutationPorts;
  readonly ledger: Ledger;
  readonly scope: AccountScope;
}

/** One call for the connected account: opened when the call begins, and handed to everything that it does. */
export interface Session extends AccountLedger {
  readonly service: Service;
  /** What the connection may do. */
  readonly account: Account;
  readonly time: CallClock;
  /** Carries on what outlives the call. */
  readonly background: Background;
}

/**
 * Opens the session of a call: the connected account, its ledger, the service and the time.
 * @throws not_connected, reconnect_required; why the catalogue could not be started, or the ledger not be opened
 */
export async function openSession(
  { ports, background }: Pick<Session, 'ports' | 'background'>,
  time: CallClock,
): Promise<Session> {
  return { ...(await openAccountLedger(ports)), background, time };
}

/** The ledger of the connected account, for what is no call of its own. @throws as `openSession` */
export async function openAccountLedger(ports: MutationPorts): Promise<Omit<Session, 'background' | 'time'>> {
  const [service, account] = await Promise.all([ports.service(), ports.connections.account()]);
  const { subject, connection } = account;
  const scope = { service: service.baseUrl, user: ports.user, subject, connection };
  return { ports, service, account, scope, ledger: await ports.ledger() };
}

/**
 * Stops a call during which another account was signed in.
 * @throws not_connected where another account was signed in since the call began
 */
export function requireSameAccount({ subject, connection }: Bearer, scope: AccountScope): void {
  const same = subject === null ? connection === scope.connection : subject === scope.subject;
  if (same) return;
  const why = 'A person signed in to another account: only they know for which one this was meant.';
  const message = 'Another account was signed in meanwhile; nothing was sent for it.';
  throw new ArtworkError('not_connected', message, { next: { why } });
}

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

interface Background {
  /** Runs work to its end, and waits for it as long as the call lasts, which hears of its progress. */
  run<Value>(
    time: CallClock,
    work: (signals: StopSignals, progress: CallClock['progress']) => Promise<Value>,
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
    async run(time, work) {
      const cancelling = new AbortController();
      const backoff = new AbortController();
      const cancel = () => {
        cancelling.abort(givenUp);
        backoff.abort(givenUp);
      };
      for (const signal of [time.signal, closing.signal]) {
        signal.addEventListener('abort', cancel, { once: true });
        if (signal.aborted) cancel();
      }

      let awaited = true;
      const signals = { cancelled: cancelling.signal, closing: closing.signal };
      const working = work(signals, (...told) => {
        if (awaited) time.progress(...told);
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
          for (const signal of [time.signal, closing.signal]) signal.removeEventListener('abort', cancel);
        });
      running.add(tracked);

      const lastWord = new AbortController();
      const over = async (): Promise<BackgroundResult<never>> => {
        await clock.sleep(time.left(), backoff.signal);
        if (cancelling.signal.aborted) await clock.sleep(lastWordMs, lastWord.signal);
        return { ended: false };
      };
      try {
        return await Promise.race([working.then((value) => ({ ended: true as const, value })), over()]);
      } finally {
        awaited = false;
        backoff.abort(givenUp);
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
