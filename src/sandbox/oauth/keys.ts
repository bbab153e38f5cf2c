import { createHmac, generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'oidc-provider';
import type { Database } from '../store/database.ts';

/** What a data folder signs with. Drawn once; whoever can read the folder (mode 0700) can read them. */
export interface Keys {
  /** RSA key that signs id_tokens: RS256 is what a client may count on (OpenID Connect Core, 15.1). */
  readonly signing: JWK;
  readonly cookies: string;
  /** HMAC-SHA256 in base64url, for the tokens in our forms. */
  formToken(facts: readonly string[]): string;
  /**
   * Part of our cookies' names. Cookies don't keep ports apart, so two catalogues on one machine would
   * overwrite each other's.
   */
  readonly mark: string;
}

/** The keys of a data folder, drawn when they are missing. */
export async function settleKeys(database: Database): Promise<Keys> {
  const cookies = settle(database, 'cookies', randomBytes(32).toString('base64url'));
  const forms = settle(database, 'forms', randomBytes(32).toString('base64url'));
  const mark = settle(database, 'mark', randomBytes(4).toString('hex'));
  const stored =
    find(database, 'signing') ?? settle(database, 'signing', JSON.stringify(await drawSigningKey()));
  const signing: JWK = JSON.parse(stored);
  return {
    signing,
    cookies,
    mark,
    formToken: (facts) => createHmac('sha256', forms).update(JSON.stringify(facts)).digest('base64url'),
  };
}

async function drawSigningKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' });
  return { ...jwk, kid: randomBytes(8).toString('base64url'), alg: 'RS256', use: 'sig' };
}

function find(database: Database, name: string): string | undefined {
  return database.first('SELECT value FROM oauth_keys WHERE name = ?', name)?.text('value');
}

/** Stores the value unless there is one already, and answers the one that is stored. */
function settle(database: Database, name: string, fresh: string): string {
  database.run('INSERT INTO oauth_keys (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, fresh);
  const stored = find(database, name);
  if (stored === undefined) throw new Error(`The key "${name}" was stored and is gone.`);
  return stored;
}
