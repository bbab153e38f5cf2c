import { ArtworkError } from '../../errors.ts';
import { isLoopback } from '../../settings.ts';
import { Secret } from '../secret.ts';

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
