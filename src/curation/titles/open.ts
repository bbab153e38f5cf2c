import { codeOfKind } from './kinds.ts';
import { IndexFile, type IndexFileOptions } from './index-file.ts';
import { forgetOne, learnAll, mergeSome } from './learn.ts';
import { jsonOf } from './record.ts';
import { search } from './search.ts';
import { idsFrom, seenIn } from './seen.ts';
import type { TitleIndex } from './title-index.ts';

/** Sightings of one transaction: others wait for it to end. */
const batch = 150;
/** How long an index says that it was begun anew. ms */
const rebuiltFor = 24 * 60 * 60_000;

export interface TitleIndexOptions extends IndexFileOptions {
  /** `ARTWORK_USER`: whose own things are found too. */
  readonly user: string;
  readonly now?: () => number;
}

/** Touches nothing before its first use. */
export function createTitleIndex(options: TitleIndexOptions): TitleIndex {
  const { user, now = Date.now } = options;
  const file = new IndexFile(options);
  return {
    async learn(sightings) {
      for (let at = 0; at < sightings.length; at += batch) {
        await file.write((sql) => learnAll(sql, sightings.slice(at, at + batch), now()));
        // A call that came meanwhile goes first.
        await new Promise(setImmediate);
      }
    },
    async forget(gone) {
      await file.write((sql) => forgetOne(sql, gone, now()));
    },
    search: (question) => file.read((sql) => search(sql, question, user)),
    idsFrom: (kind, digits, limit) => file.read((sql) => idsFrom(sql, kind, digits, limit)),
    seen: () => file.read(seenIn),
    async rebuilt() {
      const at = await file.setAsideAt();
      return at === null || now() - at > rebuiltFor ? null : new Date(at).toISOString();
    },
    due: (kind, readBefore, limit) =>
      file.read((sql) =>
        jsonOf(
          sql.row(
            `SELECT CAST(json_group_array(json_array(ref, name, read)) AS BLOB) AS found FROM
             (SELECT ref, name, read FROM title WHERE kind = ? AND (read IS NULL OR read < ?) ORDER BY read, ref LIMIT ?)`,
            [codeOfKind(kind), readBefore, limit],
          ),
        ).flatMap((cells) => {
          const [id, name, readAt]: unknown[] = Array.isArray(cells) ? cells : [];
          if (typeof id !== 'number' && typeof id !== 'string') return [];
          return [
            {
              kind,
              id,
              name: typeof name === 'string' ? name : null,
              readAt: typeof readAt === 'number' ? readAt : null,
            },
          ];
        }),
      ),
    note: (name) =>
      file.read((sql) => {
        const row = sql.row('SELECT value FROM note WHERE name = CAST(? AS TEXT)', [name]);
        return typeof row?.value === 'string' ? row.value : null;
      }),
    async setNote(name, value) {
      await file.write((sql) =>
        value === null
          ? sql.run('DELETE FROM note WHERE name = CAST(? AS TEXT)', [name])
          : sql.run('INSERT OR REPLACE INTO note (name, value) VALUES (CAST(? AS TEXT), CAST(? AS TEXT))', [
              name,
              value,
            ]),
      );
    },
    hold: (name, holder, forMs) =>
      file.write((sql) => {
        const at = now();
        const changed = sql.run(
          `INSERT INTO held (name, holder, until) VALUES (CAST(? AS TEXT), CAST(? AS TEXT), ?)
           ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
           WHERE held.until <= ? OR held.holder = excluded.holder`,
          [name, holder, at + forMs, at],
        );
        return changed > 0;
      }),
    async setComplete(at) {
      await this.setNote('complete', at === null ? null : String(at));
      if (at !== null) await mergeAll(file);
    },
    close: async () => file.close(),
  };
}

/** Once nothing more comes for a while, each full-text index becomes one segment; other work goes on between the steps. */
async function mergeAll(file: IndexFile): Promise<void> {
  for (const table of ['work_words', 'part_words']) {
    // Negative: segments of all levels are taken together (FTS5, the merge command).
    let isLeft = await file.write((sql) => mergeSome(sql, table, -pagesAtOnce));
    while (isLeft) {
      await new Promise(setImmediate);
      isLeft = await file.write((sql) => mergeSome(sql, table, pagesAtOnce));
    }
  }
}

const pagesAtOnce = 500;
