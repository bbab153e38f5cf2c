import { ArtworkError } from '../../errors.ts';
import { clientRefusedError, targetRefusedError } from '../failures.ts';
import { type TransportResult, unaskedContinue } from './transport.ts';

/**
 * An `error` of OAuth (Authentication 7 and 10) if it looks like a code, else `unrecognized`: it could quote what was
 * sent.
 * @param sent what it must not be a part of
 */
export function oauthErrorCode(code: string, sent: readonly string[]): string {
  const quotes = sent.some((value) => value !== '' && (value.includes(code) || code.includes(value)));
  return !quotes && /^[a-z][a-z0-9_.-]{0,49}$/i.test(code) ? code : 'unrecognized';
}

/** The exchange got no whole answer. The code may be used up, so only a new sign-in helps. */
export function exchangeFailed(result: TransportResult | null): ArtworkError {
  const code = result === null || result.end === 'answered' ? null : result.code;
  if (code === unaskedContinue) {
    return new ArtworkError(
      'network',
      'The service answered the sign-in with 100 (Continue), which nothing had asked for, so its real answer could not be read: sign in again. If that goes on, a proxy before the service does it, or the service itself, and the people who run it can end it.',
    );
  }
  const told = code === null ? '' : ` (${code})`;
  return new ArtworkError(
    'network',
    `The service's answer to the sign-in did not arrive${told}: sign in again.`,
  );
}

/**
 * The error of a code that the service refused to exchange for tokens.
 * @param error the service's `error`, null where its answer held none
 */
export function exchangeRefused(status: number, error: string | null): ArtworkError {
  if (error === 'invalid_client') return clientRefusedError(error);
  if (status === 429) {
    const message = 'The service asks to wait: sign in again in a few minutes.';
    return new ArtworkError('rate_limited', message, { status, code: error ?? undefined });
  }
  if (status >= 500) {
    const message = `The service could not finish the sign-in (${status}): sign in again later.`;
    return new ArtworkError('service_unavailable', message, { status });
  }
  if (error === 'invalid_grant') {
    const message =
      'The service no longer accepts this sign-in (invalid_grant): it took too long, or was used already. Sign in again.';
    return new ArtworkError('forbidden', message, { status, code: error });
  }
  if (error === 'invalid_target') return targetRefusedError(error, status);
  if (error !== null) {
    return new ArtworkError('forbidden', `The service refused the sign-in (${error}).`, {
      status,
      code: error,
    });
  }
  return new ArtworkError(
    'bad_response',
    `The service answered the sign-in with ${status} and nothing that can be used.`,
    {
      status,
    },
  );
}

/** The tokens are not for this sign-in, or not by this service. @param claim the wrong claim, where it is known */
export function identityRefused(claim: string | null): ArtworkError {
  const told = claim === null ? '' : ` (${claim})`;
  const message = `What the service answered does not belong to this sign-in${told}; nothing was stored. Check ARTWORK_AUTH_URL, then sign in again.`;
  return new ArtworkError('bad_response', message, { code: 'identity_mismatch' });
}
