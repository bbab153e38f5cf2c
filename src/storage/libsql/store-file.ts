import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type Libsql from 'libsql';
import { createPrivateFile, makeFilePrivate, placePrivateFile, readPrivateFile, storeFile } from '../home.ts';
import { damagedStoreError, storeError } from '../store-error.ts';
import { type ConnectOptions, Database, readIntegerColumn, readTextColumn } from './database.ts';

function markIn(home: string): string {
  return path.join(home, 'store.json');
}

export interface StoreFileOptions extends ConnectOptions {
  /** Checks the whole structure, however recently that was done. Default: as `isDue` decides. */
  readonly wholly?: boolean | undefined;
}

/**
 * Opens `store.db` in the data directory, or makes it at the first start. `store.json` beside it names the store's id
 * from then on: without it an emptied or lost file would look like a first start, and what was sent would be forgotten.
 * @throws store_unreadable, store_other_schema, store_unsupported, store_busy, store_full, home_not_private
 */
export async function openStoreFile(home: string, options: StoreFileOptions = {}): Promise<Database> {
  const file = storeFile(home);
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
  const database = await Database.connect(file, { ...options, isGuarded: true });
  try {
    await requireAllPages(database);
    const examined = options.wholly === true || (await isDue(database, size ?? 0));
    if (examined) await examineStructure(database);
    const id = await requireSchema(database, expected !== null);
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

/**
 * A file that was cut off is shorter than its header says. SQLite reads what is missing as zeros, and
 * its own check does not tell. That can be told only while its log is empty.
 */
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

/**
 * Writes the schema into an empty file, in one transaction: of several processes that start at once one does, and the
 * others find it done. Refuses a file of another program, or with another schema, and changes nothing in it.
 * @param mustExist the file held a store before, so an empty one is damage and not a first start
 * @returns the store's id, drawn when the schema was written
 * @throws store_other_schema, store_unreadable (not ours, emptied, damaged)
 */
async function requireSchema(database: Database, mustExist: boolean): Promise<string> {
  const { file } = database;
  // One transaction: between two statements another process may write all of it.
  const isWritten = await database.transact((raw) => raw.transaction(() => hasSchema(raw, file))());
  if (!isWritten) {
    if (mustExist) {
      throw storeError(
        'store_unreadable',
        `${file} is empty, though it held a store: restore the whole folder from a backup, or move it away to begin anew.`,
      );
    }
    await database.transact((raw) =>
      raw
        .transaction(() => {
          if (hasSchema(raw, file)) return;
          raw.exec(schema);
          const id = [Buffer.from('id'), Buffer.from(randomUUID())];
          raw.prepare('INSERT INTO meta (name, value) VALUES (?, ?)').run(id);
          raw.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaNumber}`);
        })
        .immediate(),
    );
  }
  const row = await database.row('SELECT value FROM meta WHERE name = ?', ['id']);
  if (row === null) throw notOurs(file);
  return readTextColumn(row, 'value');
}

/** False for a file that nothing was ever written to. @throws as `requireSchema` */
function hasSchema(raw: Libsql.Database, file: string): boolean {
  const found = pragma(raw, 'user_version');
  if (found === 0 && raw.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all().length === 0) return false;
  if (pragma(raw, 'application_id') !== applicationId) throw notOurs(file);
  if (found !== schemaNumber) {
    throw storeError(
      'store_other_schema',
      `${file} has schema ${found}, and this artwork-mcp knows schema ${schemaNumber} only: install the version that wrote it; or end every host that uses it and move the folder ${path.dirname(file)} away to begin anew, which forgets the sign-in and what was sent.`,
    );
  }
  return true;
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

/** Kept in the file as its `user_version`. A change of the schema, or of what stands in its rows, takes the next number. */
const schemaNumber = 2;

/** Every text is a BLOB of UTF-8: on a damaged TEXT libsql ends the process. */
const schema = `
  CREATE TABLE meta (
    name BLOB PRIMARY KEY NOT NULL,
    value BLOB NOT NULL
  ) STRICT;
  CREATE TABLE atomic (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    value BLOB NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE atomic_listed (
    list BLOB NOT NULL,
    place BLOB NOT NULL,
    entry INTEGER NOT NULL,
    mark BLOB NOT NULL,
    PRIMARY KEY (list, place, entry)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX atomic_listed_entry ON atomic_listed (entry);
  CREATE TABLE records (
    namespace BLOB NOT NULL,
    key BLOB NOT NULL,
    value BLOB NOT NULL,
    expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) STRICT;
  CREATE INDEX records_expires ON records (expires) WHERE expires IS NOT NULL;
`;
