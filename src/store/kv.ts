import { randomUUID } from 'node:crypto';
import { Keyv } from 'keyv';
import { jsonOf } from '../text.ts';
import { storeError } from './errors.ts';
import { numberIn, type Sql, sql, textIn } from './sql.ts';

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
}

/** Each write carries a name of its own, so that one that was run again after a lost answer knows itself. */
export function createMarks(database: Sql): Marks {
  const find = async (key: string) => {
    const [row] = await database.read(
      sql`SELECT value, version, written FROM artwork.kv WHERE space = '' AND key = ${key}`,
    );
    if (row === undefined) return null;
    const stored = { key, value: textIn(row, 'value'), version: numberIn(row, 'version') };
    return { stored, by: textIn(row, 'written') };
  };
  return {
    get: async (key) => (await find(key))?.stored ?? null,

    async putIfAbsent(key, value) {
      requireFit(value);
      const by = randomUUID();
      for (;;) {
        const [rows = []] = await database.write(
          sql`INSERT INTO artwork.kv (space, key, value, version, written)
              VALUES ('', ${key}, ${value}, 1, ${by}) ON CONFLICT DO NOTHING RETURNING version`,
        );
        // Not by a look behind it: another may have written since.
        if (rows.length > 0) return { won: true, current: { key, value, version: 1 } };
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
            WHERE space = '' AND key = ${key} AND version = ${version} RETURNING version`,
      );
      if (rows.length > 0) return { outcome: 'swapped', current: { key, value, version: version + 1 } };
      const found = await find(key);
      if (found === null) return { outcome: 'absent' };
      return { outcome: found.by === by ? 'swapped' : 'changed', current: found.stored };
    },
  };
}

/**
 * JSON values that expire, each written as a whole. A namespace sees nothing of another one. Keyv's own settings are not
 * safe here: it would answer a failure as an absent record, and a key prefix would let one namespace reach into another.
 * Keys go one by one: of several, Keyv answers a failure as absent all the same.
 */
export function createRecords(database: Sql, namespace: string): Keyv {
  const space = `records/${namespace}`;
  const store = {
    opts: {},
    on: () => store,
    async get(key: string): Promise<string | undefined> {
      const [row] = await database.read(
        sql`SELECT value FROM artwork.kv WHERE space = ${space} AND key = ${key} AND expires > ${Date.now()}`,
      );
      return row === undefined ? undefined : textIn(row, 'value');
    },
    /** @param keepMs until it expires. Each write also removes what has expired. */
    async set(key: string, value: string, keepMs = 0): Promise<void> {
      requireFit(value);
      const now = Date.now();
      await database.write(
        sql`INSERT INTO artwork.kv (space, key, value, version, written, expires)
            VALUES (${space}, ${key}, ${value}, 1, '', ${Math.ceil(now + keepMs)})
            ON CONFLICT (space, key) DO UPDATE SET value = excluded.value, expires = excluded.expires`,
        sql`DELETE FROM artwork.kv WHERE expires <= ${now}`,
      );
    },
    async delete(key: string): Promise<boolean> {
      const [rows = []] = await database.write(
        sql`DELETE FROM artwork.kv WHERE space = ${space} AND key = ${key} RETURNING key`,
      );
      return rows.length > 0;
    },
    async clear(): Promise<void> {
      await database.write(sql`DELETE FROM artwork.kv WHERE space = ${space}`);
    },
  };
  const form = { serialize: JSON.stringify, deserialize: parsedRecord };
  return new Keyv({ store, throwOnErrors: true, useKeyPrefix: false, ...form });
}

/** What Keyv has stored: the value and when it expires. @throws store_unreadable */
function parsedRecord<Value>(text: string): { value?: Value; expires?: number } {
  const record = parsed(text);
  if (typeof record !== 'object' || record === null) throw damagedRecord();
  return record;
}

/** @throws RangeError for a value that is longer than `maxValueBytes` */
function requireFit(value: string): void {
  if (Buffer.byteLength(value) > maxValueBytes) throw new RangeError('The value is too long for the store.');
}

/** A stored JSON value. The error quotes nothing of it. @throws store_unreadable */
export function parsed(text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw damagedRecord();
  return value;
}

/** The error of a value that is not what was written. */
export function damagedRecord() {
  return storeError('store_unreadable', 'A record of the store is damaged. Restore the store from a backup.');
}
