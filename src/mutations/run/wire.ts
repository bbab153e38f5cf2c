import { protectedError, requireScopes } from '../../catalogue/authorization.ts';
import type { SendRequest } from '../../catalogue/send.ts';
import type { Bearer } from '../../connection/row.ts';
import { deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Gate } from '../../http/exchange.ts';
import { type AccountScope, compareAccounts } from '../../ledger/rows.ts';
import { callCancelledError } from '../caller.ts';
import type { Run } from './run.ts';

/** What one request came to. */
export type Answer =
  /** The service said yes; its JSON. */
  | { readonly is: 'applied'; readonly body: unknown }
  /** The service said no, and this request changed nothing. */
  | { readonly is: 'refused'; readonly error: ArtworkError }
  /** 401 or 429. `waitMs`: before which nothing more may be sent. */
  | { readonly is: 'turned away'; readonly error: ArtworkError; readonly waitMs: number }
  /** It may have been applied. */
  | { readonly is: 'lost'; readonly error: ArtworkError }
  /** Nothing of it left. */
  | { readonly is: 'unsent'; readonly error: ArtworkError };

/** A pause that the service asks for is kept while a run goes on up to so long. ms */
export const longestPauseMs = 60_000;

/** The pause after a 429 that does not say how long. ms */
const unsaidPauseMs = 5_000;

/** Without an answer for so long, beside what the bytes need, a request is given up. ms */
const patienceMs = 120_000;
/** The slowest line that a body is awaited over, bytes in a second. */
const slowest = 16 * 1024;

/** The access token of the run, in step with the answers to its requests. */
export interface Wire {
  /** Waits as long as the service asked for, and for a token. @throws ArtworkError where nothing can be sent */
  ready(): Promise<void>;
  /**
   * Sends one request, once, and says what became of it. It has to be on the disk as `sending` or `lost` before.
   * @param make the request with its token
   */
  sendOne(make: (token: string) => Promise<SendRequest> | SendRequest): Promise<Answer>;
}

/**
 * The sending side of one run. The lease is asked for before the headers of each request and before the last chunk of
 * its body, so that a process that was stopped and taken over never completes one. After a 401 the next request has
 * another token.
 */
export function createWire(run: Run): Wire {
  const { ports, ledger, lease, row, change } = run;
  let rejected: Bearer | null = null;
  let pausedUntil = 0;

  const bearer = async (): Promise<Bearer> => {
    const { signal } = run;
    const given = await (rejected === null
      ? ports.connections.bearer({ signal })
      : ports.connections.onUnauthorized(rejected, { signal }));
    if (given.connection === run.ownConnection) requireNotAnother(given, row);
    else requireSameAccount(given, row);
    requireScopes(change.needed, given.scopes);
    return given;
  };

  /** @param passed called once the last chunk may leave */
  const gateOf =
    (passed: () => void): Gate =>
    async (part) => {
      // A caller who gives up takes back what has not left whole.
      run.requireGoingOn();
      // A beat proves more than a look: nobody can judge the lease by what stood there before it.
      const isHeld = ledger.isFresh(lease) ? await ledger.isHolder(lease) : await ledger.heartbeat(lease);
      if (!isHeld) {
        run.loseLease();
        throw new ArtworkError('conflict', 'Another process goes on with this mutation.');
      }
      if (part === 'last') passed();
      return () => ledger.isFresh(lease);
    };

  const ready = async (): Promise<Bearer> => {
    await ports.clock.sleep(Math.max(0, pausedUntil - ports.clock.monotonic()), run.signal);
    run.requireGoingOn();
    return bearer();
  };

  return {
    async ready() {
      await ready();
    },
    async sendOne(make) {
      let token: Bearer;
      let request: SendRequest;
      try {
        token = await ready();
        request = await make(token.token.reveal());
      } catch (error) {
        if (error instanceof ArtworkError) return { is: 'unsent', error };
        throw error;
      }
      const limitMs = patienceMs + (request.body.length / slowest) * 1000;
      const stopping = new AbortController();
      const stop = () => stopping.abort(callCancelledError());
      run.signal.addEventListener('abort', stop);
      // What has left whole is followed to its end, but for the end of this process.
      const passed = () => run.signal.removeEventListener('abort', stop);
      const signal = AbortSignal.any([stopping.signal, run.leaseSignal, run.closing]);
      const outcome = await ports
        .send({ ...request, gate: gateOf(passed) }, deadlineIn(limitMs, signal, ports.clock))
        .finally(passed);
      switch (outcome.outcome) {
        case 'applied':
          return { is: 'applied', body: outcome.body };
        case 'not_sent':
          return { is: 'unsent', error: outcome.error };
        case 'unknown':
          return { is: 'lost', error: outcome.error };
        case 'refused': {
          const error = protectedError(outcome.error, change.needed, token);
          if (outcome.status === 401) {
            rejected = token;
            return { is: 'turned away', error, waitMs: 0 };
          }
          if (outcome.status !== 429) return { is: 'refused', error };
          const waitMs = pauseOf(outcome.error);
          pausedUntil = ports.clock.monotonic() + waitMs;
          return { is: 'turned away', error, waitMs };
        }
      }
    },
  };
}

function pauseOf({ details }: ArtworkError): number {
  const seconds = details?.retryAfterSeconds;
  return typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : unsaidPauseMs;
}

/** Whether only a person can help: another try would get the same answer. */
export function isForPerson(answer: Answer): boolean {
  switch (answer.is) {
    case 'refused':
      return answer.error.status === 403 || (answer.error.status ?? 400) < 400;
    case 'turned away':
      return answer.waitMs > longestPauseMs;
    case 'unsent':
      return forPerson.has(answer.error.failure);
    default:
      return false;
  }
}

const forPerson: ReadonlySet<string> = new Set([
  'stale_revision',
  'not_connected',
  'reconnect_required',
  'scope_missing',
  'cancelled',
]);

/**
 * Whether two sign-ins are to one account is not known where the service tells no subject: then nothing is sent.
 * @throws ArtworkError `not_connected` where another account may be signed in than the one that the change is of
 */
export function requireSameAccount(
  now: Pick<AccountScope, 'subject' | 'connection'>,
  of: Pick<AccountScope, 'subject' | 'connection'>,
): void {
  if (compareAccounts(now, of) !== 'same') throw otherAccount();
}

/** The same for what goes by an id of the service's, which shows itself to its owner alone. @throws alike */
export function requireNotAnother(
  now: Pick<AccountScope, 'subject' | 'connection'>,
  of: Pick<AccountScope, 'subject' | 'connection'>,
): void {
  if (compareAccounts(now, of) === 'other') throw otherAccount();
}

function otherAccount(): ArtworkError {
  return new ArtworkError(
    'not_connected',
    'The account that is signed in is not the one of this change, or does not say which it is.',
    {
      next: { why: 'A person signs in to the account of this change. Only that account can go on with it.' },
    },
  );
}
