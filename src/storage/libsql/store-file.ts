import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type Libsql from 'libsql';
import { createPrivateFile, makeFilePrivate, placePrivateFile, readPrivateFile } from '../home.ts';
import { damagedStoreError, storeError } from '../store-error.ts';
import { type ConnectOptions, Database, readIntegerColumn, readTextColumn } from './database.ts';

/** Whether there is a store: without one no account was ever connected here. @throws as `openStoreFile` */
export async function hasStoreFile(home: string): Promise<boolean> {
  return (await makeFilePrivate(markIn(home))) !== null;
}

function markIn(home: string): string {
  return path.join(home, 'store.json');
}

export interface StoreFileOptions extends ConnectOptions {
  /** Default: the program's migrations; a test has a longer list. */
  readonly steps?: readonly string[] | undefined;
  /** Checks the whole structure, however recently that was done. Default: as `isDue` decides. */
  readonly wholly?: boolean | undefined;
}

/**
 * Opens `store.db` in the data directory, or makes it at the first start. `store.json` beside it names the store's id
 * from then on: without it an emptied or lost file would look like a first start, and what was sent would be forgotten.
 * @throws store_unreadable, store_newer, store_unsupported, store_busy, store_full, home_not_private
 */
export async function openStoreFile(home: string, options: StoreFileOptions = {}): Promise<Database> {
  const file = path.join(home, 'store.db');
  const mark = markIn(home);
  // A first start makes the file, then its log, then the mark. They are checked in the opposite order, so that the first
  // start of another process is not mistaken for a loss.
  const expected = await readMark(mark);
  await makeFilePrivate(`${file}-shm`);
  const log = await makeFilePrivate(`${file}-wal`);
  const size = await makeFilePrivate(file);
  if (expected !== null && (size === null || size === 0)) {
    throw storeError(
      'store_unreadable',
      `${file} is ${size === null ? 'gone' : 'empty'}, though ${mark} says that it held a store: restore the whole folder from a backup; or move the folder away to begin anew, which forgets the sign-in and what was sent.`,
    );
  }
  if (size === null) {
    if (log !== null) {
      throw storeError(
        'store_unreadable',
        `${file}-wal is there, but ${file} is not: restore both from a backup, or move the folder away to begin anew.`,
      );
    }
    await createPrivateFile(file, '');
  }
  const database = await Database.connect(file, options);
  try {
    await requireAllPages(database);
    const examined = options.wholly === true || (await isDue(database, size ?? 0));
    if (examined) await examineStructure(database);
    const id = await migrateStore(database, { mustExist: expected !== null, steps: options.steps });
    if (examined && (size ?? 0) > small) await noteExamined(database);
    if (expected === null) await placePrivateFile(mark, `${JSON.stringify({ store: id })}\n`);
    else if (expected !== id) {
      throw storeError(
        'store_unreadable',
        `${file} is not the store that ${mark} names: restore the whole folder from one backup.`,
      );
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Up to this size checking the whole structure takes no time that a person notices. Bytes. */
const small = 16 * 1024 * 1024;
/** A server checks the structure when it starts, so damage that comes later is found at a later start. ms */
const examinedFor = 24 * 60 * 60_000;

/** Whether the whole structure has to be checked: that of a large file once a day. */
async function isDue(database: Database, size: number): Promise<boolean> {
  if (size <= small) return true;
  const table = await database.row("SELECT 1 AS found FROM sqlite_schema WHERE name = 'meta'", []);
  if (table === null) return true;
  const row = await database.row('SELECT value FROM meta WHERE name = ?', ['examined']);
  const age = row === null ? Number.NaN : Date.now() - Number(readTextColumn(row, 'value'));
  return !(age >= 0 && age < examinedFor);
}

async function noteExamined(database: Database): Promise<void> {
  const now = String(Date.now());
  await database.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', ['examined', now]);
}

/**
 * Takes a few ms per MiB. Without it a damaged index would be noticed when a key is not found, and a claim that is not
 * found can be made twice.
 */
async function examineStructure(database: Database): Promise<void> {
  const row = await database.row(
    `SELECT CAST(integrity_check AS BLOB) AS verdict FROM pragma_integrity_check(1)`,
    [],
  );
  if (row === null || readTextColumn(row, 'verdict') !== 'ok') {
    throw damagedStoreError(database.file);
  }
}

/** A file that was cut off is shorter than its header says. That can be told only while its log is empty. */
async function requireAllPages(database: Database): Promise<void> {
  const row = await database.row(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
    [],
  );
  const size = await makeFilePrivate(database.file);
  const log = await makeFilePrivate(`${database.file}-wal`);
  if (log !== null && log > 0) return;
  if (row === null || size === null || size < readIntegerColumn(row, 'bytes'))
    throw damagedStoreError(database.file);
}

async function readMark(mark: string): Promise<string | null> {
  const content = await readPrivateFile(mark);
  if (content === null) return null;
  const store = /^\{"store":"([0-9a-f-]{36})"\}\n$/.exec(content)?.[1];
  if (store === undefined) {
    throw storeError('store_unreadable', `${mark} is damaged: restore it from a backup.`);
  }
  return store;
}

interface MigrateOptions {
  /** Whether the file must already hold a store: an empty file is then damage, not a first start. */
  readonly mustExist: boolean;
  /** Default: the program's own list. */
  readonly steps?: readonly string[] | undefined;
}

/**
 * Brings the file to this program's version in one transaction, or refuses it and changes nothing.
 * @returns the store's id, drawn when it was first written
 * @throws store_newer, store_unreadable (not ours, emptied, damaged)
 */
async function migrateStore(database: Database, options: MigrateOptions): Promise<string> {
  const steps = options.steps ?? migrations;
  const known = await database.transact((raw) =>
    // One transaction: between two statements another process may write all of it.
    raw.transaction(() => examine(raw, database.file, steps.length, options.mustExist))(),
  );
  if (known < steps.length) {
    await database.transact((raw) =>
      // Immediate: of several processes that start at once one migrates, and the others find it done.
      raw
        .transaction(() => {
          const from = examine(raw, database.file, steps.length, options.mustExist);
          for (const step of steps.slice(from)) raw.exec(step);
          if (from === 0) {
            const id = [Buffer.from('id'), Buffer.from(randomUUID())];
            raw.prepare('INSERT INTO meta (name, value) VALUES (?, ?)').run(id);
          }
          raw.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${steps.length}`);
        })
        .immediate(),
    );
  }
  const row = await database.row('SELECT value FROM meta WHERE name = ?', ['id']);
  if (row === null) throw notOurs(database.file);
  return readTextColumn(row, 'value');
}

/** The version of the file, 0 for one that was never written. */
function examine(raw: Libsql.Database, file: string, newest: number, mustExist: boolean): number {
  const version = pragma(raw, 'user_version');
  const tables = raw.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all().length;
  if (version === 0 && tables === 0) {
    if (mustExist) {
      throw storeError(
        'store_unreadable',
        `${file} is empty, though it held a store: restore the whole folder from a backup, or move it away to begin anew.`,
      );
    }
    return 0;
  }
  if (pragma(raw, 'application_id') !== applicationId || version < 1) throw notOurs(file);
  if (version > newest) {
    throw storeError(
      'store_newer',
      `${file} was written by a newer artwork-mcp (its version is ${version}, this program knows up to ${newest}): update artwork-mcp.`,
    );
  }
  return version;
}

function pragma(raw: Libsql.Database, name: 'user_version' | 'application_id'): number {
  const [row] = raw.prepare(`PRAGMA ${name}`).all();
  const value = typeof row === 'object' && row !== null && name in row ? Object.values(row)[0] : undefined;
  return typeof value === 'number' ? value : Number.NaN;
}

function notOurs(file: string) {
  return storeError(
    'store_unreadable',
    `${file} is a database of another program: choose another folder as ARTWORK_HOME.`,
  );
}

/** "Artw": marks every database file of ours, so that a file of another program is never written to. */
const applicationId = 0x41727477;

/**
 * Step i brings a database from version i to i + 1, which is kept as `user_version`. A step that changes the meaning of a
 * table renames the table, so that an older program that still runs fails instead of writing nonsense. Every text is a
 * BLOB of UTF-8: on a damaged TEXT libsql ends the process.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE meta (
     name BLOB PRIMARY KEY NOT NULL,
     value BLOB NOT NULL
   ) STRICT;
   CREATE TABLE atomic (
     key BLOB PRIMARY KEY NOT NULL,
     value BLOB NOT NULL,
     version INTEGER NOT NULL,
     checksum INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE records (
     namespace BLOB NOT NULL,
     key BLOB NOT NULL,
     value BLOB NOT NULL,
     expires INTEGER,
     checksum INTEGER NOT NULL,
     PRIMARY KEY (namespace, key)
   ) STRICT;
   CREATE INDEX records_expires ON records (expires) WHERE expires IS NOT NULL;`,
  // `atomic` keeps its name and its columns, so that a program of version 1 that still runs can use it. The triggers
  // note what any program writes; a program that knows the index lists that before it reads the lists. At first that is
  // everything.
  `CREATE TABLE atomic_next (
     id INTEGER PRIMARY KEY,
     key BLOB NOT NULL UNIQUE,
     value BLOB NOT NULL,
     version INTEGER NOT NULL,
     checksum INTEGER NOT NULL
   ) STRICT;
   INSERT INTO atomic_next (key, value, version, checksum)
     SELECT key, value, version, checksum FROM atomic ORDER BY key;
   DROP TABLE atomic;
   ALTER TABLE atomic_next RENAME TO atomic;
   CREATE TABLE atomic_listed (
     list BLOB NOT NULL,
     place BLOB NOT NULL,
     entry INTEGER NOT NULL,
     mark BLOB NOT NULL,
     PRIMARY KEY (list, place, entry)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX atomic_listed_entry ON atomic_listed (entry);
   CREATE TABLE atomic_unlisted (entry INTEGER PRIMARY KEY) STRICT;
   CREATE TRIGGER atomic_inserted AFTER INSERT ON atomic BEGIN
     INSERT OR IGNORE INTO atomic_unlisted (entry) VALUES (NEW.id);
   END;
   CREATE TRIGGER atomic_updated AFTER UPDATE ON atomic BEGIN
     INSERT OR IGNORE INTO atomic_unlisted (entry) VALUES (NEW.id);
   END;
   INSERT INTO atomic_unlisted (entry) SELECT id FROM atomic;`,
  // A submission is found by the files that it has sent as well.
  'INSERT OR IGNORE INTO atomic_unlisted (entry) SELECT id FROM atomic;',
];
