import { countDueIn, dueIn } from './due.ts';
import { isFull, largestIndex } from './size.ts';
import { IndexFile, type IndexFileOptions } from './index-file.ts';
import { forgetTitle, learnSightings, mergeIndexSegments } from './learn.ts';
import { searchTitles } from './search.ts';
import { idsFrom, seenIn } from './seen.ts';
import type { Note, TitleIndex } from './title-index.ts';
import type { Sql } from '../../storage/libsql/database.ts';

/** Sightings of one transaction: others wait for it to end. */
const batch = 150;
/** How long an index says that it was begun anew. ms */
const rebuiltFor = 24 * 60 * 60_000;

export interface TitleIndexOptions extends IndexFileOptions {
  /** `ARTWORK_USER`: whose own things are found too. */
  readonly user: string;
  readonly now?: () => number;
  /** Bytes that the file may have while titles are still added; `largestIndex` where left out. */
  readonly largest?: number;
}

/** Touches nothing before its first use. */
export function createTitleIndex(options: TitleIndexOptions): TitleIndex {
  const { user, now = Date.now, largest = largestIndex } = options;
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
    search: (question) => file.read((sql) => searchTitles(sql, question, user)),
    idsFrom: (kind, digits, limit) => file.read((sql) => idsFrom(sql, kind, digits, limit)),
    seen: () => file.read(seenIn),
    isFull: () => file.read((sql) => isFull(sql, largest)),
    async rebuilt() {
      const at = await file.setAsideAt();
      return at === null || now() - at > rebuiltFor ? null : new Date(at).toISOString();
    },
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
    hold: (name, holder, forMs, insteadOf = holder) =>
      file.write((sql) => {
        const at = now();
        const changed = sql.run(
          `INSERT INTO held (name, holder, until) VALUES (CAST(? AS TEXT), CAST(? AS TEXT), ?)
           ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
           WHERE held.until <= ? OR held.holder IN (excluded.holder, CAST(? AS TEXT))`,
          [name, holder, at + forMs, at, insteadOf],
        );
        return changed > 0;
      }),
    holderOf: (name) =>
      file.read((sql) => {
        const row = sql.row('SELECT holder FROM held WHERE name = CAST(? AS TEXT)', [name]);
        return typeof row?.holder === 'string' ? row.holder : null;
      }),
    async setComplete(at) {
      await this.setNote('complete', at === null ? null : String(at));
      if (at !== null) await mergeAll(file);
    },
    close: async () => file.close(),
  };
}

function putNote(sql: Sql, { name, value }: Note): number {
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
