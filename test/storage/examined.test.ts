import { statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { temporaryFolder } from '../support/temporary.ts';

const hour = 60 * 60_000;
const mebibyte = 1024 * 1024;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = path.join(folder.path, 'store.db');
  const storage = await openStorage({ home: folder.path, keyring: null, indexOf: () => [] });
  for (let i = 0; i < 6; i += 1) await storage.atomic.putIfAbsent(`k${i}`, String(i).repeat(3 * mebibyte));
  storage.close();
});
afterEach(() => folder.remove());

const reopen = async (wholly = false): Promise<void> => {
  (await openStorage({ home: folder.path, keyring: null, wholly, indexOf: () => [] })).close();
};

/** When all of the structure was looked at, in ms since 1970; null: that is not noted. */
const examined = (): number | null => {
  const database = new Libsql(file);
  const [row] = database
    .prepare("SELECT CAST(value AS TEXT) AS at FROM meta WHERE name = X'6578616d696e6564'")
    .all();
  database.close();
  return typeof row === 'object' && row !== null && 'at' in row ? Number(row.at) : null;
};

const noteExamined = (at: number): void => {
  const database = new Libsql(file);
  const values = [Buffer.from('examined'), Buffer.from(String(at))];
  database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(values);
  database.close();
};

it('looks at all of a large file once a day, and whenever it is told to', async () => {
  expect(examined()).toBeNull();
  await reopen();
  expect(examined()).toBeGreaterThan(Date.now() - hour);
  const lately = Date.now() - 23 * hour;
  noteExamined(lately);
  await reopen();
  expect(examined()).toBe(lately);
  for (const long of [Date.now() - 25 * hour, Date.now() + hour, Number.NaN]) {
    noteExamined(long);
    await reopen();
    expect(examined()).toBeLessThanOrEqual(Date.now());
    expect(examined()).toBeGreaterThan(Date.now() - hour);
  }
  noteExamined(lately);
  await reopen(true);
  expect(examined()).toBeGreaterThan(lately);
});

it('refuses a file that was cut off, however lately it was looked at', async () => {
  await reopen();
  const database = new Libsql(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  truncateSync(file, statSync(file).size - 4096);
  await expect(reopen()).rejects.toMatchObject({ code: 'store_unreadable' });
});
