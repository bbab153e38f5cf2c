import {
  type AtomicStore,
  type Claim,
  checkKey,
  checkPage,
  checkValue,
  type Entry,
  type Swap,
} from '../atomic-store.ts';
import { storeError } from '../store-error.ts';
import type { Database, Row } from './database.ts';
import { checksum, text, verify, whole } from './row.ts';

/** The atomic store in a libsql file: each operation's writing is one SQL statement, so SQLite decides who wins. */
export function libsqlAtomicStore(database: Database): AtomicStore {
  const get = async (key: string): Promise<Entry | null> => {
    checkKey(key);
    const row = await database.row('SELECT key, value, version, checksum FROM atomic WHERE key = ?', [key]);
    return row === null ? null : entry(row);
  };

  const putIfAbsent = async (key: string, value: string): Promise<Claim> => {
    checkKey(key);
    checkValue(value);
    const changes = await database.run(
      `INSERT INTO atomic (key, value, version, checksum) VALUES (?, ?, 1, ?)
       ON CONFLICT (key) DO NOTHING`,
      [key, value, checksum(key, value, 1)],
    );
    if (changes === 1) return { won: true, current: { key, value, version: 1 } };
    const current = await get(key);
    if (current === null) {
      throw storeError('store_unreadable', 'A key of the store vanished: another program changes its file.');
    }
    return { won: false, current };
  };

  const compareAndSet = async (key: string, version: number, value: string): Promise<Swap> => {
    checkKey(key);
    checkValue(value);
    const changes = await database.run(
      'UPDATE atomic SET value = ?, version = ?, checksum = ? WHERE key = ? AND version = ?',
      [value, version + 1, checksum(key, value, version + 1), key, version],
    );
    if (changes === 1) return { outcome: 'swapped', current: { key, value, version: version + 1 } };
    const current = await get(key);
    return current === null ? { outcome: 'absent' } : { outcome: 'changed', current };
  };

  return {
    get,
    putIfAbsent,
    compareAndSet,

    async put(key, value) {
      for (;;) {
        const { won, current } = await putIfAbsent(key, value);
        if (won || (await compareAndSet(key, current.version, value)).outcome === 'swapped') return;
      }
    },

    async scan(prefix, after, limit) {
      checkPage(prefix, after, limit);
      const rows = await database.rows(
        `SELECT key, value, version, checksum FROM atomic
         WHERE key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?`,
        [prefix, Buffer.concat([Buffer.from(prefix), aboveAll]), after ?? '', limit],
      );
      return rows.map(entry);
    },
  };
}

/** No UTF-8 has this byte: it ends the range of a prefix. */
const aboveAll = Buffer.of(0xff);

function entry(row: Row): Entry {
  const found = { key: text(row, 'key'), value: text(row, 'value'), version: whole(row, 'version') };
  verify(row, found.key, found.value, found.version);
  return found;
}
