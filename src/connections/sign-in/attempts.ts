import { ArtworkError } from '../../errors.ts';
import { isLoopback } from '../../settings.ts';
import { Secret } from '../grant.ts';
import { signInCancelledError, signInExpiredError, stateRefusedError } from './failures.ts';

/** One sign-in that waits for its callback. It is known by its `state`, and its callback counts once. */
export interface Attempt {
  readonly state: string;
  /** Takes the one callback, and answers its outcome. Never rejects. */
  take(callback: Callback): Promise<Decided>;
  /** Ends the attempt without a callback. */
  fail(error: ArtworkError): unknown;
}

/** What a callback led to. */
export type Decided =
  | {
      readonly outcome: 'connected';
      readonly account: string | null;
      /** Scopes that were asked for and not granted. */
      readonly withheld: readonly string[];
      /** The service did not say which scopes it granted. */
      readonly scopesUntold: boolean;
    }
  | { readonly outcome: 'failed'; readonly error: ArtworkError };

/** `refused`: the callback is for no waiting attempt, and changed none. */
export type Answered = Decided | { readonly outcome: 'refused'; readonly error: ArtworkError };

/** How many ended attempts are remembered, so that a late callback gets the reason. */
const remembered = 100;

/**
 * Keeps the sign-ins of this process that wait for their callback, and ends each once. Each gets only its own callback.
 * @param lifetimeMs how long an attempt waits
 * @param onIdle called when none waits any more
 */
export function createAttempts(lifetimeMs: number, onIdle: () => void) {
  const waiting = new Map<string, { readonly attempt: Attempt; readonly timer: NodeJS.Timeout }>();
  const running = new Set<Promise<unknown>>();
  const ended = new Map<string, 'used' | 'expired'>();

  const end = (state: string, how: 'used' | 'expired'): Attempt | null => {
    const found = waiting.get(state);
    if (found === undefined) return null;
    clearTimeout(found.timer);
    waiting.delete(state);
    ended.set(state, how);
    for (const oldest of ended.keys()) {
      if (ended.size <= remembered) break;
      ended.delete(oldest);
    }
    return found.attempt;
  };
  const idle = () => {
    if (waiting.size === 0) onIdle();
  };
  /** Ends an attempt that still waits. */
  const cancel = (state: string, error: ArtworkError): void => {
    end(state, 'expired')?.fail(error);
    idle();
  };

  const track = async <Value>(work: Promise<Value>): Promise<Value> => {
    running.add(work);
    const result = await work;
    running.delete(work);
    return result;
  };

  return {
    add(attempt: Attempt): void {
      const timer = setTimeout(() => cancel(attempt.state, signInExpiredError()), lifetimeMs);
      waiting.set(attempt.state, { attempt, timer });
    },
    /** Gives a callback to the attempt it is for. */
    async answer(callback: Callback): Promise<Answered> {
      const { state } = callback;
      // Ended before the first await, so that a second callback finds it used.
      const attempt = state === null ? null : end(state, 'used');
      if (attempt === null) {
        const error = stateRefusedError((state === null ? undefined : ended.get(state)) ?? 'unknown');
        return { outcome: 'refused', error };
      }
      const result = await track(attempt.take(callback));
      idle();
      return result;
    },
    cancel,
    /** Ends the attempts that wait; resolves once those with a callback have ended too. */
    async close(): Promise<void> {
      for (const state of [...waiting.keys()]) end(state, 'expired')?.fail(signInCancelledError());
      await Promise.all(running);
    },
  };
}

/** What came to the registered callback URL (Authentication 7). */
export interface Callback {
  readonly state: string | null;
  readonly code: Secret | null;
  readonly issuer: string | null;
  /** The `error` of OAuth, as it came. */
  readonly error: string | null;
}

const answerNames: ReadonlySet<string> = new Set(['state', 'code', 'iss', 'error']);

/** The loopback addresses to listen on for a registered callback; none: a person pastes it (Authentication 5). */
export function listenAddresses(redirectUri: string): readonly string[] {
  const url = new URL(redirectUri);
  if (url.protocol !== 'http:' || !isLoopback(url)) return [];
  // Browsers resolve the name to either address.
  if (url.hostname === 'localhost') return ['127.0.0.1', '::1'];
  return [url.hostname.replace(/^\[(.*)\]$/, '$1')];
}

/**
 * Reads a request's target (path and query) as a callback: the registered path, every registered parameter to the letter,
 * and the answer's own parameters. Null where it is something else.
 */
export function readCallback(redirectUri: string, target: string): Callback | null {
  const registered = new URL(redirectUri);
  const [path, query] = split(target);
  if (path !== registered.pathname) return null;
  const extra = [...new URLSearchParams(query)];
  for (const [name, value] of registered.searchParams) {
    const at = extra.findIndex((pair) => pair[0] === name && pair[1] === value);
    if (at < 0) return null;
    extra.splice(at, 1);
  }
  const answer = extra.filter(([name]) => answerNames.has(name));
  if (new Set(answer.map(([name]) => name)).size !== answer.length) return null;
  const value = (name: string) => answer.find((pair) => pair[0] === name)?.[1] || null;
  const code = value('code');
  return {
    state: value('state'),
    code: code === null ? null : new Secret(code),
    issuer: value('iss'),
    error: value('error'),
  };
}

/**
 * Reads the callback URL that a person copied from the browser's address bar.
 * @throws ArtworkError invalid_arguments, which says what to paste instead and quotes nothing
 */
export function readPastedCallback(redirectUri: string, text: string): Callback {
  const pasted = text.trim().replace(/^<(.*)>$/, '$1');
  const url = /^https?:\/\/\S+$/i.test(pasted) && URL.canParse(pasted) ? new URL(pasted) : null;
  const registered = new URL(redirectUri);
  const callback =
    url !== null && url.origin === registered.origin
      ? readCallback(redirectUri, url.pathname + url.search)
      : null;
  if (callback === null) {
    throw notTheCallback(
      `That is not the address that the sign-in ends at: copy the whole address from the browser, which begins with ${registered.origin}${registered.pathname}.`,
    );
  }
  // An incomplete answer would use up the sign-in.
  if (callback.error !== null || (callback.code !== null && callback.state !== null)) return callback;
  const lacks = callback.code === null ? 'code' : 'state';
  throw notTheCallback(
    `The ${lacks} is missing from that address, which was cut off, or is that of a page after the callback. Open the address of this sign-in again, and copy the whole address that the browser ends at.`,
  );
}

function notTheCallback(message: string): ArtworkError {
  return new ArtworkError('invalid_arguments', message, { code: 'not_the_callback' });
}

function split(target: string): readonly [path: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}
