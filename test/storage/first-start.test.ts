import path from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { libsqlAtomicStore } from '../../src/storage/libsql/atomic.ts';
import type { Database } from '../../src/storage/libsql/database.ts';
import { openStoreFile, type StoreFileOptions } from '../../src/storage/libsql/store-file.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('a store that several programs open', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const opened: Database[] = [];
  const open = async (options: StoreFileOptions = {}): Promise<Database> => {
    const database = await openStoreFile(folder.path, options);
    opened.push(database);
    return database;
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) database.close();
    await folder.remove();
  });

  it('is busy for as long as another program holds it, and no longer', async () => {
    const store = libsqlAtomicStore(await open({ patience: 200 }), () => []);
    const holder = new Libsql(path.join(folder.path, 'store.db'));
    holder.exec('BEGIN IMMEDIATE');
    const busy = { category: 'internal', code: 'store_busy', message: /another process/ };
    await expect(store.putIfAbsent('b', 'x')).rejects.toMatchObject(busy);
    expect(await store.get('b')).toBeNull();
    const patient = libsqlAtomicStore(await open(), () => []);
    const waiting = patient.putIfAbsent('b', 'y');
    holder.exec('COMMIT');
    expect((await waiting).won).toBe(true);
    holder.close();
  });
});
