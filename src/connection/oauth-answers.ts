import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import { ArtworkError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { unknownScopes } from '../settings.ts';
import { cleanerWithout, jsonOf } from '../text.ts';
import { renewalRefusedError, signInRefusedError } from './failures.ts';
import { Secret, type Tokens } from './row.ts';

/** What the token endpoint issued. */
export interface Issued {
  /** A renewal may bring no new refresh token: then the one before goes on. */
  readonly tokens: Tokens;
  readonly expiresInSeconds: number | null;
  /** null: the service did not say. */
  readonly scopes: readonly string[] | null;
  /** The name of the server in identities. */
  readonly issuer: string;
  /** The account's id (`sub`); null: not told. */
  readonly subject: string | null;
  /** A name of the account for people, cleaned; null: not told. */
  readonly name: string | null;
}

/** How a renewal ended, by what is proven of the refresh token. */
export type Renewal =
  | { readonly outcome: 'granted'; readonly issued: Issued }
  /** It is no longer good. */
  | { readonly outcome: 'refused' }
  /** It was not consumed, and may be presented again. */
  | { readonly outcome: 'not_consumed'; readonly error: ArtworkError }
  /** It may have been consumed. */
  | { readonly outcome: 'unknown' };

/** How a revocation ended. `failed`: the token may still be good there. */
export type Revocation = 'revoked' | 'not_sent' | 'failed';

/** One request to the server, as our own HTTP saw it; null: none was begun. */
export type Observed = { seen: Exchange | null };

/** @param nonce of the sign-in; null: none is expected @throws Error for what can't be used */
export function issuedOf(
  answer: TokenEndpointResponse & TokenEndpointResponseHelpers,
  issuer: string,
  nonce: string | null,
): Issued {
  const { access_token: access, refresh_token: refresh = null, expires_in: seconds = null, scope } = answer;
  // Requests carry it as a bearer token, which it has to be for that (RFC 6749, 7.1).
  if (answer.token_type !== 'bearer') throw new Error('a token of another type');
  const isFit = (token: string) => /^[\x21-\x7e]{1,16384}$/.test(token);
  if (!isFit(access) || (refresh !== null && !isFit(refresh))) throw new Error('a token that is none');
  const claims = answer.claims();
  if (nonce !== null && claims !== undefined && claims.nonce !== nonce) throw new Error('a foreign nonce');
  // Words that the interface document does not have would stand in calls that we propose.
  const told = (words: string) =>
    words.split(/\s+/).filter((one) => one !== '' && unknownScopes([one]).length === 0);
  return {
    tokens: { access: new Secret(access), refresh: refresh === null ? null : new Secret(refresh) },
    expiresInSeconds: seconds,
    scopes: scope === undefined ? null : told(scope),
    issuer,
    subject: claims?.sub ?? null,
    name: claims === undefined ? null : nameIn(claims, access),
  };
}

/** The name that people know the account by (OpenID Connect Core, 5.1): other people's words. @param token might be quoted */
export function nameIn(claims: Readonly<Record<string, unknown>>, token: string): string | null {
  const clean = cleanerWithout(token);
  for (const claim of ['name', 'preferred_username', 'nickname', 'email']) {
    const told = clean(
      String(claims[claim] ?? '')
        .slice(0, 1000)
        .normalize('NFC'),
    );
    const name = told.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '').trim();
    if (name !== '') return [...name].slice(0, 100).join('');
  }
  return null;
}

/** The code with which a server refuses (RFC 6749, 5.2); null: it said nothing of the kind. */
function errorCodeOf({ seen }: Observed): string | null {
  if (seen?.end !== 'answered') return null;
  const told = jsonOf(seen.body.toString());
  const code = typeof told === 'object' && told !== null && 'error' in told ? told.error : null;
  return typeof code === 'string' ? code : null;
}

/**
 * What proves that a refresh token was not consumed: it did not leave, the app was refused, or a 400 with another reason
 * than the token. A 429, a 5xx, a 401 that does not name the app, and silence prove nothing: a server may answer so after
 * it has consumed the token.
 */
export function renewalFailure(observed: Observed): Renewal {
  const { seen } = observed;
  if (seen === null || !seen.sent) {
    const error = new ArtworkError('network', 'The service could not be reached to renew the connection.');
    return { outcome: 'not_consumed', error };
  }
  if (seen.end !== 'answered') return { outcome: 'unknown' };
  const { status } = seen.head;
  const code = errorCodeOf(observed);
  if (status === 400 && code === 'invalid_grant') return { outcome: 'refused' };
  const isOfApp = code === 'invalid_client' && (status === 400 || status === 401);
  // Some say so in a 400 after they have failed at work.
  const failedAtWork = code === 'server_error' || code === 'temporarily_unavailable';
  if (code === null || failedAtWork || !(status === 400 || isOfApp)) return { outcome: 'unknown' };
  return { outcome: 'not_consumed', error: renewalRefusedError(code, status) };
}

export function revocationFailure(observed: Observed): Revocation {
  const { seen } = observed;
  if (seen === null || !seen.sent) return 'not_sent';
  if (seen.end !== 'answered') return 'failed';
  const { status } = seen.head;
  // Some answer so for a token that they have forgotten (RFC 7009, 2.2); these errors are about who asks.
  const ofAsker = ['invalid_client', 'unauthorized_client', 'unsupported_token_type'];
  const isOfToken = !ofAsker.includes(errorCodeOf(observed) ?? '');
  const isForgotten = [400, 404, 410].includes(status) && isOfToken;
  return isForgotten || (status >= 200 && status < 300) ? 'revoked' : 'failed';
}

/** Why a code could not be exchanged. */
export function redeemFailure(observed: Observed): ArtworkError {
  const { seen } = observed;
  if (seen?.end !== 'answered') {
    const how = seen?.sent === true ? 'did not answer' : 'could not be reached';
    return new ArtworkError('network', `The service ${how} at the end of the sign-in.`);
  }
  const { status } = seen.head;
  const told = errorCodeOf(observed);
  if (told !== null && status >= 400 && status < 500) return signInRefusedError(told, status);
  if (status === 200) return foreignAnswer('its identity or its form');
  const message = `The service's answer to the sign-in can't be read (status ${status}). Check ARTWORK_BASE_URL, then sign in again.`;
  return new ArtworkError(status >= 500 ? 'service_unavailable' : 'bad_response', message, { status });
}

export function foreignAnswer(what: string): ArtworkError {
  const message = `The service's answer does not belong to this sign-in (${what}), so nothing was stored. Check ARTWORK_AUTH_URL and this machine's clock, then sign in again.`;
  return new ArtworkError('bad_response', message, { code: 'identity_mismatch' });
}
