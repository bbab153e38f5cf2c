import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import { epochSeconds } from './clock.ts';
import { knownScopes, type Scope } from './scopes.ts';

/** What one consent made: an app that acts for one account until somebody ends it. */
export interface Connection {
  readonly id: string;
  readonly accountId: number;
  readonly clientId: string;
  readonly appName: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** ISO 8601 UTC; null while the app has made no protected call. */
  readonly lastUsedAt: string | null;
}

/** Remembers the connection that the first exchange of a consent's code has made. */
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

/** The connections of an account that still work, the newest first (Authentication 12). */
export function connectionsOf(database: Database, accountId: number): Connection[] {
  return database
    .all(`${select} AND c.account_id = ? ORDER BY c.created_at DESC`, epochSeconds(), accountId)
    .map(read);
}

/** A connection that still works. */
export function findConnection(database: Database, id: string): Connection | undefined {
  const row = database.first(`${select} AND c.grant_id = ?`, epochSeconds(), id);
  return row === undefined ? undefined : read(row);
}

// A connection works as long as one of its tokens does.
const select = `
  SELECT c.grant_id, c.account_id, c.client_id, c.scopes, c.created_at, c.last_used_at, a.name
  FROM oauth_connections AS c JOIN oauth_clients AS a ON a.id = c.client_id
  WHERE EXISTS (SELECT 1 FROM oauth_records AS r WHERE r.grant_id = c.grant_id AND r.consumed_at IS NULL
      AND r.model IN ('AccessToken', 'RefreshToken') AND r.expires_at > ?)
    AND EXISTS (SELECT 1 FROM oauth_records AS g WHERE g.model = 'Grant' AND g.id = c.grant_id)`;

function read(row: Row): Connection {
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

/** Remembers that the app has just made a protected call. Told once a second at most. */
export function noteUse(database: Database, id: string, previous: string | null): void {
  const now = new Date().toISOString();
  if (previous?.slice(0, 19) === now.slice(0, 19)) return;
  database.run('UPDATE oauth_connections SET last_used_at = ? WHERE grant_id = ?', now, id);
}

/**
 * Ends a connection: its grant and every code and token under it are gone. The account's session and its
 * artwork stay (Authentication 10 and 12). Harmless when it has ended already.
 */
export function endConnection(database: Database, id: string): void {
  database.transaction(() => {
    database.run('DELETE FROM oauth_records WHERE grant_id = ?', id);
    database.run("DELETE FROM oauth_records WHERE model = 'Grant' AND id = ?", id);
    database.run('DELETE FROM oauth_connections WHERE grant_id = ?', id);
  });
}
