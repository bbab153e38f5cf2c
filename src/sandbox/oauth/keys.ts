import { createHmac, generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'oidc-provider';
import type { Database } from '../store/database.ts';

/** The signing keys of a data folder, drawn once. A reader of the folder (mode 0700) can read them. */
export interface Keys {
  /** RSA key that signs id_tokens: clients can rely on RS256 (OpenID Connect Core, 15.1). */
  readonly signing: JWK;
  readonly cookies: string;
  /** HMAC-SHA256 in base64url, for form tokens. */
  formToken(facts: readonly string[]): string;
  /**
   * What a page's address needs beside the cookie of its session. Cookies ignore ports, so every other server of this
   * machine that the browser visits gets the cookie; without this it is worth nothing there.
   */
  pageKey(sessionUid: string): string;
  /**
   * Part of our cookies' names. Cookies ignore ports, so two catalogues on one machine would overwrite each
   * other's.
   */
  readonly cookieSuffix: string;
}

/** The keys of a data folder; missing ones are drawn. */
export async function ensureKeys(database: Database): Promise<Keys> {
  const cookies = ensureKey(database, 'cookies', randomBytes(32).toString('base64url'));
  const forms = ensureKey(database, 'forms', randomBytes(32).toString('base64url'));
  const mark = ensureKey(database, 'mark', randomBytes(4).toString('hex'));
  const stored =
    findKey(database, 'signing') ?? ensureKey(database, 'signing', JSON.stringify(await drawSigningKey()));
  const signing: JWK = JSON.parse(stored);
  const digest = (facts: object) =>
    createHmac('sha256', forms).update(JSON.stringify(facts)).digest('base64url');
  return {
    signing,
    cookies,
    cookieSuffix: mark,
    formToken: (facts) => digest(facts),
    pageKey: (sessionUid) => digest({ page: sessionUid }),
  };
}

async function drawSigningKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' });
  return { ...jwk, kid: randomBytes(8).toString('base64url'), alg: 'RS256', use: 'sig' };
}

function findKey(database: Database, name: string): string | undefined {
  return database.first('SELECT value FROM oauth_keys WHERE name = ?', name)?.text('value');
}

/** Stores the value unless there is one, and returns the stored one. */
function ensureKey(database: Database, name: string, fresh: string): string {
  database.run('INSERT INTO oauth_keys (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, fresh);
  const stored = findKey(database, name);
  if (stored === undefined) throw new Error(`The key "${name}" was stored and is gone.`);
  return stored;
}
