import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Store } from '../store.ts';
import { knownScopes, type Scope } from './scopes.ts';

/** What an access token stands for. */
export interface Connection {
  readonly accountId: number;
  readonly scopes: ReadonlySet<string>;
}

/**
 * Stored instead of a token, a code or a client secret. These are random and long, so a plain digest can't be reversed,
 * and a stolen database is of no use.
 */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Seconds since 1970, rounded down: how oidc-provider counts. */
export function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

const tokenPayload = z.object({ aud: z.string(), scope: z.string().optional() });

/** The connection of a valid access token for `{base_url}/me`; null for any other token. */
export function connectionOf({ store, baseUrl }: Context, accessToken: string): Connection | null {
  const row = store.first(
    `SELECT t.account_id, t.payload FROM oauth_records t
     JOIN oauth_records g ON g.model = 'Grant' AND g.id = t.grant_id
     WHERE t.model = 'AccessToken' AND t.id = ? AND t.expires_at > ?`,
    fingerprint(accessToken),
    epochSeconds(),
  );
  if (row === undefined) return null;
  const { aud, scope = '' } = tokenPayload.parse(row.json('payload'));
  if (aud !== `${baseUrl}/me`) return null;
  return {
    accountId: row.integer('account_id'),
    scopes: new Set(scope.split(' ').filter((one) => one !== '')),
  };
}

/** Ends this access token and all others of its connection, as if their time were over. Renewal stays possible. */
export function expireAccessTokens({ store }: Context, accessToken: string): void {
  store.run(
    `DELETE FROM oauth_records WHERE model = 'AccessToken' AND grant_id =
       (SELECT grant_id FROM oauth_records WHERE model = 'AccessToken' AND id = ?)`,
    fingerprint(accessToken),
  );
}

/** An app that acts for an account, as its person sees it (Authentication 12). */
export interface ReviewedConnection {
  readonly id: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

const grantPayload = z.object({
  iat: z.number(),
  openid: z.object({ scope: z.string() }).optional(),
  resources: z.record(z.string(), z.string()).optional(),
});

/** The working connections of an account, the newest first: one works as long as one of its tokens does. */
export function connectionsOf({ store, baseUrl }: Context, accountId: number): ReviewedConnection[] {
  const grants = store.all(
    `SELECT id, client_id, payload FROM oauth_records g WHERE model = 'Grant' AND account_id = ? AND EXISTS
       (SELECT 1 FROM oauth_records t WHERE t.grant_id = g.id AND t.consumed_at IS NULL
          AND t.model IN ('AccessToken', 'RefreshToken') AND t.expires_at > ?)
     ORDER BY payload ->> 'iat' DESC`,
    ...[accountId, epochSeconds()],
  );
  return grants.map((row) => {
    const { iat, openid, resources } = grantPayload.parse(row.json('payload'));
    const scopes = knownScopes(`${resources?.[`${baseUrl}/me`] ?? ''} ${openid?.scope ?? ''}`);
    const createdAt = new Date(iat * 1000).toISOString();
    return { id: row.text('id'), clientId: row.text('client_id'), scopes, createdAt };
  });
}

/** Ends a connection at once, with all its codes and tokens. @returns whether this account had it */
export function disconnect(store: Store, accountId: number, id: string): boolean {
  const own = store.first(
    "SELECT id FROM oauth_records WHERE model = 'Grant' AND id = ? AND account_id = ?",
    id,
    accountId,
  );
  if (own !== undefined) endConnection(store, id);
  return own !== undefined;
}

export function endConnection(store: Store, id: string): void {
  store.run("DELETE FROM oauth_records WHERE grant_id = ? OR (model = 'Grant' AND id = ?)", id, id);
}
