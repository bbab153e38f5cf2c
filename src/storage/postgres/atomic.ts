import { randomUUID } from 'node:crypto';
import {
  type AtomicStore,
  type IndexOf,
  listId,
  requireFitKey,
  requireFitPage,
  requireFitPageSize,
  requireFitValue,
  type StoredValue,
} from '../atomic-store.ts';
import { type Database, readInteger, readText, replaced, type Row } from './database.ts';

/**
 * The atomic store in PostgreSQL: each operation is one statement, and every statement names the store by its id, so that
 * a claim in a database that was replaced is refused.
 * @param store the id that was found when it was opened
 */
export function postgresAtomicStore(database: Database, store: string, indexOf: IndexOf): AtomicStore {
  /** The long value that was read or written last: work on a large submission asks for its entry before each file. */
  let last: Written | null = null;
  const remember = (found: Written): StoredValue => {
    if (found.stored.value.length >= longValue) last = found;
    return found.stored;
  };

  const find = async (key: string): Promise<Written | null> => {
    const known = last?.stored.key === key ? last : null;
    const rows = await database.run(select, [key, known?.by ?? null]);
    const [row] = rows;
    if (row?.store !== store) throw replaced(database.place);
    if (row.version === null) return null;
    const by = readText(row, 'written');
    if (known?.by === by) return known;
    return { stored: { key, value: readText(row, 'value'), version: readInteger(row, 'version') }, by };
  };

  const insert = async (key: string, value: string) => {
    const by = randomUUID();
    const listed = listedIn(indexOf, key, value);
    for (;;) {
      const rows = await database.run(insertingStatement, [key, value, by, store, ...listed]);
      if (rows.length === 1) return { won: true, current: { key, value, version: 1 } };
      const found = await find(key);
      // Another process was about to insert it, and has not.
      if (found === null) continue;
      return { won: found.by === by, current: found.stored };
    }
  };

  const swap: AtomicStore['compareAndSet'] = async (key, version, value) => {
    const by = randomUUID();
    const mine = { stored: { key, value, version: version + 1 }, by };
    const given = [key, value, by, store, ...listedIn(indexOf, key, value), version];
    const rows = await database.run(swapping, given);
    if (rows.length === 1) return { outcome: 'swapped', current: remember(mine) };
    const found = await find(key);
    if (found === null) return { outcome: 'absent' };
    if (found.by === by) return { outcome: 'swapped', current: remember(mine) };
    return { outcome: 'changed', current: found.stored };
  };

  return {
    async get(key) {
      requireFitKey(key);
      const found = await find(key);
      return found === null ? null : remember(found);
    },

    async put(key, value) {
      requireFitKey(key);
      requireFitValue(value);
      for (let there = await find(key); ; there = await find(key)) {
        const written =
          there === null
            ? (await insert(key, value)).won
            : (await swap(key, there.stored.version, value)).outcome === 'swapped';
        if (written) return;
      }
    },

    async putIfAbsent(key, value) {
      requireFitKey(key);
      requireFitValue(value);
      return insert(key, value);
    },

    async compareAndSet(key, version, value) {
      requireFitKey(key);
      requireFitValue(value);
      return swap(key, version, value);
    },

    async scan(prefix, after, limit) {
      requireFitPage(prefix, after, limit);
      const end = endOf(prefix);
      const rows = await database.run(
        `SELECT key, value, version FROM artwork.atomic
         WHERE key >= $1 AND key > $2 ${end === null ? '' : 'AND key < $4'} ORDER BY key LIMIT $3`,
        [prefix, after ?? '', limit, ...(end === null ? [] : [end])],
      );
      return rows.map(entry);
    },

    async page({ lists, before, mark, limit }) {
      requireFitPageSize(limit);
      const below =
        before === null
          ? ''
          : 'AND (place, entry) < ($4, coalesce((SELECT id FROM artwork.atomic WHERE key = $5), 0))';
      const rows = await database.run(
        // A whole page of each list: the result may come from one of them alone.
        `SELECT key, value, version FROM (
           SELECT entry, max(place) AS place FROM unnest($1::text[]) AS asked (list) CROSS JOIN LATERAL (
             SELECT entry, place FROM artwork.listed
             WHERE listed.list = asked.list AND mark >= $2 ${below}
             ORDER BY place DESC, entry DESC LIMIT $3
           ) AS one GROUP BY entry ORDER BY max(place) DESC, entry DESC LIMIT $3
         ) AS page JOIN artwork.atomic ON id = entry ORDER BY place DESC, entry DESC`,
        [
          [...new Set(lists)].map(listId),
          mark,
          limit,
          ...(before === null ? [] : [before.place, before.key]),
        ],
      );
      return rows.map(entry);
    },

    async count(list) {
      const counting = 'SELECT count(*)::int AS entries FROM artwork.listed WHERE list = $1';
      const rows = await database.run(counting, [listId(list)]);
      return readInteger(rows[0] ?? {}, 'entries');
    },
  };
}

