import { type AtomicStore, checkKey, checkPage, checkValue, type Entry } from '../atomic-store.ts';
import { storeError } from '../store-error.ts';
import type { Database, Row } from './database.ts';
import { text, whole } from './row.ts';

/** The atomic store in a libsql file: each operation's writing is one SQL statement, so SQLite decides who wins. */
export function libsqlAtomicStore(database: Database): AtomicStore {
  const get = async (key: string): Promise<Entry | null> => {
    checkKey(key);
    const row = await database.row('SELECT key, value, version FROM atomic WHERE key = ?', [key]);
    return row === null ? null : entry(row);
  };
  const present = async (key: string): Promise<Entry> => {
    const found = await get(key);
    if (found === null) {
      throw storeError('store_unreadable', 'A key of the store vanished: another program changes its file.');
    }
    return found;
  };
  return {
    get,

    async put(key, value) {
      checkKey(key);
      checkValue(value);
      await database.run(
        `INSERT INTO atomic (key, value, version) VALUES (?, ?, 1)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = atomic.version + 1`,
        [key, value],
      );
    },

    async putIfAbsent(key, value) {
      checkKey(key);
      checkValue(value);
      const changes = await database.run(
        'INSERT INTO atomic (key, value, version) VALUES (?, ?, 1) ON CONFLICT (key) DO NOTHING',
        [key, value],
      );
      if (changes === 1) return { won: true, current: { key, value, version: 1 } };
      return { won: false, current: await present(key) };
    },

    async compareAndSet(key, version, value) {
      checkKey(key);
      checkValue(value);
      const changes = await database.run(
        'UPDATE atomic SET value = ?, version = version + 1 WHERE key = ? AND version = ?',
        [value, key, version],
      );
      if (changes === 1) return { outcome: 'swapped', current: { key, value, version: version + 1 } };
      const current = await get(key);
      return current === null ? { outcome: 'absent' } : { outcome: 'changed', current };
    },

    async scan(prefix, after, limit) {
      checkPage(prefix, after, limit);
      const rows = await database.rows(
        `SELECT key, value, version FROM atomic
         WHERE key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?`,
        [prefix, `${prefix}\u{10ffff}`, after ?? '', limit],
      );
      return rows.map(entry);
    },
  };
}

function entry(row: Row): Entry {
  return { key: text(row, 'key'), value: text(row, 'value'), version: whole(row, 'version') };
}
