import { ArtworkError, type Failure, type Next } from '../errors.ts';
import { ownCommand } from '../own-command.ts';
import type { ConnectionKey, ReconnectReason } from './row.ts';

/** What brings an account that is not connected any more forward. */
export const signInAgain: Next = {
  tool: 'connect_account',
  arguments: {},
  why: 'A person has to sign in. This call answers with the address to open in a browser.',
};

/** The error of a call where no account is connected. @param ending the connection is being ended */
export function notConnectedError({ service, person }: ConnectionKey, ending = false): ArtworkError {
  const message = ending
    ? `User "${person}" is being disconnected from ${service}. Disconnect again to finish it, or sign in anew.`
    : `User "${person}" is not connected to ${service}.`;
  return new ArtworkError('not_connected', message, { next: signInAgain });
}

/** The error of a call whose connection has ended: a person has to sign in again. */
export function reconnectError(reason: ReconnectReason): ArtworkError {
  const facts = { details: { reason }, next: signInAgain };
  return new ArtworkError('reconnect_required', `${reconnectWords[reason]} Sign in again.`, facts);
}

/** Why a connection has ended, as a sentence for people. */
export const reconnectWords: Readonly<Record<ReconnectReason, string>> = {
  refused: 'The service has ended this connection: it no longer accepts its refresh token.',
  uncertain:
    "The service's answer to a renewal was lost, with the new tokens in it. The old refresh token is never sent twice.",
  no_refresh_token:
    "The access token has expired. It can't be renewed, since offline_access was not granted.",
  replaced: 'A new sign-in ended this connection, and then failed.',
  another_app: 'This connection belongs to another app than ARTWORK_CLIENT_ID names.',
};

/** Refusals of the app itself, which no sign-in mends (RFC 6749, 5.2; RFC 8707): what a person does. */
const mends: Readonly<Record<string, string | undefined>> = {
  invalid_client:
    "Check ARTWORK_CLIENT_ID, and ARTWORK_CLIENT_SECRET for a confidential app. The account's Apps area shows whether the app still exists.",
  unauthorized_client:
    "Register the app anew in the account's Apps area, with the permission offline_access. Then set ARTWORK_CLIENT_ID and sign in.",
  invalid_target:
    'Set ARTWORK_BASE_URL to exactly the address that the service documents: scheme, host, port and path.',
  invalid_scope:
    'Ask for fewer scopes, or register an app that may ask for them in the Apps area of the account.',
};

/** A renewal that was refused for another reason than its refresh token, which is still good. */
export function renewalRefusedError(error: string, status: number): ArtworkError {
  const code = plainCode(error);
  const mend = mends[code];
  const message = `The service refused to renew the connection (${code}). ${mend ?? 'Sign in again.'}`;
  const next = mend === undefined ? signInAgain : { why: `A person acts: ${mend}` };
  const failure: Failure = mend === undefined ? 'reconnect_required' : 'forbidden';
  return new ArtworkError(failure, message, { code, status, next });
}

/** The authorization page, or the exchange of the code, was answered with an OAuth error (Authentication 7, 8). */
export function signInRefusedError(error: string, status?: number): ArtworkError {
  const code = plainCode(error);
  const message =
    code === 'access_denied'
      ? "The sign-in was declined on the service's page; nothing was stored."
      : `The service refused the sign-in (${code}); nothing was stored. ${mends[code] ?? 'Sign in again.'}`;
  return new ArtworkError('forbidden', message, { code, status });
}

/** A code of the protocol as it is. Anything else may be a sentence of other people's, and is not repeated. */
function plainCode(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? code : 'an unreadable code';
}

/** The service answers 401 to the access token that it has just issued. */
export function newTokenRefusedError(): ArtworkError {
  const message =
    'The service issued a new access token less than a minute ago, and does not accept it. The token may be for another address, the clock of the service may be wrong, or the account may be locked.';
  const why = `A person acts: ${mends.invalid_target} Then try again in a minute, or sign in again: ${ownCommand('connect')}`;
  return new ArtworkError('forbidden', message, { code: 'new_token_refused', status: 401, next: { why } });
}
