import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { AtomicStore } from '../storage/atomic-store.ts';
import type { BackoffLimits } from '../wire/backoff.ts';
import type { Grant, GrantPosition } from './grant.ts';
import type { Secret } from './secret.ts';

/** The pauses between two reads of what another process is to write. */
export const pollPauses: BackoffLimits = { firstMs: 25, longestMs: 400 };

export interface StoredPosition extends GrantPosition {
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

/** The sealed token records. Rejections are the store's errors. */
export interface TokenRecords {
  write(key: ConnectionKey, place: GrantPosition, grant: Grant): Promise<void>;
  read(key: ConnectionKey, place: GrantPosition): Promise<Grant | null>;
  remove(key: ConnectionKey, place: GrantPosition): Promise<void>;
  /** Every record of this key, unopened, in no particular order. */
  list(key: ConnectionKey): Promise<readonly StoredPosition[]>;
}

/**
 * All that bearer, renewal, disconnecting and sign-in use of the outside world: simulations run them with a store, a
 * service and a clock of their own.
 */
export interface Io {
  readonly atomic: Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet' | 'scan'>;
  readonly records: TokenRecords;
  readonly service: TokenService;
  readonly clock: Clock;
  /** 128 random bits as 32 hexadecimal digits. */
  random(): string;
  readonly log: Log;
}

/** Names the connection of one user with one service through one app. Two keys never share a pointer or a record. */
export interface ConnectionKey {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  readonly clientId: string;
  /** The name on this machine (`ARTWORK_USER`), not the account on the service. */
  readonly user: string;
  /** Where the pointer lies in the atomic store. */
  readonly pointer: string;
}

/** Begins the name of every user's pointer. */
export const pointerPrefix = 'connection:';

/** The key under which a user's connection to a service is stored. */
export function connectionKey(service: string, clientId: string, user: string): ConnectionKey {
  // JSON keeps the three apart whatever they hold; the digest makes them fit a key.
  const digest = createHash('sha256')
    .update(JSON.stringify([service, clientId, user]))
    .digest('base64url');
  return { service, clientId, user, pointer: `${pointerPrefix}${digest}` };
}

/** What the token endpoint granted (Authentication 8 and 9; RFC 6749, 5.1 for the fields' names). */
export interface TokenAnswer {
  readonly accessToken: Secret;
  /** `unchanged`: none came, so the presented one stays; `unreadable`: one came that can't be used. */
  readonly refreshToken: Secret | 'unchanged' | 'unreadable';
  /** null: unknown. */
  readonly expiresInSeconds: number | null;
  /** null: those that were asked for, or had before. */
  readonly scopes: readonly string[] | null;
}

/** The proof that a refresh token was not consumed, which allows its next presentation. */
export interface NotConsumed {
  readonly why: 'not_sent' | 'invalid_client' | 'refused' | 'rate_limited';
  /** The service's `error`, or the fault of the network. */
  readonly code: string | null;
  readonly retryAfterMs: number | null;
}

/** The outcome of presenting a refresh token. */
export type Renewal =
  | { readonly outcome: 'granted'; readonly answer: TokenAnswer; readonly subject: string | null }
  /** A success that can't be used. A refresh token in it can be revoked. */
  | { readonly outcome: 'unusable'; readonly refreshToken: Secret | null }
  /** `invalid_grant`: the connection has ended. */
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'not_consumed'; readonly proof: NotConsumed }
  /** It may have been consumed, and the new tokens are lost. */
  | { readonly outcome: 'unknown'; readonly code: string | null };

export type Revocation =
  | { readonly outcome: 'revoked' }
  /** The service no longer knows the token, which counts as revoked (RFC 7009, 2.2). */
  | { readonly outcome: 'gone'; readonly code: string }
  /** `refused`: the service refused; the other reasons may pass. */
  | {
      readonly outcome: 'failed';
      readonly why: 'network' | 'unavailable' | 'refused';
      readonly code: string | null;
      /** Why nothing was sent and what to do, in a sentence, where that is known. */
      readonly reason?: string;
    };

export type TokenKind = 'refresh_token' | 'access_token';

/** The token endpoint and the revocation endpoint; each request is sent once. */
export interface TokenService {
  /**
   * Does all that can fail before a request, so that no claim is made for a request that can't be sent.
   * @throws ArtworkError, such as for a client secret that can't be read, or a service that can't be woken
   */
  prepare(): Promise<void>;
  /** Answers within about 30 s; never rejects. */
  renew(refreshToken: Secret): Promise<Renewal>;
  /** @throws ArtworkError, such as for a client secret that can't be read */
  revoke(token: Secret, kind: TokenKind): Promise<Revocation>;
}
