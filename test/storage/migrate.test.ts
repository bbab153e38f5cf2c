import path from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { libsqlAtomicStore } from '../../src/storage/libsql/atomic.ts';
import type { Database } from '../../src/storage/libsql/database.ts';
import { migrations, openStoreFile, type StoreFileOptions } from '../../src/storage/libsql/store-file.ts';
import { openStorage } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** The migration that the next version of the program might bring. */
const next = `CREATE TABLE notes (key TEXT PRIMARY KEY NOT NULL, note TEXT NOT NULL) STRICT;
  INSERT INTO notes (key, note) SELECT CAST(key AS TEXT), 'was ' || CAST(value AS TEXT) FROM atomic;`;
const broken = `${next} INSERT INTO nowhere VALUES (1);`;

describe('a store of another version', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const opened: Database[] = [];
  const open = async (options: StoreFileOptions = {}): Promise<Database> => {
    const database = await openStoreFile(folder.path, options);
    opened.push(database);
    return database;
  };
  const version = async (database: Database) => (await database.row('PRAGMA user_version', []))?.user_version;

  beforeEach(async () => {
    folder = await temporaryFolder();
    const storage = await openStorage({ home: folder.path, keyring: null });
    await storage.atomic.putIfAbsent('a', 'kept');
    storage.close();
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) database.close();
    await folder.remove();
  });

  it('is brought up to date once, with all that it held', async () => {
    const steps = [...migrations, next];
    const all = await Promise.all([open({ steps }), open({ steps }), open({ steps })]);
    for (const database of all) {
      expect(await version(database)).toBe(steps.length);
      expect(await libsqlAtomicStore(database).get('a')).toEqual({ key: 'a', value: 'kept', version: 1 });
      expect(await database.rows('SELECT key, note FROM notes', [])).toEqual([
        { key: 'a', note: 'was kept' },
      ]);
    }
  });

  it('stays as it was where the migration fails', async () => {
    await expect(open({ steps: [...migrations, broken] })).rejects.toMatchObject({
      code: 'store_unreadable',
    });
    const database = await open();
    expect(await version(database)).toBe(migrations.length);
    expect(await database.rows("SELECT name FROM sqlite_schema WHERE name = 'notes'", [])).toEqual([]);
    expect(await libsqlAtomicStore(database).get('a')).toMatchObject({ value: 'kept' });
  });

  it('is refused where it is newer, and stays as it was', async () => {
    const newer = await open({ steps: [...migrations, next] });
    await expect(openStorage({ home: folder.path })).rejects.toMatchObject({
      category: 'internal',
      code: 'store_newer',
      message: /update artwork-mcp/,
    });
    expect(await version(newer)).toBe(migrations.length + 1);
    expect(await newer.rows('SELECT note FROM notes', [])).toEqual([{ note: 'was kept' }]);
  });

  it('is written in whole, or waited for, by those that start together', async () => {
    const fresh = await temporaryFolder();
    const all = await Promise.all(Array.from({ length: 8 }, () => openStoreFile(fresh.path)));
    const ids = await Promise.all(all.map((each) => each.row('SELECT hex(value) AS value FROM meta', [])));
    expect(new Set(ids.map((row) => row?.value)).size).toBe(1);
    for (const database of all) database.close();
    await fresh.remove();
  });

  it('is busy for as long as another program holds it, and no longer', async () => {
    const database = await open({ patience: 200 });
    const store = libsqlAtomicStore(database);
    const holder = new Libsql(path.join(folder.path, 'store.db'));
    holder.exec('BEGIN IMMEDIATE');
    const busy = { category: 'internal', code: 'store_busy', message: /another process/ };
    await expect(store.putIfAbsent('b', 'x')).rejects.toMatchObject(busy);
    expect(await store.get('b')).toBeNull();
    const patient = libsqlAtomicStore(await open());
    const waiting = patient.putIfAbsent('b', 'y');
    holder.exec('COMMIT');
    expect((await waiting).won).toBe(true);
    holder.close();
  });
});
