import type { NotConsumed } from './token-service.ts';

/** What it means that the service refused to renew a connection, and what a person does (RFC 6749, 5.2; RFC 8707). */
export interface Refusal {
  /** A sentence for people. */
  readonly meaning: string;
  /** A sentence for people. */
  readonly remedy: string;
  /** Whether a new sign-in mends it; else only the settings or the registered app do. */
  readonly signInHelps: boolean;
}

export const targetRemedy =
  'Check ARTWORK_BASE_URL: it has to be the base address that the service documents, to the letter (scheme, host, port and path).';

/** The meaning of a refusal that consumed nothing, by the service's `error`. */
export function oauthRefusal({ why, code }: Pick<NotConsumed, 'why' | 'code'>): Refusal {
  switch (why === 'invalid_client' ? 'invalid_client' : code) {
    case 'invalid_client':
      return {
        meaning: 'The service does not accept this app.',
        remedy:
          "Check ARTWORK_CLIENT_ID, and ARTWORK_CLIENT_SECRET if the app is a confidential one; the account's Apps area shows whether the app still exists.",
        signInHelps: false,
      };
    case 'unauthorized_client':
      return {
        meaning: 'The service does not let this app renew connections.',
        remedy:
          "Register the app anew in the account's Apps area, with the permission offline_access, set ARTWORK_CLIENT_ID, then sign in.",
        signInHelps: false,
      };
    case 'invalid_scope':
      return {
        meaning: 'The app or the account no longer has a permission that this connection was granted.',
        remedy: 'Sign in again; ask for fewer scopes if the app is no longer registered for all of them.',
        signInHelps: true,
      };
    case 'invalid_target':
      return {
        meaning:
          'The service does not know the resource that the connection is for: the base address differs from the one that it has registered.',
        remedy: `${targetRemedy} Then sign in again.`,
        signInHelps: true,
      };
    case 'unsupported_grant_type':
      return {
        meaning: 'The service does not renew connections.',
        remedy: 'Sign in again whenever the access token has ended.',
        signInHelps: true,
      };
    case 'invalid_request':
      return {
        meaning: 'The service no longer knows the account or the session of this connection.',
        remedy: 'Sign in again.',
        signInHelps: true,
      };
    default:
      return {
        meaning:
          'The service refused to renew the connection, and did not say why in a way that is known here.',
        remedy: 'Sign in again.',
        signInHelps: true,
      };
  }
}
