import path from 'node:path';
import { createPrivateFile, placePrivateFile, makeFilePrivate, readPrivateFile } from '../home.ts';
import { damagedStoreError, storeError } from '../store-error.ts';
import { type ConnectOptions, Database } from './database.ts';
import { migrateStore } from './migrate.ts';
import { readTextColumn, readIntegerColumn } from './row.ts';

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
