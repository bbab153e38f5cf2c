import { randomBytes } from 'node:crypto';
import type { Database, Row } from '../store/database.ts';
import { endConnection } from './connections.ts';
import { type AppType, ownApp, type Registration } from './registration.ts';
import { knownScopes, type Scope } from './scopes.ts';
import { fingerprint } from './storage.ts';

/** A registered app: an OAuth client (Authentication 3 and 4). */
export interface App extends Registration {
  readonly clientId: string;
  /** The account that registered it; null for the catalogue's own app. */
  readonly ownerId: number | null;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

export function registerOwnApp(database: Database): void {
  database.run(
    `INSERT INTO oauth_clients (id, name, redirect_uri, type, scopes, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET name = excluded.name, redirect_uri = excluded.redirect_uri, scopes = excluded.scopes`,
    ownApp.clientId,
    ownApp.name,
    ownApp.redirectUri,
    ownApp.type,
    ownApp.scopes.join(' '),
    new Date().toISOString(),
  );
}

/** The result of a registration. The secret is not stored, and is returned only here. */
export interface IssuedApp {
  readonly app: App;
  /** Null for a public client. */
  readonly clientSecret: string | null;
}

/** Registers an app; `checkRegistration` has checked its values. */
export function registerApp(database: Database, ownerId: number, registration: Registration): IssuedApp {
  const clientId = `app_${randomBytes(12).toString('hex')}`;
  const clientSecret = registration.type === 'confidential' ? randomBytes(32).toString('base64url') : null;
  const createdAt = new Date().toISOString();
  database.run(
    `INSERT INTO oauth_clients (id, owner_id, name, redirect_uri, type, scopes, secret_hash, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    clientId,
    ownerId,
    registration.name,
    registration.redirectUri,
    registration.type,
    registration.scopes.join(' '),
    clientSecret === null ? null : fingerprint(clientSecret),
    createdAt,
  );
  return { app: { ...registration, clientId, ownerId, createdAt }, clientSecret };
}

const columns = 'id, owner_id, name, redirect_uri, type, scopes, created_at';

export function findApp(database: Database, clientId: string): App | undefined {
  const row = database.first(`SELECT ${columns} FROM oauth_clients WHERE id = ?`, clientId);
  return row === undefined ? undefined : read(row);
}

/** The apps that an account registered, the newest first. */
export function appsOf(database: Database, ownerId: number): App[] {
  return database
    .all(`SELECT ${columns} FROM oauth_clients WHERE owner_id = ? ORDER BY created_at DESC, id`, ownerId)
    .map(read);
}

/** Null for a public client and for an unknown one. */
export function secretFingerprint(database: Database, clientId: string): string | null {
  return (
    database
      .first('SELECT secret_hash FROM oauth_clients WHERE id = ?', clientId)
      ?.textOrNull('secret_hash') ?? null
  );
}

/** Removes an app and ends all its connections, of all accounts. */
export function removeApp(database: Database, clientId: string): void {
  database.transaction(() => {
    const grants = database.all(
      "SELECT id FROM oauth_records WHERE model = 'Grant' AND json_extract(payload, '$.clientId') = ?",
      clientId,
    );
    for (const grant of grants) endConnection(database, grant.text('id'));
    database.run('DELETE FROM oauth_clients WHERE id = ?', clientId);
  });
}

function read(row: Row): App {
  return {
    clientId: row.text('id'),
    ownerId: row.integerOrNull('owner_id'),
    name: row.text('name'),
    redirectUri: row.text('redirect_uri'),
    type: appType(row.text('type')),
    scopes: knownScopes(row.text('scopes')) satisfies Scope[],
    createdAt: row.text('created_at'),
  };
}

function appType(type: string): AppType {
  if (type !== 'public' && type !== 'confidential') throw new Error(`"${type}" is no type of app.`);
  return type;
}
