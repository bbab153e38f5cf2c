import { ArtworkError, type Failure, type Next } from '../errors.ts';
import { ownCommand } from '../own-command.ts';
import type { ConnectionKey, ReconnectReason } from './row.ts';

/** What brings an account that is not connected any more forward. */
export const signInAgain: Next = {
  tool: 'connect_account',
  arguments: {},
  why: 'A person has to sign in, in a browser; this call answers with the address to open.',
};

/** The error of a call where no account is connected. @param ending the connection is being ended */
export function notConnectedError({ service, person }: ConnectionKey, ending = false): ArtworkError {
  const message = ending
    ? `User "${person}" is being disconnected from ${service}: disconnect again to finish it, or sign in anew.`
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
    "The answer to a renewal was lost, and with it the connection's new tokens; the refresh token is not presented twice.",
  no_refresh_token: 'The access token has ended and nothing renews it, since offline_access was not granted.',
  replaced: 'A sign-in ended this connection, and then failed itself.',
  another_app: 'This connection was made for another app than the one that ARTWORK_CLIENT_ID names.',
};

/** Refusals of the app itself, which no sign-in mends (RFC 6749, 5.2; RFC 8707): what a person does. */
const mends: Readonly<Record<string, string | undefined>> = {
  invalid_client:
    "Check ARTWORK_CLIENT_ID, and ARTWORK_CLIENT_SECRET if the app is a confidential one; the account's Apps area shows whether the app still exists.",
  unauthorized_client:
    "Register the app anew in the account's Apps area, with the permission offline_access, set ARTWORK_CLIENT_ID, then sign in.",
  invalid_target:
    'Check ARTWORK_BASE_URL: it has to be the base address that the service documents, to the letter (scheme, host, port and path).',
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
  return /^[a-z_]{1,40}$/.test(code) ? code : 'a code that is none';
}

/** The service answers 401 to the access token that it has just issued. */
export function newTokenRefusedError(): ArtworkError {
  const message =
    'The service issued a new access token less than a minute ago and does not accept it, so it is not asked for another one now: it may look for the token at another address than the one it was issued for, its clock may be wrong, or the account may have been locked.';
  const why = `A person acts: ${mends.invalid_target} Then try again in a minute, or sign in again: ${ownCommand('connect')}`;
  return new ArtworkError('forbidden', message, { code: 'new_token_refused', status: 401, next: { why } });
}