/** A value and the id of the write that made it. */
interface Written {
  readonly stored: StoredValue;
  readonly by: string;
}

/** Shorter ones are read again in no time. Characters. */
const longValue = 16 * 1024;

/** Always one row, which names the store. A value that the caller has is not sent again. */
const select = `
  SELECT store.id AS store, version, written, CASE WHEN written = $2 THEN NULL ELSE value END AS value
  FROM artwork.store LEFT JOIN artwork.atomic ON key = $1`;

const wanted = 'unnest($5::text[], $6::text[], $7::text[]) AS wanted (list, place, mark)';

/** What a claim is; its figures are measured beside the same statement of pgbench. */
const insertingStatement = `
  WITH won AS (
    INSERT INTO artwork.atomic (key, value, version, written)
    SELECT $1, $2, 1, $3 FROM artwork.store WHERE id = $4
    ON CONFLICT (key) DO NOTHING RETURNING id
  ), listed AS (
    INSERT INTO artwork.listed (list, place, entry, mark)
    SELECT list, place, won.id, mark FROM won, ${wanted}
  )
  SELECT id FROM won`;

const swapping = `
  WITH won AS (
    UPDATE artwork.atomic SET value = $2, version = version + 1, written = $3
    WHERE key = $1 AND version = $8 AND EXISTS (SELECT FROM artwork.store WHERE id = $4) RETURNING id
  ), unlisted AS (
    DELETE FROM artwork.listed AS old USING won WHERE entry = won.id
    AND NOT EXISTS (SELECT FROM ${wanted} WHERE wanted.list = old.list AND wanted.place = old.place)
  ), listed AS (
    INSERT INTO artwork.listed AS old (list, place, entry, mark)
    SELECT list, place, won.id, mark FROM won, ${wanted}
    ON CONFLICT (list, place, entry) DO UPDATE SET mark = excluded.mark WHERE old.mark <> excluded.mark
  )
  SELECT id FROM won`;

/** The columns of an entry's rows in its lists. */
function listedIn(indexOf: IndexOf, key: string, value: string): [string[], string[], string[]] {
  const rows = new Map(
    indexOf(key, value).map(({ list, place, mark }) => {
      const id = listId(list);
      return [`${id} ${place}`, { id, place, mark }];
    }),
  );
  const all = [...rows.values()];
  return [all.map(({ id }) => id), all.map(({ place }) => place), all.map(({ mark }) => mark)];
}

/** The first text after all that begin with this one; null where there is none. */
function endOf(prefix: string): string | null {
  const letters = [...prefix];
  for (let last = letters.pop(); last !== undefined; last = letters.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    // Between these no text has a letter.
    if (next <= 0x10ffff) return letters.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
  }
  return null;
}

function entry(row: Row): StoredValue {
  return { key: readText(row, 'key'), value: readText(row, 'value'), version: readInteger(row, 'version') };
}
