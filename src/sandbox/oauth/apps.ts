import { randomBytes } from 'node:crypto';
import type { Row, Store } from '../store.ts';
import { fingerprint } from './connection.ts';
import { allScopes, isScope, knownScopes, type Scope } from './scopes.ts';

/** What a person registers (Authentication 3 to 5). */
export interface Registration {
  readonly name: string;
  /** As it was typed: it is compared letter by letter. */
  readonly redirectUri: string;
  /** Public: no secret, `client_id` in the form. Confidential: HTTP Basic. */
  readonly type: 'public' | 'confidential';
  readonly scopes: readonly Scope[];
}

export interface App extends Registration {
  readonly clientId: string;
  /** The account that registered it; null for the catalogue's own app. */
  readonly ownerId: number | null;
  /** Of a confidential app. */
  readonly secretHash: string | null;
}

/** The app that every embedded catalogue has from the start, without registration. */
export const ownApp: App = {
  clientId: 'artwork-mcp',
  name: 'artwork-mcp',
  redirectUri: 'http://127.0.0.1:43917/callback',
  type: 'public',
  scopes: allScopes,
  ownerId: null,
  secretHash: null,
};

/**
 * Whether an app may be answered at a callback: at the registered one alone, with port and query (Authentication 5).
 * The catalogue's own app runs beside it, where another program may hold the port: any port does (RFC 8252, 7.3).
 */
export function isCallbackOf(
  { clientId, redirectUri }: Pick<App, 'clientId' | 'redirectUri'>,
  given: string,
) {
  if (given === redirectUri) return true;
  const at = URL.canParse(given) ? new URL(given) : null;
  if (clientId !== ownApp.clientId || at?.href !== given || at.port === '') return false;
  at.port = new URL(redirectUri).port;
  return at.href === redirectUri;
}

/** Registers an app that was checked. The secret is not stored, and is answered only here. */
export function registerApp(store: Store, ownerId: number, registration: Registration, createdAt: string) {
  const { name, redirectUri, type, scopes } = registration;
  const clientId = `app_${randomBytes(12).toString('hex')}`;
  const clientSecret = type === 'confidential' ? randomBytes(32).toString('base64url') : null;
  const secretHash = clientSecret === null ? null : fingerprint(clientSecret);
  const row = { clientId, ownerId, name, redirectUri, type, scopes: scopes.join(' ') };
  store.insert('apps', { ...row, secret: secretHash, createdAt });
  return { app: { ...registration, clientId, ownerId, secretHash }, clientSecret };
}

export function findApp(store: Store, clientId: string): App | undefined {
  if (clientId === ownApp.clientId) return ownApp;
  const row = store.first('SELECT * FROM apps WHERE client_id = ?', clientId);
  return row && read(row);
}

/** The apps that an account registered, the newest first. */
export function appsOf(store: Store, ownerId: number): App[] {
  return store.all('SELECT * FROM apps WHERE owner_id = ? ORDER BY created_at DESC', ownerId).map(read);
}

/** Removes an app and ends all its connections, of all accounts. */
export function removeApp(store: Store, clientId: string): void {
  store.transaction(() => {
    store.run('DELETE FROM oauth_records WHERE client_id = ?', clientId);
    store.run('DELETE FROM apps WHERE client_id = ?', clientId);
  });
}

function read(row: Row): App {
  return {
    clientId: row.text('client_id'),
    ownerId: row.integer('owner_id'),
    name: row.text('name'),
    redirectUri: row.text('redirect_uri'),
    type: row.text('type') === 'public' ? 'public' : 'confidential',
    scopes: knownScopes(row.text('scopes')),
    secretHash: row.textOrNull('secret'),
  };
}

/** A registration as it was typed. */
export interface Written {
  readonly name: string;
  readonly redirectUri: string;
  readonly type: string;
  readonly scopes: readonly string[];
}

/** @returns what is wrong with it as sentences that say what to do, where something is */
export function checkRegistration(written: Written): Registration | { readonly problems: string[] } {
  const name = written.name.normalize('NFC').trim();
  const redirectUri = written.redirectUri.trim();
  const type = written.type === 'public' ? 'public' : 'confidential';
  const scopes = written.scopes.filter(isScope);
  const problems = [
    // Control characters and direction marks could make one name look like another.
    /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,60}$/u.test(name)
      ? null
      : 'Give the app a name of at most 60 letters, digits, spaces and punctuation marks.',
    isCallback(redirectUri, type)
      ? null
      : `Enter a complete https:// address; for a public app on this computer http:// will do. It has no user name, no # and none of the parameters ${reserved.join(', ')}.`,
    type === written.type ? null : 'Choose one of the two types.',
    scopes.length > 0 && scopes.length === written.scopes.length
      ? null
      : 'Choose at least one of these permissions.',
  ].filter((problem) => problem !== null);
  return problems.length > 0 ? { problems } : { name, redirectUri, type, scopes };
}

/** Parameters that an answer adds to the callback's query. */
const reserved = ['code', 'state', 'error', 'error_description', 'iss'];

/** Whether an app of this type may be registered with a callback (Authentication 5). */
function isCallback(written: string, type: Registration['type']): boolean {
  const isAddress = /^https?:\/\/[\x21-\x7e]{1,2000}$/i.test(written) && URL.canParse(written);
  if (!isAddress || written.includes('#')) return false;
  const { protocol, hostname, username, password, searchParams } = new URL(written);
  if (username !== '' || password !== '' || reserved.some((name) => searchParams.has(name))) return false;
  return (
    protocol === 'https:' || (type === 'public' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  );
}
