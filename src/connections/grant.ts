import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Marks } from '../store/kv.ts';
import { jsonOf } from '../text.ts';
import type { BackoffLimits } from '../wire/pacing.ts';

const mask = '[secret]';

/**
 * A token, a client secret, a verifier or a nonce. Printing an object that holds one shows a mask; only `reveal` answers
 * the value, for a request or for sealing.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}

/** Drawn for each sign-in and never used again, so that generations of two sign-ins are never mixed up. */
export type ConnectionId = string & { readonly __brand: 'ConnectionId' };

export const connectionId = z.custom<ConnectionId>(
  (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value),
);

/** Names one record. Generation 1 is what a sign-in received. */
export interface GrantPosition {
  readonly connection: ConnectionId;
  readonly generation: number;
}

const secret = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));
/** What a Date can hold, in milliseconds. */
const instant = z.number().min(-8.64e15).max(8.64e15);
const held = {
  /** null: none came (`offline_access` was not granted), or none that can be used. */
  refreshToken: secret.nullable(),
  /** Milliseconds since 1970 by this machine's clock; null: the service did not say (Authentication). */
  expiresAt: instant.nullable(),
  /** Of the access token, in milliseconds; null where `expiresAt` is. */
  lifetime: instant.nonnegative().nullable(),
  scopes: z.array(z.string()).readonly(),
  /** The service did not say which scopes it granted: `scopes` are those that were asked for. */
  scopesUntold: z.boolean().optional(),
  /** The scopes that the sign-in asked for. */
  asked: z.array(z.string()).readonly(),
  /** `sub` of the account; null: unknown, because `openid` was not granted or no id_token came. */
  subject: z.string().nullable(),
  /** The account's own name for people; untrusted text, cleaned. */
  account: z.string().nullable(),
  signedInAt: instant,
  renewedAt: instant,
};

/** Why an answer of the service can't be used. It is kept all the same, since it can be revoked. */
const flaws = ['unusable_answer', 'other_subject'] as const;
export type Flaw = (typeof flaws)[number];

const usableGrant = z.object({ ...held, flaw: z.null(), accessToken: secret }).readonly();
const flawedGrant = z.object({ ...held, flaw: z.enum(flaws), accessToken: secret.nullable() }).readonly();
const grantSchema = z.union([usableGrant, flawedGrant]);

/** One generation of a connection: written once, never changed. */
export type Grant = z.infer<typeof grantSchema>;
export type UsableGrant = z.infer<typeof usableGrant>;

/** An access token for one request, with what is needed to judge a 401 to it. */
export interface Bearer extends GrantPosition {
  readonly token: Secret;
  readonly subject: string | null;
  readonly scopes: readonly string[];
  /** The service did not say which scopes it granted, so that some of these may be missing. */
  readonly scopesUntold?: boolean | undefined;
}

/** The access token of a grant, as calls use it. */
export function bearerOf({ connection, generation }: GrantPosition, grant: UsableGrant): Bearer {
  const { accessToken, subject, scopes, scopesUntold } = grant;
  return { connection, generation, token: accessToken, subject, scopes, scopesUntold };
}

