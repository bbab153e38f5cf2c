import type { Transaction } from '../../store/libsql.ts';
import { IndexFile, type IndexFileOptions } from './index-file.ts';
import { forgetTitle, learnSightings, mergeIndexSegments } from './learn.ts';
import { listBy, titleReferenceOf } from './record.ts';
import { findTitles, searchTitles } from './search.ts';
import {
  codeOfKind,
  type DueOnly,
  isFull,
  kindOfCode,
  largestIndex,
  type Note,
  type Seen,
  type TitleIndex,
  type TitleKind,
  type TitleReference,
} from './title-index.ts';

/** Sightings of one transaction: others wait for it to end. */
const batch = 150;
/** How long an index says that it was begun anew. ms */
const rebuiltFor = 24 * 60 * 60_000;

/** Bytes that the part of one account may have: far more than one account makes. */
export const largestOwnIndex = 64 * 1024 ** 2;

interface TitleIndexOptions extends IndexFileOptions {
  readonly now?: () => number;
  /** Bytes that the file may have while titles are still added; `largestIndex` where left out. */
  readonly largest?: number | undefined;
}

/** Touches nothing before its first use. */
export function createTitleIndex(options: TitleIndexOptions): TitleIndex {
  const { now = Date.now, largest = largestIndex } = options;
  const file = new IndexFile(options);
  return {
    async learn(sightings, note) {
      let at = 0;
      do {
        const some = sightings.slice(at, at + batch);
        at += batch;
        const isLast = at >= sightings.length;
        await file.write((sql) => {
          learnSightings(sql, some, now(), isFull(sql, largest));
          if (isLast && note !== undefined) putNote(sql, note);
        });
        // A call that came meanwhile goes first.
        await new Promise(setImmediate);
      } while (at < sightings.length);
    },
    async forget(gone) {
      await file.write((sql) => forgetTitle(sql, gone, now()));
    },
    search: (question) => file.read((sql) => searchTitles(sql, question)),
    find: (titles) => file.read((sql) => findTitles(sql, titles)),
    idsFrom: (kind, digits, limit) => file.read((sql) => idsFrom(sql, kind, digits, limit)),
    seen: () => file.read(seenIn),
    isFull: () => file.read((sql) => isFull(sql, largest)),
    async rebuilt() {
      const at = await file.setAsideAt();
      return at === null || now() - at > rebuiltFor ? null : new Date(at).toISOString();
    },
    changed: (limit) =>
      file.read((sql) => {
        const newest =
          '(SELECT kind, ref FROM title WHERE changed IS NOT NULL ORDER BY changed DESC LIMIT ?)';
        return listBy(sql, 'kind, ref', newest, [limit]).flatMap(titleReferenceOf);
      }),
    due: (kind, readBefore, limit, only) => file.read((sql) => dueIn(sql, kind, readBefore, limit, only)),
    countDue: (wanted, readBefore) => file.read((sql) => countDueIn(sql, wanted, readBefore)),
    note: (name) =>
      file.read((sql) => {
        const row = sql.row('SELECT value FROM note WHERE name = CAST(? AS TEXT)', [name]);
        return typeof row?.value === 'string' ? row.value : null;
      }),
    async setNote(name, value) {
      await file.write((sql) =>
        value === null
          ? sql.run('DELETE FROM note WHERE name = CAST(? AS TEXT)', [name])
          : putNote(sql, { name, value }),
      );
    },
    swapNote: (name, before, after) =>
      file.write((sql) => {
        const add =
          'INSERT INTO note (name, value) VALUES (CAST(? AS TEXT), CAST(? AS TEXT)) ON CONFLICT DO NOTHING';
        if (before === null) return after === null || sql.run(add, [name, after]) > 0;
        const unchanged = 'WHERE name = CAST(? AS TEXT) AND value = CAST(? AS TEXT)';
        return after === null
          ? sql.run(`DELETE FROM note ${unchanged}`, [name, before]) > 0
          : sql.run(`UPDATE note SET value = CAST(? AS TEXT) ${unchanged}`, [after, name, before]) > 0;
      }),
    async setComplete(at) {
      await this.setNote('complete', at === null ? null : String(at));
      if (at !== null) await mergeAll(file);
    },
    close: async () => file.close(),
  };
}

function putNote(sql: Transaction, { name, value }: Note): number {
  const put = 'INSERT OR REPLACE INTO note (name, value) VALUES (CAST(? AS TEXT), CAST(? AS TEXT))';
  return sql.run(put, [name, value]);
}

