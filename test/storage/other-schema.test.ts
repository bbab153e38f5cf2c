import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('a store with the schema number of another version is refused, stays as it is, and opens with its own', async () => {
  const folder = await temporaryFolder();
  const store = path.join(folder.path, 'store.db');
  const open = async () =>
    (await openStorage({ home: folder.path, keyring: null, indexOf: () => [] })).close();
  const renumber = (number: number) => {
    const database = new Libsql(store);
    database.exec(`PRAGMA user_version = ${number}; PRAGMA wal_checkpoint(TRUNCATE)`);
    database.close();
  };
  await open();
  for (const number of [0, 1_000]) {
    renumber(number);
    const before = await readFile(store);
    await expect(open()).rejects.toMatchObject({ category: 'internal', code: 'store_other_schema' });
    expect(await readFile(store)).toEqual(before);
  }
  renumber(2);
  await open();
  await folder.remove();
});
