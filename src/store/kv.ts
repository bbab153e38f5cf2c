import { randomUUID } from 'node:crypto';
import { Keyv } from 'keyv';
import { storeError } from './errors.ts';
import { numberIn, type Sql, type SqlRow, sql, textIn } from './sql.ts';

/** The longest value, bytes of UTF-8. */
export const maxValueBytes = 16 * 1024 * 1024;

/** A value as it stands, with the number of its writes. */
export interface StoredValue {
  readonly key: string;
  readonly value: string;
  readonly version: number;
}

/** Small records that several processes change: of several writers that have seen the same, one succeeds. */
export interface Marks {
  get(key: string): Promise<StoredValue | null>;
  /** `won` false: another one stands there, `current`. */
  putIfAbsent(key: string, value: string): Promise<{ readonly won: boolean; readonly current: StoredValue }>;
  /** Replaces the value that has this version. */
  compareAndSet(
    key: string,
    version: number,
    value: string,
  ): Promise<
    | { readonly outcome: 'swapped' | 'changed'; readonly current: StoredValue }
    | { readonly outcome: 'absent' }
  >;
  /** Those whose key begins so, in the order of their bytes. @param after the last key of the page before */
  scan(prefix: string, after: string | null, limit: number): Promise<readonly StoredValue[]>;
}

const marksSpace = '';

/** Each write carries a name of its own, so that one that was sent again after a lost answer knows itself. */
export function createMarks(database: Sql): Marks {
  const find = async (key: string) => {
    const [row] = await database.read(
      sql`SELECT key, value, version, written FROM artwork.kv WHERE space = ${marksSpace} AND key = ${key}`,
    );
    return row === undefined ? null : { stored: storedIn(row), by: textIn(row, 'written') };
  };
  return {
    get: async (key) => (await find(key))?.stored ?? null,

    async putIfAbsent(key, value) {
      requireFit(value);
      const by = randomUUID();
      for (;;) {
        const [rows = []] = await database.write(
          sql`INSERT INTO artwork.kv (space, key, value, version, written)
              VALUES (${marksSpace}, ${key}, ${value}, 1, ${by}) ON CONFLICT DO NOTHING RETURNING version`,
        );
        if (rows.length === 1) return { won: true, current: { key, value, version: 1 } };
        const found = await find(key);
        // Null: another process was about to insert it, and has not.
        if (found !== null) return { won: found.by === by, current: found.stored };
      }
    },

    async compareAndSet(key, version, value) {
      requireFit(value);
      const by = randomUUID();
      const [rows = []] = await database.write(
        sql`UPDATE artwork.kv SET value = ${value}, version = version + 1, written = ${by}
            WHERE space = ${marksSpace} AND key = ${key} AND version = ${version} RETURNING version`,
      );
      if (rows.length === 1) return { outcome: 'swapped', current: { key, value, version: version + 1 } };
      const found = await find(key);
      if (found === null) return { outcome: 'absent' };
      return { outcome: found.by === by ? 'swapped' : 'changed', current: found.stored };
    },

    async scan(prefix, after, limit) {
      // Every key that begins so is less: no byte of UTF-8 is greater than those of this character.
      const end = `${prefix}\u{10FFFF}`;
      const rows = await database.read(
        sql`SELECT key, value, version FROM artwork.kv WHERE space = ${marksSpace}
            AND key >= ${prefix} AND key > ${after ?? ''} AND key < ${end} ORDER BY key LIMIT ${limit}`,
      );
      return rows.map(storedIn);
    },
  };
}

function storedIn(row: SqlRow): StoredValue {
  return { key: textIn(row, 'key'), value: textIn(row, 'value'), version: numberIn(row, 'version') };
}

function requireFit(value: string): void {
  if (Buffer.byteLength(value) > maxValueBytes) throw new RangeError('The value is too long for the store.');
}

/**
 * Records that never change once written, and caches. A namespace sees nothing of another one. Keyv with settings that
 * are safe here: failures reject (by default Keyv answers them as absent), keys have no prefix (with prefixes, key `b:c`
 * of namespace `a` is key `c` of namespace `a:b`), and a record that is not JSON is an error that quotes nothing of it.
 * Only for keys one by one: with several, Keyv answers a failure as absent.
 */
export function createRecords(database: Sql, namespace: string): Keyv {
  const space = `records/${namespace}`;
  const store = {
    // Keyv iterates only over engines with a name that it knows.
    opts: { dialect: 'sqlite' },
    on: () => store,
    async get(key: string): Promise<string | undefined> {
      const [row] = await database.read(
        sql`SELECT value FROM artwork.kv WHERE space = ${space} AND key = ${key}
            AND (expires IS NULL OR expires > ${Date.now()})`,
      );
      return row === undefined ? undefined : textIn(row, 'value');
    },
    /** @param ttl ms from now; without, for ever. Each write also removes what has expired. */
    async set(key: string, value: unknown, ttl?: number): Promise<void> {
      if (typeof value !== 'string') throw new TypeError('Keyv handed over a value that is not serialized');
      requireFit(value);
      const now = Date.now();
      const expires = ttl === undefined ? null : Math.ceil(now + ttl);
      await database.write(
        sql`INSERT INTO artwork.kv (space, key, value, version, written, expires)
            VALUES (${space}, ${key}, ${value}, 1, ${''}, ${expires})
            ON CONFLICT (space, key) DO UPDATE SET value = excluded.value, expires = excluded.expires`,
        sql`DELETE FROM artwork.kv WHERE expires <= ${now}`,
      );
    },
    async delete(key: string): Promise<boolean> {
      const [rows = []] = await database.write(
        sql`DELETE FROM artwork.kv WHERE space = ${space} AND key = ${key} RETURNING key`,
      );
      return rows.length === 1;
    },
    async *iterator(): AsyncGenerator<[string, string], void> {
      const rows = await database.read(
        sql`SELECT key, value FROM artwork.kv WHERE space = ${space}
            AND (expires IS NULL OR expires > ${Date.now()}) ORDER BY key`,
      );
      for (const row of rows) yield [textIn(row, 'key'), textIn(row, 'value')];
    },
    async clear(): Promise<void> {
      await database.write(sql`DELETE FROM artwork.kv WHERE space = ${space}`);
    },
  };
  return new Keyv({
    store,
    throwOnErrors: true,
    useKeyPrefix: false,
    serialize: (data) => JSON.stringify(data),
    deserialize: (data) => {
      try {
        return JSON.parse(data);
      } catch {
        // The parser's message would quote the record.
        throw damagedRecord();
      }
    },
  });
}

/** The error of a value that is not what was written. */
export function damagedRecord() {
  const remedy = 'restore the whole data folder from a backup';
  return storeError('store_unreadable', `A record of the store is damaged: ${remedy}.`);
}
