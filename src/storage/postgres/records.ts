import { requireFitKey, requireFitValue } from '../atomic-store.ts';
import type { RecordStore } from '../records.ts';
import { type Database, readText } from './database.ts';

/** Records in PostgreSQL. When one expires its server's clock tells: the machines may disagree by hours. */
export function postgresRecordStore(database: Database, namespace: string): RecordStore {
  requireFitKey(namespace);
  const live = '(expires IS NULL OR expires > now())';

  const get = async (key: string): Promise<string | undefined> => {
    requireFitKey(key);
    const rows = await database.run(
      `SELECT value FROM artwork.records WHERE namespace = $1 AND key = $2 AND ${live}`,
      [namespace, key],
    );
    return rows[0] === undefined ? undefined : readText(rows[0], 'value');
  };
  const has = async (key: string): Promise<boolean> => (await get(key)) !== undefined;
  const remove = async (key: string): Promise<boolean> => {
    requireFitKey(key);
    const removing = 'DELETE FROM artwork.records WHERE namespace = $1 AND key = $2 RETURNING key';
    const rows = await database.run(removing, [namespace, key]);
    return rows.length === 1;
  };

  const store: RecordStore = {
    opts: { dialect: 'postgres' },
    namespace,
    on: () => store,
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    has,
    hasMany: (keys) => Promise.all(keys.map(has)),
    delete: remove,
    deleteMany: async (keys) => (await Promise.all(keys.map(remove))).every((isRemoved) => isRemoved),
    clear: async () =>
      void (await database.run('DELETE FROM artwork.records WHERE namespace = $1', [namespace])),

    async set(key, value, ttl) {
      requireFitKey(key);
      if (typeof value !== 'string') throw new TypeError('Keyv handed over a value that is not serialized');
      requireFitValue(value);
      await database.run(
        `INSERT INTO artwork.records (namespace, key, value, expires)
         VALUES ($1, $2, $3, now() + make_interval(secs => $4))
         ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires`,
        [namespace, key, value, ttl === undefined ? null : ttl / 1000],
      );
      if (ttl !== undefined) await database.run('DELETE FROM artwork.records WHERE expires <= now()');
      return true;
    },

    async *iterator() {
      for (let after = ''; ; ) {
        const rows = await database.run(
          `SELECT key, value FROM artwork.records
           WHERE namespace = $1 AND key > $2 AND ${live} ORDER BY key LIMIT 100`,
          [namespace, after],
        );
        for (const row of rows) {
          after = readText(row, 'key');
          yield [after, readText(row, 'value')];
        }
        if (rows.length === 0) return;
      }
    },
  };
  return store;
}
