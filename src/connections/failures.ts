import { ArtworkError, type ErrorFacts, type Next } from '../errors.ts';
import type { ConnectionKey } from './key.ts';
import type { ReconnectReason } from './pointer.ts';
import type { NotConsumed } from './token-service.ts';

const signInAgain: Next = {
  tool: 'connect_account',
  arguments: {},
  why: 'A person has to sign in, in a browser; this call answers with the address to open.',
};

export function notConnected({ service, user }: ConnectionKey, disconnecting = false): ArtworkError {
  const message = disconnecting
    ? `User "${user}" is being disconnected from ${service}: disconnect again to finish it, or sign in anew.`
    : `User "${user}" is not connected to ${service}.`;
  return new ArtworkError('not_connected', message, { next: signInAgain });
}

export function reconnectRequired(reason: ReconnectReason): ArtworkError {
  return new ArtworkError('reconnect_required', `${reconnectWords(reason)} Sign in again.`, {
    details: { reason },
    next: signInAgain,
  });
}

/** A sentence for people. */
export function reconnectWords(reason: ReconnectReason): string {
  switch (reason) {
    case 'refused':
      return 'The service has ended this connection: it no longer accepts its refresh token.';
    case 'renewal_unknown':
      return "The answer to a renewal was lost, so nobody knows the connection's present tokens; the refresh token is not presented twice.";
    case 'unusable_answer':
      return 'The service answered a renewal with something that can not be used.';
    case 'other_subject':
      return 'The service answered a renewal with tokens of another account; they are not used.';
    case 'no_refresh_token':
      return 'The access token has ended and nothing renews it, since offline_access was not granted.';
  }
}

/** A renewal that failed, provably without consuming the refresh token: the connection is still good. */
export function renewalFailed({ why, code, retryAfterMs }: NotConsumed): ArtworkError {
  const told = code === null ? '' : ` (${code})`;
  const wait = retryAfterMs === null ? undefined : Math.ceil(retryAfterMs / 1000);
  const facts = wait === undefined ? {} : { details: { retryAfterSeconds: wait } };
  switch (why) {
    case 'not_sent':
      return new ArtworkError(
        'network',
        `The service could not be reached to renew the connection${told}.`,
        facts,
      );
    case 'invalid_client':
      return clientRefused(code, facts);
    case 'rate_limited':
      return new ArtworkError('rate_limited', 'The service asks to wait before the connection is renewed.', {
        ...facts,
        status: 429,
      });
    case 'refused':
      return new ArtworkError('bad_response', `The service refused to renew the connection${told}.`, {
        ...facts,
        status: 400,
      });
  }
}

export function clientRefused(code: string | null, facts: ErrorFacts = {}): ArtworkError {
  return new ArtworkError(
    'forbidden',
    'The service does not accept this app: check ARTWORK_CLIENT_ID, and ARTWORK_CLIENT_SECRET if the app is a confidential one.',
    { ...facts, code: code ?? 'invalid_client' },
  );
}

/** What an aborted call ends with: the reason it was aborted with where that says enough. */
export function cancelled(signal: AbortSignal | undefined): ArtworkError {
  const reason: unknown = signal?.reason;
  return reason instanceof ArtworkError ? reason : new ArtworkError('cancelled', 'The call was cancelled.');
}
