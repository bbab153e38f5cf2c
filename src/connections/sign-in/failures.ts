import { ArtworkError, type ErrorCategory } from '../../errors.ts';
import { ownCommand } from '../../own-command.ts';
import { targetRefusedError } from '../failures.ts';
import { oauthErrorCode } from '../provider/provider.ts';

/** The authorization page answered with an OAuth error (Authentication 7). */
export function authorizationRefusedError(error: string): ArtworkError {
  const code = oauthErrorCode(error, []);
  const refused = (category: ErrorCategory, message: string) => new ArtworkError(category, message, { code });
  switch (code) {
    case 'access_denied':
      return refused('forbidden', "The sign-in was declined on the service's page; nothing was stored.");
    case 'invalid_scope':
      return refused(
        'invalid_arguments',
        'The app is not registered for one of the scopes that were asked for (invalid_scope): ask for fewer, or register an app that may ask for them in the Apps area of the account.',
      );
    case 'invalid_target':
      return targetRefusedError(code, undefined);
    case 'server_error':
    case 'temporarily_unavailable':
      return refused('service_unavailable', `The service could not sign in (${code}): try again later.`);
    default:
      return refused('forbidden', `The service refused the sign-in (${code}); nothing was stored.`);
  }
}

/** The callback of a sign-in brought another `state` than the one that was sent. */
export function stateRefusedError(why: 'unknown' | 'used' | 'expired'): ArtworkError {
  switch (why) {
    case 'unknown':
      return new ArtworkError(
        'invalid_arguments',
        'This answer belongs to no sign-in that is waiting here: use the address that was shown last, in the same browser.',
        { code: 'state_unknown' },
      );
    case 'used':
      return new ArtworkError(
        'invalid_arguments',
        'This sign-in has ended already; its answer counts once.',
        { code: 'state_used' },
      );
    case 'expired':
      return signInExpiredError();
  }
}

/** A sign-in that waited too long for its callback. */
export function signInExpiredError(): ArtworkError {
  return new ArtworkError('cancelled', 'This sign-in took longer than ten minutes: start it again.', {
    code: 'sign_in_expired',
  });
}

/** A sign-in that was given up. */
export function signInCancelledError(): ArtworkError {
  return new ArtworkError('cancelled', 'The sign-in was cancelled.', { code: 'sign_in_cancelled' });
}

/** The callback of a sign-in brought no code. */
export function codeMissingError(): ArtworkError {
  return new ArtworkError('bad_response', 'The service ended the sign-in without a code: sign in again.', {
    code: 'no_code',
  });
}

/** Two processes can't listen at one callback: the browser would bring the callback of one to the other. */
export function signInWaitsError(
  redirectUri: string,
  { processId, ofSameUser }: { readonly processId: number | null; readonly ofSameUser: boolean },
): ArtworkError {
  const where = processId === null ? '' : ` in process ${processId}`;
  const whose = ofSameUser
    ? 'Another sign-in of artwork-mcp'
    : 'A sign-in of another user of artwork-mcp (ARTWORK_USER)';
  const then = ofSameUser ? ', if the account is not connected by then' : '';
  return new ArtworkError(
    'conflict',
    `${whose} waits at ${new URL(redirectUri).host}${where}, and only one can wait there at a time.`,
    {
      code: 'sign_in_waits',
      next: {
        why: `A person finishes that sign-in in the browser, or ends it where it waits (Ctrl+C in the terminal in which \`connect\` runs; else the host that began it); after ten minutes at most it ends by itself. Then this sign-in can be begun again${then}.`,
      },
    },
  );
}

/** The redirect URI's port can't be listened on. */
export function portRefusedError(redirectUri: string, fault: string | null): ArtworkError {
  const { host } = new URL(redirectUri);
  const taken = fault === 'EADDRINUSE';
  const message = taken
    ? `${host} is in use by another program: end that first, or sign in with --no-browser and paste the callback URL, or register an app with another callback, and set ARTWORK_CLIENT_ID and ARTWORK_REDIRECT_URI.`
    : `${host} can't be listened on${fault === null ? '' : ` (${fault})`}: register an app with another callback and set ARTWORK_CLIENT_ID and ARTWORK_REDIRECT_URI, or sign in with --no-browser and paste the callback URL.`;
  return new ArtworkError(taken ? 'conflict' : 'internal', message, {
    code: taken ? 'port_taken' : 'port_unusable',
    next: {
      why: `A person ends what holds the port, or runs \`${ownCommand('connect --no-browser')}\` in a terminal and pastes the callback URL there.`,
    },
  });
}

/** A sign-in that failed after the connection before it was ended. */
export function tellEndedConnection(error: unknown): unknown {
  if (!(error instanceof ArtworkError)) return error;
  const { category, message, code, status, details, issues, next } = error;
  const told = `${message} The connection before it was ended for this sign-in, so that there is none now.`;
  return new ArtworkError(category, told, { code, status, details, issues, next });
}
