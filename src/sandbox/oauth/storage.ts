import { createHash } from 'node:crypto';
import type { Database } from '../store/database.ts';

/**
 * Everything that must survive a restart: sessions, interactions, codes, tokens and grants (one table, as
 * oidc-provider models them), the registered apps, the connections, the keys.
 *
 * oauth_records.expires_at and consumed_at are seconds since 1970, as oidc-provider counts; every other time
 * is ISO 8601 UTC. A connection has the id of its grant.
 */
const tables = `
CREATE TABLE IF NOT EXISTS oauth_keys (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS oauth_clients (
  id TEXT PRIMARY KEY,
  owner_id INTEGER,
  name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('public', 'confidential')),
  scopes TEXT NOT NULL,
  secret_hash TEXT,
  created_at TEXT NOT NULL,
  CHECK ((type = 'confidential') = (secret_hash IS NOT NULL))
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS oauth_clients_of_owner ON oauth_clients (owner_id, created_at);

CREATE TABLE IF NOT EXISTS oauth_records (
  model TEXT NOT NULL,
  id TEXT NOT NULL,
  payload TEXT NOT NULL,
  grant_id TEXT,
  uid TEXT,
  consumed_at INTEGER,
  expires_at INTEGER,
  PRIMARY KEY (model, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS oauth_records_of_grant ON oauth_records (grant_id, model) WHERE grant_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS oauth_records_by_uid ON oauth_records (uid) WHERE uid IS NOT NULL;
CREATE INDEX IF NOT EXISTS oauth_records_by_end ON oauth_records (expires_at);

CREATE TABLE IF NOT EXISTS oauth_connections (
  grant_id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS oauth_connections_of_account ON oauth_connections (account_id, created_at);
`;

/** Creates the tables of the authorization server when they are missing. */
export function createAuthorizationTables(database: Database): void {
  database.execute(tables);
}

/**
 * Stored instead of a token, a code or a client secret. These are random and long, so a plain SHA-256 can't
 * be reversed, and a stolen database is of no use.
 */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Seconds since 1970, rounded down: how oidc-provider counts. */
export function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The database stores fingerprints of these ids: the id itself is the credential. */
const bearerModels: ReadonlySet<string> = new Set(['AccessToken', 'RefreshToken', 'AuthorizationCode']);

/** The id under which a record of oidc-provider is stored. */
export function recordId(model: string, id: string): string {
  return bearerModels.has(model) ? fingerprint(id) : id;
}
