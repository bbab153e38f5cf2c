import type { Secret } from './secret.ts';

/** What the token endpoint granted (Authentication 8 and 9; RFC 6749, 5.1 for the fields' names). */
export interface TokenAnswer {
  readonly accessToken: Secret;
  /** `unchanged`: none came, so the one presented stays; `unreadable`: one came that can't be used. */
  readonly refreshToken: Secret | 'unchanged' | 'unreadable';
  /** null: unknown. */
  readonly expiresInSeconds: number | null;
  /** null: those that were asked for, or had before. */
  readonly scopes: readonly string[] | null;
  readonly idToken: Secret | null;
}

/** Why a refresh token was surely not consumed: its next presentation is allowed. */
export interface NotConsumed {
  readonly why: 'not_sent' | 'invalid_client' | 'refused' | 'rate_limited';
  /** The service's `error`, or the fault of the network. */
  readonly code: string | null;
  readonly retryAfterMs: number | null;
}

/** What became of a refresh token that was presented. */
export type Renewal =
  | { readonly outcome: 'granted'; readonly answer: TokenAnswer; readonly subject: string | null }
  /** 200, but nothing to use; what it held of refresh tokens can be revoked. */
  | { readonly outcome: 'unusable'; readonly refreshToken: Secret | null }
  /** `invalid_grant`: the connection has ended. */
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'not_consumed'; readonly proof: NotConsumed }
  /** It may have been consumed, and what it was exchanged for lost. */
  | { readonly outcome: 'unknown'; readonly code: string | null };

export type Revocation =
  | { readonly outcome: 'revoked' }
  /** The service knows no such token any more, which is what was wanted (RFC 7009, 2.2). */
  | { readonly outcome: 'gone'; readonly code: string }
  /** `refused`: the service said no; else it may help to try again later. */
  | {
      readonly outcome: 'failed';
      readonly why: 'network' | 'unavailable' | 'refused';
      readonly code: string | null;
      /** Why nothing was sent, in a sentence that says what to do, where that is known. */
      readonly reason?: string;
    };

export type TokenKind = 'refresh_token' | 'access_token';

/** The token endpoint and the revocation endpoint; each request is sent once. */
export interface TokenService {
  /**
   * Does all that can fail before something is sent, so that no claim is made in vain.
   * @throws ArtworkError, such as for a client secret that can't be read, or a service that can't be woken
   */
  prepare(): Promise<void>;
  /** Answers within about 30 s; never rejects. */
  renew(refreshToken: Secret): Promise<Renewal>;
  /** @throws ArtworkError, such as for a client secret that can't be read */
  revoke(token: Secret, kind: TokenKind): Promise<Revocation>;
}
