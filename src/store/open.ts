import path from 'node:path';
import { lostStoreError } from './errors.ts';
import {
  createPrivateFile,
  makeFilePrivate,
  placePrivateFile,
  prepareHome,
  readPrivateFile,
  storeFile,
} from './home.ts';
import { createKeyHolder, type KeyHolder } from './key.ts';
import { type Keyring, systemKeyring } from './keyring.ts';
import { createMarks, type Marks } from './kv.ts';
import { Database, libsqlSql, sqliteDialect } from './libsql.ts';
import { type Dialect, hasTables, makeTables, requireStore } from './schema.ts';
import { createSeal, type Seal } from './seal.ts';
import type { Sql } from './sql.ts';

interface StoreOptions {
  /** Absolute path of the data directory. */
  readonly home: string;
  /** Default: the operating system's. null: none, and a new key goes into a file. */
  readonly keyring?: Keyring | null;
  /** Checks the whole structure of the store, which is only done for a small one otherwise. */
  readonly wholly?: boolean | undefined;
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
  /** Where the sealing key is kept; null while nothing was ever sealed. Asks no keyring. */
  readonly keyLocation: KeyHolder['location'];
  /**
   * Draws a new key, only on a person's word that the old one is lost. What the old one sealed can't be opened any more;
   * everything else in the store stays.
   */
  readonly replaceKey: KeyHolder['replace'];
  /** Every later use is `store_closed`. */
  close(): void;
}

/** A database that is open, and not known to be ours. */
interface Engine extends Pick<Store, 'place' | 'sql' | 'close'> {
  readonly dialect: Dialect;
  /** Refuses what can't be relied on. */
  check(): Promise<void>;
}

/**
 * Opens the data directory, or makes it at the first start. The key and the keyring are not used before something is
 * sealed or opened.
 *
 * A note in the data directory has the store's id from the first start on. Without it an emptied or lost store would
 * look like a first start, and what was sent would be forgotten.
 * @throws home_not_private, store_unreadable, store_other_schema, store_unsupported, store_busy, store_full,
 * store_refused, store.unreachable
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { home, keyring = systemKeyring(), shared = null, wholly = false } = options;
  await prepareHome(home);
  const note = path.join(home, shared === null ? 'store.json' : 'store.shared.json');
  // Read first: a first start of another process writes it last, and is not mistaken for a loss.
  const noted = await readPrivateFile(note);
  const { dialect, check, ...engine } =
    shared === null ? await openFile(home, noted === null, wholly) : await openShared(shared);
  try {
    await check();
    if (!(await hasTables(engine.sql, dialect))) {
      if (noted !== null) throw lostStoreError(note, 'names a store that holds nothing now');
      await makeTables(engine.sql, dialect);
    }
    const id = await requireStore(engine.sql, engine.place);
    const known = `${JSON.stringify({ store: id })}\n`;
    if (noted === null) await placePrivateFile(note, known);
    else if (noted !== known) throw lostStoreError(note, 'names another store');
    const marks = createMarks(engine.sql);
    const keys = createKeyHolder(marks, { home, keyring, shared: shared?.keyFile ?? null });
    return {
      ...engine,
      id,
      marks,
      seal: createSeal(keys.key),
      keyLocation: keys.location,
      replaceKey: keys.replace,
    };
  } catch (error) {
    engine.close();
    throw error;
  }
}

/** Checking the structure of so much takes no time that a person notices. Bytes. */
const small = 16 * 1024 * 1024;

async function openFile(home: string, isFirst: boolean, wholly: boolean): Promise<Engine> {
  const file = storeFile(home);
  const size = await makeFilePrivate(file);
  // Before SQLite opens it, which would take away a log without its file.
  if (!isFirst && (size ?? 0) === 0) throw lostStoreError(file, 'is gone or empty');
  if (size === null) await createPrivateFile(file, '');
  const database = await Database.connect(file);
  return {
    place: `${home}, private to this user`,
    sql: libsqlSql(database),
    dialect: sqliteDialect,
    async check() {
      if (!wholly && (size ?? 0) > small) return;
      // A damaged index would be noticed when a key is not found, and a claim that is not found can be made twice.
      const checked = "SELECT integrity_check = 'ok' AS is_whole FROM pragma_integrity_check(1)";
      const [row] = await database.rows(checked, []);
      if (row?.is_whole !== 1) throw lostStoreError(file, 'is damaged');
    },
    close: database.close,
  };
}

/** Its program is loaded for such a store alone. */
async function openShared({ url }: SharedStore): Promise<Engine> {
  const { connectPostgres, postgresDialect, requireFitServer } = await import('./postgres.ts');
  const address = url();
  const database = connectPostgres(address);
  const isSecret = new URL(address).searchParams.get('sslmode') === 'verify-full';
  return {
    place: `PostgreSQL at ${database.place}${isSecret ? '' : ', without TLS'}, shared`,
    sql: database,
    dialect: postgresDialect,
    check: () => requireFitServer(database),
    close: database.close,
  };
}
