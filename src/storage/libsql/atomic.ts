import {
  type AtomicStore,
  requireFitKey,
  requireFitPageSize,
  requireFitPage,
  requireFitValue,
  type StoredValue,
  type IndexOf,
} from '../atomic-store.ts';
import { storeError } from '../store-error.ts';
import type { Database, Row, Sql } from './database.ts';
import { countListEntries, updateLists, listOlderEntries, readListPage } from './lists.ts';
import { checksumRow, readTextColumn, verifyRow, readIntegerColumn } from './row.ts';

/**
 * The atomic store in a libsql file: each operation is one transaction, so SQLite decides which process wins. Without
 * `indexOf` it has no lists; a process that has the index lists later what this one writes.
 */
export function libsqlAtomicStore(database: Database, indexOf: IndexOf | null = null): AtomicStore {
  const written = (sql: Sql, key: string, value: string, version: number): StoredValue => {
    if (indexOf !== null) {
      const row = sql.row('SELECT id FROM atomic WHERE key = ?', [key]);
      if (row === null) throw vanished();
      updateLists(sql, indexOf, readIntegerColumn(row, 'id'), key, value);
    }
    return { key, value, version };
  };

  const swap = (sql: Sql, key: string, version: number, value: string): StoredValue | null => {
    const changes = sql.run(
      'UPDATE atomic SET value = ?, version = ?, checksum = ? WHERE key = ? AND version = ?',
      [value, version + 1, checksumRow(key, value, version + 1), key, version],
    );
    return changes === 1 ? written(sql, key, value, version + 1) : null;
  };

  const insert = (sql: Sql, key: string, value: string): StoredValue | null => {
    const changes = sql.run(
      `INSERT INTO atomic (key, value, version, checksum) VALUES (?, ?, 1, ?)
       ON CONFLICT (key) DO NOTHING`,
      [key, value, checksumRow(key, value, 1)],
    );
    return changes === 1 ? written(sql, key, value, 1) : null;
  };

  /** Runs `work` once all that any program has written by now is listed. */
  const listed = async <T>(work: (sql: Sql) => T): Promise<T> => {
    if (indexOf === null) throw storeError('store_refused', 'The store was opened without an index.');
    for (;;) {
      const answer = await database.read((sql) =>
        sql.row('SELECT entry FROM atomic_unlisted LIMIT 1', []) === null ? { value: work(sql) } : null,
      );
      if (answer !== null) return answer.value;
      await database.write((sql) => listOlderEntries(sql, indexOf));
      // After an update the history may be long: other work of this process goes on in between.
      await new Promise(setImmediate);
    }
  };

  return {
    async get(key) {
      requireFitKey(key);
      return find(await database.row(select, [key]));
    },

    async put(key, value) {
      requireFitKey(key);
      requireFitValue(value);
      await database.write((sql) => {
        const there = find(sql.row(select, [key]));
        if (there === null) insert(sql, key, value);
        else swap(sql, key, there.version, value);
      });
    },

    async putIfAbsent(key, value) {
      requireFitKey(key);
      requireFitValue(value);
      return database.write((sql) => {
        const mine = insert(sql, key, value);
        if (mine !== null) return { won: true, current: mine };
        const current = find(sql.row(select, [key]));
        if (current === null) throw vanished();
        return { won: false, current };
      });
    },

    async compareAndSet(key, version, value) {
      requireFitKey(key);
      requireFitValue(value);
      return database.write((sql) => {
        const mine = swap(sql, key, version, value);
        if (mine !== null) return { outcome: 'swapped', current: mine };
        const current = find(sql.row(select, [key]));
        return current === null ? { outcome: 'absent' } : { outcome: 'changed', current };
      });
    },

    async scan(prefix, after, limit) {
      requireFitPage(prefix, after, limit);
      const rows = await database.rows(
        `SELECT key, value, version, checksum FROM atomic
         WHERE key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?`,
        [prefix, Buffer.concat([Buffer.from(prefix), aboveAll]), after ?? '', limit],
      );
      return rows.map(entry);
    },

    async page(page) {
      requireFitPageSize(page.limit);
      return listed((sql) =>
        readListPage(sql, page).map((id) => {
          const row = sql.row('SELECT key, value, version, checksum FROM atomic WHERE id = ?', [id]);
          if (row === null) throw vanished();
          return entry(row);
        }),
      );
    },

    count: (name) => listed((sql) => countListEntries(sql, name)),
  };
}

const select = 'SELECT key, value, version, checksum FROM atomic WHERE key = ?';

/** No UTF-8 has this byte: it ends the range of a prefix. */
const aboveAll = Buffer.of(0xff);

function find(row: Row | null): StoredValue | null {
  return row === null ? null : entry(row);
}

function entry(row: Row): StoredValue {
  const found = {
    key: readTextColumn(row, 'key'),
    value: readTextColumn(row, 'value'),
    version: readIntegerColumn(row, 'version'),
  };
  verifyRow(row, found.key, found.value, found.version);
  return found;
}

function vanished() {
  return storeError('store_unreadable', 'An entry of the store vanished: another program changes its file.');
}
