import { randomUUID } from 'node:crypto';
import { Keyv } from 'keyv';
import { jsonOf } from '../text.ts';
import { damagedRecord } from './errors.ts';
import { numberIn, type Sql, sql, textIn } from './sql.ts';

/** Small records that several processes change: of several writers that have seen the same, one succeeds. */
export interface Marks {
  /** The value as it stands, with the number of its writes. */
  get(key: string): Promise<{ readonly value: string; readonly version: number } | null>;
  /**
   * Writes a value where what `seen` tells still stands: this version, or null for none.
   * @returns false: another one stands there
   */
  put(key: string, seen: number | null, value: string): Promise<boolean>;
}

export function createMarks(database: Sql): Marks {
  return {
    async get(key) {
      const [row] = await database.read(
        sql`SELECT value, version FROM artwork.kv WHERE space = '' AND key = ${key}`,
      );
      return row === undefined ? null : { value: textIn(row, 'value'), version: numberIn(row, 'version') };
    },
    async put(key, seen, value) {
      // A name of its own, so that a write that was run again after a lost answer knows itself.
      const by = randomUUID();
      const [rows = []] = await database.write(
        seen === null
          ? sql`INSERT INTO artwork.kv (space, key, value, version, written)
                VALUES ('', ${key}, ${value}, 1, ${by}) ON CONFLICT DO NOTHING RETURNING version`
          : sql`UPDATE artwork.kv SET value = ${value}, version = version + 1, written = ${by}
                WHERE space = '' AND key = ${key} AND version = ${seen} RETURNING version`,
      );
      if (rows.length > 0) return true;
      const own = sql`SELECT version FROM artwork.kv WHERE space = '' AND key = ${key} AND written = ${by}`;
      return (await database.read(own)).length > 0;
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

/** A stored JSON value. The error quotes nothing of it. @throws store_unreadable */
export function parsed(text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw damagedRecord();
  return value;
}
