import path from 'node:path';
import { damagedStoreError, lostStoreError, storeReplaced } from './errors.ts';
import {
  createPrivateFile,
  makeFilePrivate,
  placePrivateFile,
  prepareHome,
  readPrivateFile,
  storeFile,
} from './home.ts';
import {
  createKeyHolder,
  type KeyHolder,
  type Keyring,
  machineKeys,
  sharedKey,
  systemKeyring,
} from './keys.ts';
import { createMarks, type Marks } from './kv.ts';
import { Database, libsqlSql } from './libsql.ts';
import { makePostgresTables, makeSqliteTables, requireStore } from './schema.ts';
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

interface Engine extends Pick<Store, 'id' | 'place' | 'sql' | 'close'> {}

/**
 * Opens the data directory, or makes it at the first start. The key and the keyring are not used before something is
 * sealed or opened.
 * @throws home_not_private, store_unreadable, store_other_schema, store_unsupported, store_busy, store_full,
 * store_refused, store_replaced, store.unreachable
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { home, keyring = systemKeyring(), shared = null, wholly = false } = options;
  await prepareHome(home);
  const engine = shared === null ? await openFile(home, wholly) : await openShared(shared, home);
  const marks = createMarks(engine.sql);
  const keys = createKeyHolder(
    marks,
    shared === null ? machineKeys(home, keyring) : sharedKey(shared.keyFile),
  );
  return {
    ...engine,
    marks,
    seal: createSeal(keys.key),
    keyLocation: keys.location,
    replaceKey: keys.replace,
  };
}

/** Up to this size checking the whole structure takes no time that a person notices. Bytes. */
const small = 16 * 1024 * 1024;

/**
 * Opens `store.db` in the data directory, or makes it at the first start. `store.json` beside it names the store's id
 * from then on: without it an emptied or lost file would look like a first start, and what was sent would be forgotten.
 */
async function openFile(home: string, wholly: boolean): Promise<Engine> {
  const file = storeFile(home);
  const mark = path.join(home, 'store.json');
  // A first start makes the file, then its log, then the mark. They are checked in the opposite order, so that the first
  // start of another process is not mistaken for a loss.
  const expected = await readPrivateFile(mark);
  await makeFilePrivate(`${file}-shm`);
  const log = await makeFilePrivate(`${file}-wal`);
  const size = await makeFilePrivate(file);
  if (size === null && log !== null) throw lostStoreError(file, 'is gone, though its log is there');
  if (expected !== null && (size === null || size === 0)) {
    throw lostStoreError(
      file,
      `is ${size === null ? 'gone' : 'empty'}, though ${mark} says that it held a store`,
    );
  }
  if (size === null) await createPrivateFile(file, '');
  const database = await Database.connect(file, { isGuarded: true });
  try {
    if (wholly || (size ?? 0) <= small) await examineStructure(database);
    await makeSqliteTables(database, expected !== null);
    const id = await requireStore(libsqlSql(database), file);
    if (expected === null) await placePrivateFile(mark, noteOf(id));
    else if (expected !== noteOf(id)) throw lostStoreError(file, `is not the store that ${mark} names`);
    return {
      id,
      place: `${home}, private to this user`,
      sql: libsqlSql(database),
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What the data directory keeps of the store that belongs to it. */
function noteOf(id: string): string {
  return `${JSON.stringify({ store: id })}\n`;
}

/**
 * Takes a few ms per MiB. Without it a damaged index would be noticed when a key is not found, and a claim that is not
 * found can be made twice.
 */
async function examineStructure(database: Database): Promise<void> {
  const [row] = await database.rows(
    "SELECT integrity_check = 'ok' AS is_whole FROM pragma_integrity_check(1)",
    [],
  );
  if (row?.is_whole !== 1) throw damagedStoreError(database.file);
}

/**
 * Opens the store that several machines share, or makes it where the database is empty. The data folder notes its id: an
 * emptied database would look like a first start otherwise, and what was sent would be forgotten. Its program is loaded
 * for such a store alone.
 */
async function openShared({ url }: SharedStore, home: string): Promise<Engine> {
  const { connectPostgres } = await import('./postgres.ts');
  const address = url();
  const database = connectPostgres(address);
  const { place } = database;
  try {
    await makePostgresTables(database, place);
    const id = await requireStore(database, `The store at ${place}`);
    const mark = path.join(home, 'store.shared.json');
    const known = await readPrivateFile(mark);
    if (known === null) await placePrivateFile(mark, noteOf(id));
    else if (known !== noteOf(id)) throw storeReplaced(`${place}, which ${mark} names,`);
    const isSecret = new URL(address).searchParams.get('sslmode') === 'verify-full';
    return {
      id,
      place: `PostgreSQL at ${place}${isSecret ? '' : ', without TLS'}, shared`,
      sql: database,
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