/** Once nothing more comes for a while, each full-text index becomes one segment; other work goes on between the steps. */
async function mergeAll(file: IndexFile): Promise<void> {
  for (const table of ['work_words', 'part_words']) {
    // Negative: segments of all levels are taken together (FTS5, the merge command).
    let isLeft = await file.write((sql) => mergeIndexSegments(sql, table, -pagesAtOnce));
    while (isLeft) {
      await new Promise(setImmediate);
      isLeft = await file.write((sql) => mergeIndexSegments(sql, table, pagesAtOnce));
    }
  }
}

const pagesAtOnce = 500;

/** What a reading of the catalogue has to go to: never read first, then those read before a moment (ms), by id. */
function dueIn(
  sql: Transaction,
  kind: TitleKind,
  readBefore: number,
  limit: number,
  only: DueOnly = 'unread',
): TitleReference[] {
  // Two questions, each answered by its index: as one, all that were never read would be sorted each time.
  const ask = (which: string, rest: readonly number[]) => {
    const rows = `(SELECT kind, ref FROM title WHERE kind = ? AND ${which} LIMIT ?)`;
    return listBy(sql, 'kind, ref', rows, [codeOfKind(kind), ...rest]).flatMap(titleReferenceOf);
  };
  const unnamed = only === 'unnamed' ? 'AND name IS NULL' : '';
  const never = ask(`read IS NULL ${unnamed} ORDER BY ref`, [limit]);
  if (never.length >= limit) return never;
  return [...never, ...ask(`read < ? ${unnamed} ORDER BY read`, [readBefore, limit - never.length])];
}

/** How many titles a reading of the catalogue has to go to, of all these kinds together. */
function countDueIn(
  sql: Transaction,
  wanted: readonly (readonly [TitleKind, DueOnly])[],
  readBefore: number,
): number {
  const whole = new Set(wanted.filter(([, only]) => only === 'unread').map(([kind]) => kind));
  return wanted.reduce((sum, [kind, only]) => {
    // Those without a name are among those that were not read.
    if (only === 'unnamed' && whole.has(kind)) return sum;
    const unnamed = only === 'unnamed' ? 'AND name IS NULL' : '';
    const counted = sql.row(
      `SELECT (SELECT count(*) FROM title WHERE kind = ? AND read IS NULL ${unnamed}) +
              (SELECT count(*) FROM title WHERE kind = ? AND read < ? ${unnamed}) AS due`,
      [codeOfKind(kind), codeOfKind(kind), readBefore],
    );
    return sum + (typeof counted?.due === 'number' ? counted.due : 0);
  }, 0);
}

/** What the index has seen so far: how many titles of each kind, and how recent they are. */
function seenIn(sql: Transaction): Seen {
  const tallies = listBy(sql, 'kind, named, latest', 'tally').flatMap(([code, named, latest]) =>
    typeof named === 'number' && typeof latest === 'number'
      ? [{ kind: kindOfCode(code), named, latest }]
      : [],
  );
  const named = (kind?: TitleKind) =>
    tallies
      .filter((tally) => kind === undefined || tally.kind === kind)
      .reduce((sum, tally) => sum + tally.named, 0);
  const note = sql.row("SELECT value FROM note WHERE name = 'complete'", []);
  const completeAt = typeof note?.value === 'string' ? Number(note.value) : Number.NaN;
  const complete = Number.isSafeInteger(completeAt);
  const latest = Math.max(0, ...tallies.map((tally) => tally.latest));
  const at = complete ? completeAt : latest;
  return {
    titles: named(),
    shows: named('show'),
    films: named('movie'),
    complete,
    asOf: at === 0 ? null : new Date(at).toISOString(),
  };
}

/** Longer ids are none of a catalogue's. */
const mostDigits = 15;

/** Numbers that begin with the same digits lie in one range for each length: no row between is looked at. */
function idsFrom(sql: Transaction, kind: TitleKind, digits: string, limit: number): number[] {
  if (!/^[1-9]\d*$/.test(digits)) return [];
  const found: number[] = [];
  for (let more = 0; digits.length + more <= mostDigits && found.length < limit; more += 1) {
    const from = Number(digits) * 10 ** more;
    const rows = sql.rows(
      'SELECT ref FROM title WHERE kind = ? AND ref >= ? AND ref < ? ORDER BY ref LIMIT ?',
      [codeOfKind(kind), from, from + 10 ** more, limit - found.length],
    );
    found.push(...rows.flatMap(({ ref }) => (typeof ref === 'number' ? [ref] : [])));
  }
  return found;
}
