import { requireFitKey, requireFitValue } from '../atomic-store.ts';
import type { RecordStore } from '../records.ts';
import type { Database, Row } from './database.ts';
import { checksumRow, readTextColumn, verifyRow, readIntegerColumn } from './row.ts';

/** Records in a libsql file. The namespace is a column of its own, so that no key reaches into another namespace. */
export function libsqlRecordStore(database: Database, namespace: string): RecordStore {
  requireFitKey(namespace);
  const live = '(expires IS NULL OR expires > ?)';

  const getMany = async (keys: readonly string[]): Promise<(string | undefined)[]> => {
    const found: (string | undefined)[] = [];
    for (const key of keys) found.push(await get(key));
    return found;
  };
  const verified = (row: Row, key: string): string => {
    const value = readTextColumn(row, 'value');
    verifyRow(row, namespace, key, value, row.expires === null ? null : readIntegerColumn(row, 'expires'));
    return value;
  };
  const get = async (key: string): Promise<string | undefined> => {
    requireFitKey(key);
    const row = await database.row(
      `SELECT value, expires, checksum FROM records WHERE namespace = ? AND key = ? AND ${live}`,
      [namespace, key, Date.now()],
    );
    return row === null ? undefined : verified(row, key);
  };
  const has = async (key: string): Promise<boolean> => (await get(key)) !== undefined;
  const remove = async (key: string): Promise<boolean> => {
    requireFitKey(key);
    const changes = await database.run('DELETE FROM records WHERE namespace = ? AND key = ?', [
      namespace,
      key,
    ]);
    return changes === 1;
  };

  const store: RecordStore = {
    opts: { dialect: 'sqlite' },
    namespace,
    on: () => store,
    get,
    getMany,
    has,
    delete: remove,

    async set(key: string, value: unknown, ttl?: number): Promise<boolean> {
      requireFitKey(key);
      if (typeof value !== 'string') throw new TypeError('Keyv handed over a value that is not serialized');
      requireFitValue(value);
      const now = Date.now();
      const expires = ttl === undefined ? null : Math.ceil(now + ttl);
      await database.run(
        `INSERT OR REPLACE INTO records (namespace, key, value, expires, checksum) VALUES (?, ?, ?, ?, ?)`,
        [namespace, key, value, expires, checksumRow(namespace, key, value, expires)],
      );
      if (ttl !== undefined) {
        await database.run('DELETE FROM records WHERE expires <= ?', [now]);
      }
      return true;
    },

    async hasMany(keys: string[]): Promise<boolean[]> {
      return (await getMany(keys)).map((value) => value !== undefined);
    },

    async deleteMany(keys: string[]): Promise<boolean> {
      let all = true;
      for (const key of keys) all = (await remove(key)) && all;
      return all;
    },

    async clear(): Promise<void> {
      await database.run('DELETE FROM records WHERE namespace = ?', [namespace]);
    },

    async *iterator(): AsyncGenerator<[string, string], void> {
      let after = '';
      for (;;) {
        const page = await database.rows(
          `SELECT key, value, expires, checksum FROM records
           WHERE namespace = ? AND key > ? AND ${live} ORDER BY key LIMIT 100`,
          [namespace, after, Date.now()],
        );
        for (const row of page) {
          const key = readTextColumn(row, 'key');
          yield [key, verified(row, key)];
        }
        const last = page.at(-1);
        if (last === undefined) return;
        after = readTextColumn(last, 'key');
      }
    },
  };
  return store;
}
