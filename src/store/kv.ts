import { randomUUID } from 'node:crypto';
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

/** @throws RangeError for a value that is longer than `maxValueBytes` */
export function requireFit(value: string): void {
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
  return storeError('store_unreadable', 'A record of the store is damaged: restore it from a backup.');
}
