import path from 'node:path';
import { replaceFile } from './draft.ts';
import { lostStoreError } from './errors.ts';
import { createPrivateFile, makeFilePrivate, prepareHome, readPrivateFile, storeFile, told } from './home.ts';
import { type Keyring, systemKeyring } from './keyring.ts';
import { createMarks, type Marks } from './kv.ts';
import { Database, libsqlSql, sqliteDialect } from './libsql.ts';
import { makeTables, requireStore } from './schema.ts';
import { createSeal, type Seal } from './seal.ts';
import type { Sql } from './sql.ts';

interface StoreOptions {
  /** Absolute path of the data directory. */
  readonly home: string;
  /** Default: the operating system's. null: none, and a new key goes into a file. */
  readonly keyring?: Keyring | null;
  /** Default: the store is a file in the data directory. */
  readonly shared?: SharedStore | null;
}

/** A store that several machines share. */
export interface SharedStore {
  /** With its password. @throws SettingsError */
  url(): string;
  /** Absolute path of the file with the sealing key, which the machines share too. */
  readonly keyFile: string;
}

/** Everything that is kept between two runs. Errors: `StoreErrorCode`. */
export interface Store {
  /** Drawn when the tables were made. */
  readonly id: string;
  /** Where everything lies, for people, without a secret. */
  readonly place: string;
  readonly sql: Sql;
  /** Small records that several processes change. */
  readonly marks: Marks;
  readonly seal: Seal;
  /** Every later use is `store_closed`. */
  close(): void;
}

/**
 * Opens the data directory, or makes it at the first start. The key and the keyring are not used before something is
 * sealed or opened.
 *
 * A note in the data directory has the store's id from the first start on. Without it an emptied or lost store would
 * look like a first start, and what was sent would be forgotten.
 * @throws home_not_private, store_unreadable, store_other_schema, store_unsupported, store_busy, store_full,
 * store.unreachable
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { home, keyring = systemKeyring(), shared = null } = options;
  await prepareHome(home);
  const note = path.join(home, shared === null ? 'store.json' : 'store.shared.json');
  // Read first: a first start of another process writes it last, and is not mistaken for a loss.
  const noted = await readPrivateFile(note);
  const { dialect, ...engine } =
    shared === null ? await openFile(home, noted === null) : await openShared(shared);
  try {
    if (noted === null) await makeTables(engine.sql, dialect);
    const id = await requireStore(engine.sql, engine.place);
    const known = `${JSON.stringify({ store: id })}\n`;
    if (noted === null) await told(note, () => replaceFile(note, known));
    else if (noted !== known) throw lostStoreError(note, 'names another store');
    const marks = createMarks(engine.sql);
    const seal = createSeal(marks, { home, keyring, shared: shared?.keyFile ?? null });
    return { ...engine, id, marks, seal };
  } catch (error) {
    engine.close();
    throw error;
  }
}

/** Opens a database that is not known to be ours. */
async function openFile(home: string, isFirst: boolean) {
  const file = storeFile(home);
  const size = await makeFilePrivate(file);
  // Before SQLite opens it, which would take away a log without its file.
  if (!isFirst && (size ?? 0) === 0) throw lostStoreError(file, 'is gone or empty');
  if (size === null) await createPrivateFile(file, '');
  const database = await Database.connect(file);
  const place = `${home}, private to this user`;
  return { place, sql: libsqlSql(database), dialect: sqliteDialect, close: database.close };
}

/** Its program is loaded for such a store alone. */
async function openShared({ url }: SharedStore) {
  const { connectPostgres, postgresDialect } = await import('./postgres.ts');
  const address = url();
  const database = connectPostgres(address);
  const isSecret = new URL(address).searchParams.get('sslmode') === 'verify-full';
  const place = `PostgreSQL at ${database.place}${isSecret ? '' : ', without TLS'}, shared`;
  return { place, sql: database, dialect: postgresDialect, close: database.close };
}
