import type { Database } from '../store/database.ts';
import { epochSeconds } from './clock.ts';
import { recordId } from './records.ts';

/** What a living access token says. */
export interface AccessToken {
  readonly accountId: number;
  readonly clientId: string;
  readonly connectionId: string;
  readonly audience: string;
  readonly scopes: ReadonlySet<string>;
  /** Of its connection; ISO 8601 UTC, null before the first use. */
  readonly lastUsedAt: string | null;
}

/** The token, while neither its time nor its connection has ended. */
export function findAccessToken(database: Database, token: string): AccessToken | undefined {
  const row = database.first(
    `SELECT t.grant_id, c.account_id, c.client_id, c.last_used_at,
       json_extract(t.payload, '$.aud') AS audience, json_extract(t.payload, '$.scope') AS scope
     FROM oauth_records AS t
     JOIN oauth_records AS g ON g.model = 'Grant' AND g.id = t.grant_id
     JOIN oauth_connections AS c ON c.grant_id = t.grant_id
     WHERE t.model = 'AccessToken' AND t.id = ? AND t.expires_at > ?`,
    recordId('AccessToken', token),
    epochSeconds(),
  );
  if (row === undefined) return undefined;
  return {
    accountId: row.integer('account_id'),
    clientId: row.text('client_id'),
    connectionId: row.text('grant_id'),
    audience: row.textOrNull('audience') ?? '',
    scopes: new Set((row.textOrNull('scope') ?? '').split(' ').filter((scope) => scope !== '')),
    lastUsedAt: row.textOrNull('last_used_at'),
  };
}

/**
 * Lets access tokens expire now: those of a connection, or all. Their refresh tokens live on, as they do when
 * time passes. For tests of what comes after.
 * @returns how many ended.
 */
export function expireAccessTokens(database: Database, connectionId?: string): number {
  const now = epochSeconds();
  const living = "model = 'AccessToken' AND expires_at > ?";
  const end = `UPDATE oauth_records SET expires_at = ?, payload = json_set(payload, '$.exp', ?) WHERE ${living}`;
  return connectionId === undefined
    ? database.run(end, now, now, now)
    : database.run(`${end} AND grant_id = ?`, now, now, now, connectionId);
}
