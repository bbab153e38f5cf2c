import { ArtworkError, type Next } from '../errors.ts';
import { ownCommand } from '../own-command.ts';
import type { ConnectionKey, NotConsumed } from './grant.ts';
import type { ReconnectReason } from './pointer.ts';

/** What brings an account that is not connected any more forward. */
export const signInAgain: Next = {
  tool: 'connect_account',
  arguments: {},
  why: 'A person has to sign in, in a browser; this call answers with the address to open.',
};

/** The error of a call where no account is connected. */
export function notConnectedError({ service, user }: ConnectionKey, disconnecting = false): ArtworkError {
  const message = disconnecting
    ? `User "${user}" is being disconnected from ${service}: disconnect again to finish it, or sign in anew.`
    : `User "${user}" is not connected to ${service}.`;
  return new ArtworkError('not_connected', message, { next: signInAgain });
}

/** The error of a call whose connection has ended: a person has to sign in again. */
export function reconnectRequiredError(reason: ReconnectReason): ArtworkError {
  return new ArtworkError('reconnect_required', `${reconnectWords[reason]} Sign in again.`, {
    details: { reason },
    next: signInAgain,
  });
}

/** Why a connection has ended, as a sentence for people. */
export const reconnectWords: Readonly<Record<ReconnectReason, string>> = {
  refused: 'The service has ended this connection: it no longer accepts its refresh token.',
  renewal_unknown:
    "The answer to a renewal was lost, and with it the connection's new tokens; the refresh token is not presented twice.",
  unusable_answer: 'The service answered a renewal with something that can not be used.',
  other_subject: 'The service answered a renewal with tokens of another account; they are not used.',
  no_refresh_token: 'The access token has ended and nothing renews it, since offline_access was not granted.',
};

/** A renewal that failed and surely did not consume the refresh token: the connection is still good. */
export function renewalFailedError({ why, code, retryAfterMs }: NotConsumed): ArtworkError {
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
    case 'rate_limited':
      return new ArtworkError('rate_limited', 'The service asks to wait before the connection is renewed.', {
        ...facts,
        status: 429,
      });
    case 'invalid_client':
    case 'refused': {
      const { meaning, remedy, signInHelps } = oauthRefusalError({ why, code });
      const message = `The service refused to renew the connection${told}: ${meaning} ${remedy}`;
      const shown = { ...facts, status: signInHelps ? 400 : 401, code: code ?? 'invalid_client' };
      if (signInHelps)
        return new ArtworkError('reconnect_required', message, { ...shown, next: signInAgain });
      return new ArtworkError('forbidden', message, { ...shown, next: { why: `A person acts: ${remedy}` } });
    }
  }
}

/** The service answers 401 to the access token that it has just issued. */
export function newTokenRefusedError(): ArtworkError {
  const message =
    'The service issued a new access token less than a minute ago and does not accept it, so it is not asked for another one now: it may look for the token at another address than the one it was issued for, its clock may be wrong, or the account may have been locked.';
  return new ArtworkError('forbidden', message, {
    code: 'new_token_refused',
    status: 401,
    next: {
      why: `A person acts: ${targetRemedy} Then try again in a minute, or sign in again: ${ownCommand('connect')}`,
    },
  });
}

/** The service refuses this app itself, for every account. */
export function clientRefusedError(code: string): ArtworkError {
  const { meaning, remedy } = oauthRefusalError({ why: 'invalid_client', code });
  const next = { why: `A person acts: ${remedy}` };
  return new ArtworkError('forbidden', `${meaning} ${remedy}`, { code, status: 401, next });
}

/** The service does not know the resource that was asked for, `{base_url}/me` (RFC 8707). */
export function targetRefusedError(code: string, status: number | undefined): ArtworkError {
  const message = `The service does not know the resource that this sign-in is for (${code}), most likely because the base address that is set here differs from the one that it has registered. ${targetRemedy}`;
  const next = { why: `A person acts: ${targetRemedy} Then they sign in again.` };
  return new ArtworkError('forbidden', message, { code, status, next });
}

/** The error of an aborted call: the signal's reason where that is an ArtworkError. */
export function connectionCancelledError(signal: AbortSignal | undefined): ArtworkError {
  const reason: unknown = signal?.reason;
  return reason instanceof ArtworkError ? reason : new ArtworkError('cancelled', 'The call was cancelled.');
}

/** Why the service refuses to renew a connection, and what a person does (RFC 6749, 5.2; RFC 8707). */
interface Refusal {
  /** A sentence for people. */
  readonly meaning: string;
  /** A sentence for people. */
  readonly remedy: string;
  /** Whether a new sign-in mends it; else the settings or the registered app have to be changed. */
  readonly signInHelps: boolean;
}

const targetRemedy =
  'Check ARTWORK_BASE_URL: it has to be the base address that the service documents, to the letter (scheme, host, port and path).';

const refusals: Readonly<Record<string, Refusal>> = {
  invalid_client: {
    meaning: 'The service does not accept this app.',
    remedy:
      "Check ARTWORK_CLIENT_ID, and ARTWORK_CLIENT_SECRET if the app is a confidential one; the account's Apps area shows whether the app still exists.",
    signInHelps: false,
  },
  unauthorized_client: {
    meaning: 'The service does not let this app renew connections.',
    remedy:
      "Register the app anew in the account's Apps area, with the permission offline_access, set ARTWORK_CLIENT_ID, then sign in.",
    signInHelps: false,
  },
  invalid_scope: {
    meaning: 'The app or the account no longer has a permission that this connection was granted.',
    remedy: 'Sign in again; ask for fewer scopes if the app is no longer registered for all of them.',
    signInHelps: true,
  },
  invalid_target: {
    meaning:
      'The service does not know the resource that the connection is for: the base address differs from the one that it has registered.',
    remedy: `${targetRemedy} Then sign in again.`,
    signInHelps: true,
  },
  unsupported_grant_type: {
    meaning: 'The service does not renew connections.',
    remedy: 'Sign in again whenever the access token has ended.',
    signInHelps: true,
  },
  invalid_request: {
    meaning: 'The service no longer knows the account or the session of this connection.',
    remedy: 'Sign in again.',
    signInHelps: true,
  },
};

const unknownRefusal: Refusal = {
  meaning: 'The service refused to renew the connection, and did not say why in a way that is known here.',
  remedy: 'Sign in again.',
  signInHelps: true,
};

/** The meaning of a refusal that consumed nothing, by the service's `error`. */
export function oauthRefusalError({ why, code }: Pick<NotConsumed, 'why' | 'code'>): Refusal {
  const word = why === 'invalid_client' ? why : (code ?? '');
  return (Object.hasOwn(refusals, word) ? refusals[word] : undefined) ?? unknownRefusal;
}