/** Whether the access token of a grant has ended. */
export function isTokenExpired({ expiresAt }: Grant, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

/** The scopes that were asked for and not granted, as far as that is known. */
export function withheldScopes({ asked, scopes }: Pick<Grant, 'asked' | 'scopes'>): readonly string[] {
  return asked.filter((scope) => !scopes.includes(scope));
}

/** A sentence on a connection whose service did not tell the scopes. */
export const scopesUntoldWords =
  'The service did not say which permissions it granted, so some of them may be missing.';

const identityScopes: readonly string[] = ['openid', 'profile', 'offline_access'];

/** How the outcome of a sign-in shows which scopes were granted. */
interface GrantedSigns {
  readonly asked: readonly string[];
  /** As the service says; null: it does not say. */
  readonly told: readonly string[] | null;
  /** The account's id came, which is what `openid` does. */
  readonly isSubjectKnown: boolean;
  /** A refresh token came, which is what `offline_access` does. */
  readonly isRenewable: boolean;
}

/**
 * The scopes of a new grant. Some services list only those of the resource (RFC 8707): a list that lacks a scope whose
 * effect has come says nothing of the identity scopes, so these count as granted unless their effect is missing.
 */
export function grantedScopes({ asked, told, isSubjectKnown, isRenewable }: GrantedSigns): readonly string[] {
  const shown = asked.filter(
    (scope) => (scope === 'openid' && isSubjectKnown) || (scope === 'offline_access' && isRenewable),
  );
  if (told === null) return asked.filter((scope) => scope !== 'offline_access' || isRenewable);
  const isOfResource = shown.some((scope) => !told.includes(scope));
  const likely = isOfResource && isSubjectKnown ? asked.filter((scope) => scope === 'profile') : [];
  return [...new Set([...told, ...shown, ...likely])];
}

/** The scopes after a renewal (Authentication 9). It keeps the account's identity, and lists of the resource lack that. */
export function renewedScopes(before: readonly string[], told: readonly string[] | null): readonly string[] {
  // An empty list is nothing that a renewal can mean.
  if (told === null || told.length === 0) return before;
  return [...new Set([...told, ...before.filter((scope) => identityScopes.includes(scope))])];
}

/**
 * Whether it is time to renew: a minute before the end, since clocks differ and requests take time, but no earlier than in
 * the last fifth of the token's life.
 */
export function isRenewalDue({ expiresAt, lifetime }: Grant, now: number): boolean {
  if (expiresAt === null || lifetime === null) return false;
  return now >= expiresAt - Math.min(60_000, lifetime / 5);
}

/** For sealing only: the text holds the tokens. */
export function writeGrant(grant: Grant): string {
  return JSON.stringify({
    ...grant,
    accessToken: grant.accessToken?.reveal() ?? null,
    refreshToken: grant.refreshToken?.reveal() ?? null,
  });
}

/** Null where the text is not a grant. */
export function readGrant(text: string): Grant | null {
  return grantSchema.safeParse(jsonOf(text)).data ?? null;
}

/** The pauses between two reads of what another process is to write. */
export const pollPauses: BackoffLimits = { firstMs: 25, longestMs: 400 };

/** The sealed token records. Rejections are the store's errors. */
export interface TokenRecords {
  write(key: ConnectionKey, place: GrantPosition, grant: Grant): Promise<void>;
  read(key: ConnectionKey, place: GrantPosition): Promise<Grant | null>;
  remove(key: ConnectionKey, place: GrantPosition): Promise<void>;
  /** Every record of this key, unopened, in no particular order. */
  list(key: ConnectionKey): Promise<readonly GrantPosition[]>;
}

/**
 * All that bearer, renewal, disconnecting and sign-in use of the outside world: simulations run them with a store, a
 * service and a clock of their own.
 */
export interface Io {
  /** The connection that all of this is about. */
  readonly key: ConnectionKey;
  readonly atomic: Pick<Marks, 'get' | 'putIfAbsent' | 'compareAndSet' | 'scan'>;
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

/** The key under which a user's connection to a service is stored. */
export function connectionKey(service: string, clientId: string, user: string): ConnectionKey {
  // JSON keeps the three apart whatever they hold; the digest makes them fit a key.
  const digest = createHash('sha256')
    .update(JSON.stringify([service, clientId, user]))
    .digest('base64url');
  return { service, clientId, user, pointer: `connection:${digest}` };
}

/** What the token endpoint granted (Authentication 8 and 9; RFC 6749, 5.1 for the fields' names). */
export interface TokenAnswer {
  readonly accessToken: Secret;
  /** `unchanged`: none came, so the presented one stays; `unreadable`: one came that can't be used. */
  readonly refreshToken: Secret | 'unchanged' | 'unreadable';
  /** null: unknown. */
  readonly expiresInSeconds: number | null;
  /** null: the service does not say. */
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
