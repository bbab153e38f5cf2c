import type { Database, Row } from '../store/database.ts';
import { knownScopes, type Scope } from './scopes.ts';
import { epochSeconds, recordId } from './storage.ts';

/** The result of one consent: an app acts for one account until the person disconnects it. */
export interface Connection {
  readonly id: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly appName: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** ISO 8601 UTC; null until the first protected call. */
  readonly lastUsedAt: string | null;
}

/** Stores the connection at the first exchange of a consent's code. */
export function beginConnection(
  database: Database,
  connection: { id: string; accountId: number; clientId: string; scopes: readonly Scope[] },
): void {
  database.run(
    `INSERT INTO oauth_connections (grant_id, account_id, client_id, scopes, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    connection.id,
    connection.accountId,
    connection.clientId,
    connection.scopes.join(' '),
    new Date().toISOString(),
  );
}

/** The working connections of an account, the newest first (Authentication 12). */
export function connectionsOf(database: Database, accountId: number): Connection[] {
  return database
    .all(`${livingConnections} AND c.account_id = ? ORDER BY c.created_at DESC`, epochSeconds(), accountId)
    .map(readConnection);
}

/** A working connection. */
export function findConnection(database: Database, id: string): Connection | undefined {
  const row = database.first(`${livingConnections} AND c.grant_id = ?`, epochSeconds(), id);
  return row === undefined ? undefined : readConnection(row);
}

// A connection works as long as one of its tokens does.
const livingConnections = `
  SELECT c.grant_id, c.account_id, c.client_id, c.scopes, c.created_at, c.last_used_at, a.name
  FROM oauth_connections AS c JOIN oauth_clients AS a ON a.id = c.client_id
  WHERE EXISTS (SELECT 1 FROM oauth_records AS r WHERE r.grant_id = c.grant_id AND r.consumed_at IS NULL
      AND r.model IN ('AccessToken', 'RefreshToken') AND r.expires_at > ?)
    AND EXISTS (SELECT 1 FROM oauth_records AS g WHERE g.model = 'Grant' AND g.id = c.grant_id)`;

function readConnection(row: Row): Connection {
  return {
    id: row.text('grant_id'),
    accountId: row.integer('account_id'),
    clientId: row.text('client_id'),
    appName: row.text('name'),
    scopes: knownScopes(row.text('scopes')),
    createdAt: row.text('created_at'),
    lastUsedAt: row.textOrNull('last_used_at'),
  };
}

/** Stores that the app has just made a protected call, once a second at most. */
export function recordUse(database: Database, id: string, previous: string | null): void {
  const now = new Date().toISOString();
  if (previous?.slice(0, 19) === now.slice(0, 19)) return;
  database.run('UPDATE oauth_connections SET last_used_at = ? WHERE grant_id = ?', now, id);
}

/**
 * Ends a connection: its grant and all its codes and tokens are deleted. The account's session and its
 * artwork stay (Authentication 10 and 12). Does nothing for a connection that has ended.
 */
export function endConnection(database: Database, id: string): void {
  database.transaction(() => {
    database.run('DELETE FROM oauth_records WHERE grant_id = ?', id);
    database.run("DELETE FROM oauth_records WHERE model = 'Grant' AND id = ?", id);
    database.run('DELETE FROM oauth_connections WHERE grant_id = ?', id);
  });
}

/** What a valid access token says. */
interface AccessToken {
  readonly accountId: number;
  readonly clientId: string;
  readonly connectionId: string;
  readonly audience: string;
  readonly scopes: ReadonlySet<string>;
  /** Last use of its connection; ISO 8601 UTC, null before the first. */
  readonly lastUsedAt: string | null;
}

/** The token, unless it has expired or its connection has ended. */
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
 * Expires access tokens now: those of a connection, or all. Their refresh tokens stay valid. For tests.
 * @returns how many expired.
 */
export function expireAccessTokens(database: Database, connectionId?: string): number {
  const now = epochSeconds();
  const living = "model = 'AccessToken' AND expires_at > ?";
  const end = `UPDATE oauth_records SET expires_at = ?, payload = json_set(payload, '$.exp', ?) WHERE ${living}`;
  return connectionId === undefined
    ? database.run(end, now, now, now)
    : database.run(`${end} AND grant_id = ?`, now, now, now, connectionId);
}

/**
 * Deletes expired records, then grants and connections without records. A used refresh token stays until it
 * expires, so that a second use is recognised.
 */
export function deleteExpired(database: Database): void {
  const now = epochSeconds();
  database.transaction(() => {
    database.run('DELETE FROM oauth_records WHERE expires_at <= ?', now);
    // A new consent has no code for a moment.
    database.run(
      `DELETE FROM oauth_records WHERE model = 'Grant' AND json_extract(payload, '$.iat') < ? AND NOT EXISTS
         (SELECT 1 FROM oauth_records AS held WHERE held.grant_id = oauth_records.id)`,
      now - 3600,
    );
    database.run(
      `DELETE FROM oauth_connections WHERE NOT EXISTS
         (SELECT 1 FROM oauth_records WHERE model = 'Grant' AND id = oauth_connections.grant_id)`,
    );
  });
}
