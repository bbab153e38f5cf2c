import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { openStore, type SharedStore, type Store } from '../../src/store/open.ts';

/**
 * The engine that the suites run on: SQLite, or PostgreSQL where `ARTWORK_TEST_STORE` has the URL of a server's
 * administrator. `test/support/run-folder.ts` starts one for `ARTWORK_TEST_STORE=postgres`.
 */
const engine = process.env.ARTWORK_TEST_STORE ?? null;

/** Whether that is PostgreSQL. */
export const isOnPostgres = engine !== null;

/** What a data folder's storage is opened with: on PostgreSQL each folder has a database of its own. */
export async function sharedStoreOf(home: string, server: string): Promise<SharedStore> {
  const name = `home_${createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 20)}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } catch (error) {
    // Another process of the test has made it.
    const code = error instanceof pg.DatabaseError ? error.code : null;
    if (code !== '42P04' && code !== '23505') throw error;
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: () => url.href, keyFile: keyFileFor(home) };
}

/** The settings of a server on this data folder. */
export async function storeSettingsOf(home: string): Promise<Record<string, string>> {
  const shared = engine === null ? null : await sharedStoreOf(home, engine);
  return shared === null ? {} : { ARTWORK_STORE: shared.url(), ARTWORK_STORE_KEY_FILE: shared.keyFile };
}

/** The store that a test names to a process of its own. */
function namedStore(): SharedStore | null {
  const { ARTWORK_TEST_URL: url, ARTWORK_TEST_KEY: keyFile } = process.env;
  return url === undefined || keyFile === undefined ? null : { url: () => url, keyFile };
}

/** A key that lies beside the data, as one that a person has made. */
export function keyFileFor(home: string): string {
  const file = path.join(home, 'shared-key');
  if (!existsSync(file)) {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${Buffer.alloc(32, 'k').toString('base64')}\n`, { mode: 0o600 });
  }
  return file;
}

/** The store of a data folder, on the engine that the suites run on, or on this server. */
export async function openTestStore(home: string, server: string | null = engine): Promise<Store> {
  const shared = namedStore() ?? (server === null ? null : await sharedStoreOf(home, server));
  return openStore({ home, keyring: null, shared });
}
