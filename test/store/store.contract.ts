import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type OwnRecords, ownRecords, ownState, type RecordOwner } from '../../src/curation/own.ts';
import type { Marks } from '../../src/store/kv.ts';
import { must, type Sql, sql } from '../../src/store/sql.ts';

interface Opened {
  readonly sql: Sql;
  readonly marks: Marks;
}

const numbers = z.object({ numbers: z.array(z.int()) });
const add = (number: number) => (now: unknown) => ({
  numbers: [...(now === undefined ? [] : numbers.parse(now).numbers), number],
});

/** Names of their own for each test, since they share a store. */
const someone = (): RecordOwner => ({ service: 'http://127.0.0.1:1', user: randomUUID(), account: null });

/** Texts that an engine might change: its own signs, other scripts, no character at all, and bytes that look alike. */
const texts = ['', "it's", '?', '$1', 'ü\u0308', '\u{1F3DE}', '\u{FEFF}x', 'a\nb', 'x'.repeat(100_000)];

/** What a store promises, on any engine. @param open what all tests of the suite share */
export function storeContract(engine: string, open: () => Promise<Opened>): void {
  describe(`the store on ${engine}`, () => {
    it('gives back every text and number as it was written, and nothing for NULL', async () => {
      const { sql: database } = await open();
      const space = randomUUID();
      const rows = texts.map((text, at) => ({
        key: `${at}`,
        value: text,
        version: 2 ** 53 - 1 - at,
        expires: null,
      }));
      await database.write(
        ...rows.map(
          ({ key, value, version }) => sql`INSERT INTO artwork.kv (space, key, value, version, written)
            VALUES (${space}, ${key}, ${value}, ${version}, ${''})`,
        ),
      );
      const all = sql`SELECT key, value, version, expires FROM artwork.kv WHERE space = ${space} ORDER BY key`;
      expect(await database.read(all)).toEqual(rows);
      const one = sql`SELECT key, value, version, expires FROM artwork.kv WHERE space = ${space} AND value = ${'?'}`;
      expect(await database.read(one)).toEqual([rows[2]]);
    });

    it('writes all statements or none', async () => {
      const { sql: database } = await open();
      const space = randomUUID();
      const insert = (key: string, version: number) =>
        sql`INSERT INTO artwork.kv (space, key, value, version, written)
            VALUES (${space}, ${key}, ${'v'}, ${version}, ${''}) RETURNING key`;
      const update = (key: string) =>
        sql`UPDATE artwork.kv SET version = version + 1 WHERE space = ${space} AND key = ${key} RETURNING version`;
      const count = async () =>
        (await database.read(sql`SELECT key FROM artwork.kv WHERE space = ${space}`)).length;
      expect(await database.write(insert('a', 1), must(update('b')), insert('c', 1))).toEqual([
        [{ key: 'a' }],
        [],
        [],
      ]);
      expect(await count()).toBe(0);
      await expect(database.write(insert('a', 1), insert('a', 2))).rejects.toMatchObject({
        failure: 'internal',
      });
      expect(await count()).toBe(0);
      expect(await database.write(insert('a', 1), must(update('a')), update('b'))).toEqual([
        [{ key: 'a' }],
        [{ version: 2 }],
        [],
      ]);
    });

    it('lets one of many that write at once win', async () => {
      const { marks } = await open();
      const key = randomUUID();
      for (const [at, seen] of [null, 1, 2].entries()) {
        const values = Array.from({ length: 8 }, () => randomUUID());
        const won = await Promise.all(values.map((value) => marks.put(key, seen, value)));
        expect(won.filter(Boolean).length).toBe(1);
        expect(await marks.get(key)).toEqual({ value: values[won.indexOf(true)], version: at + 1 });
      }
      expect(await marks.put(key, null, 'x')).toBe(false);
      expect(await marks.put(randomUUID(), 1, 'x')).toBe(false);
      await expect(marks.put(key, 3, 'a\0b')).rejects.toThrow(RangeError);
    });

    it('keeps records of one owner for a while, apart from others', async () => {
      const { sql: database } = await open();
      const owner = someone();
      const of = (account: string | null): OwnRecords => ownRecords(database, 'plans', { ...owner, account });
      await of(null).set('p', { plan: 1 }, 60_000);
      await of('ada').set('q', { plan: 2 }, 60_000);
      await of('ada').set('gone', { plan: 4 }, -1);
      const seen = async (records: OwnRecords) =>
        Promise.all(['p', 'q', 'gone'].map((key) => records.get(key)));
      expect(await seen(of('ada'))).toEqual([{ plan: 1 }, { plan: 2 }, undefined]);
      expect(await seen(of('ben'))).toEqual([{ plan: 1 }, undefined, undefined]);
      expect(await seen(ownRecords(database, 'lists', owner))).toEqual(Array(3).fill(undefined));
    });

    it('loses no change of a state that several make at once, and keeps it to its account', async () => {
      const { marks } = await open();
      const owner = someone();
      const of = (account: string | null) => ownState(marks, { ...owner, account }, 'watch');
      await of(null).update(add(0));
      await Promise.all([1, 2, 3, 4].map((number) => of('ada').update(add(number))));
      const found = numbers.parse(await of('ada').read()).numbers;
      expect(found.toSorted()).toEqual([0, 1, 2, 3, 4]);
      expect(await of('ben').read()).toEqual({ numbers: [0] });
      expect(await ownState(marks, owner, 'looks').read()).toBeUndefined();
    });
  });
}
