import { referenceOf, searchTitles } from './search.ts';
import { otherTermsOf, termsOf, wholeName } from './terms.ts';
import { type Statement, TitleFile, type TitleFileOptions } from './title-file.ts';
import { readKinds, type Sighting, type TitleKind, type TitleReference, type TitleSearch } from './titles.ts';

export type TitleIndex = ReturnType<typeof createTitleIndex>;

/** Sightings of one transaction: others wait for it to end. */
const batch = 150;

interface Options extends TitleFileOptions {
  readonly now?: () => number;
  /** Bytes that the file may have while titles are still learnt: room for some four million. */
  readonly largest?: number;
}

/**
 * Everything that was read of one service, to be found by name. Nothing is touched before the first use.
 * Rejections are ArtworkErrors of the store: store_full, store_busy, store_unsupported, store_unreadable.
 */
export function createTitleIndex({ now = Date.now, largest = 1024 ** 3, ...options }: Options) {
  const file = new TitleFile(options);

  const note = async (name: string): Promise<string | null> => {
    const [row] = await file.read('SELECT value FROM note WHERE name = CAST(? AS TEXT)', [name]);
    return typeof row?.value === 'string' ? row.value : null;
  };
  const isFull = async (): Promise<boolean> => {
    // What is free within the file is used first, so it counts as room.
    const [row] = await file.read(
      `SELECT (page_count - freelist_count) * page_size AS bytes
       FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
      [],
    );
    return typeof row?.bytes === 'number' && row.bytes >= largest;
  };
  const search: TitleSearch = {
    search: (question) => searchTitles(file, question),
    isFull,
    async seen() {
      const rows = await file.read(
        `SELECT count(*) AS titles, count(*) FILTER (WHERE kind = 'show') AS shows,
           count(*) FILTER (WHERE kind = 'movie') AS films, max(seen) AS latest
         FROM title WHERE name IS NOT NULL`,
        [],
      );
      const [{ titles, shows, films, latest } = {}] = rows;
      const completeAt = Number((await note('complete')) ?? 0);
      const at = completeAt || Number(latest ?? 0);
      return {
        ...{ titles: Number(titles), shows: Number(shows), films: Number(films) },
        complete: completeAt > 0,
        asOf: at === 0 ? null : new Date(at).toISOString(),
      };
    },
  };

  return {
    ...search,
    /** Keeps what was seen, and with the last of it a note; written when it resolves. */
    async learn(
      sightings: readonly Sighting[],
      last?: { readonly name: string; readonly value: string },
    ): Promise<void> {
      const some = (await isFull()) ? [] : sightings;
      for (let at = 0; at === 0 || at < some.length; at += batch) {
        const isLast = at + batch >= some.length;
        await file.write([
          ...some.slice(at, at + batch).flatMap((sighting) => learnt(sighting, now())),
          ...(isLast && last !== undefined ? [noted(last.name, last.value)] : []),
        ]);
        // A call that came meanwhile goes first.
        await new Promise(setImmediate);
      }
    },

    /** The catalogue does not have it any more: it is found no longer. */
    async forget({ kind, id }: TitleReference): Promise<void> {
      const which = `(SELECT at FROM title WHERE ${isIt(id)})`;
      await file.write([
        [`DELETE FROM term WHERE rowid IN ${which}`, [kind, id]],
        [`DELETE FROM target WHERE of IN ${which}`, [kind, id]],
        [`DELETE FROM title WHERE ${isIt(id)}`, [kind, id]],
      ]);
    },

    /**
     * Works to be read: those that a feed has named since they were read, the newest change first; those that were
     * never read; those that were not read since a moment (ms), the oldest first.
     */
    async wanted(readBefore: number, limit: number): Promise<readonly TitleReference[]> {
      const whiches: Statement[] = [
        ['changed > coalesce(read, -1) ORDER BY changed DESC LIMIT ?', [limit]],
        ['read IS NULL ORDER BY at LIMIT ?', [limit]],
        ['read < ? ORDER BY read LIMIT ?', [readBefore, limit]],
      ];
      const found: TitleReference[] = [];
      for (const [which, parameters] of whiches) {
        const rows = await file.read(`SELECT kind, id FROM title WHERE ${isWork} AND ${which}`, parameters);
        found.push(...rows.flatMap(({ kind, id }) => referenceOf(kind, id) ?? []));
      }
      return found;
    },
    async countWanted(readBefore: number): Promise<number> {
      const sql = `SELECT count(*) AS due FROM title WHERE ${isWork} AND coalesce(read, -1) < ?`;
      const [row] = await file.read(sql, [readBefore]);
      return Number(row?.due ?? 0);
    },
    note,
    async setNote(name: string, value: string): Promise<void> {
      await file.write([noted(name, value)]);
    },
    /** Sets a note as long as it is still `before` (null: there is none). @returns whether it did */
    async swapNote(name: string, before: string | null, after: string): Promise<boolean> {
      const [text, whenAbsent] = ['CAST(? AS TEXT)', 'ON CONFLICT DO NOTHING'];
      const [changed] = await file.write([
        before === null
          ? [`INSERT INTO note (name, value) VALUES (${text}, ${text}) ${whenAbsent}`, [name, after]]
          : [
              `UPDATE note SET value = ${text} WHERE name = ${text} AND value = ${text}`,
              [after, name, before],
            ],
      ]);
      return changed === 1;
    },
    close: () => file.close(),
  };
}

const isWork = `kind IN (${readKinds.map((kind) => `'${kind}'`).join(', ')})`;

function noted(name: string, value: string): Statement {
  return [
    'INSERT OR REPLACE INTO note (name, value) VALUES (CAST(? AS TEXT), CAST(? AS TEXT))',
    [name, value],
  ];
}

/** How an id stands in a statement: a number is another one than the same digits as text. */
function idOf(id: TitleReference['id']): string {
  return typeof id === 'number' ? '?' : 'CAST(? AS TEXT)';
}

/** Which row is that of a title; with its kind and id as parameters. */
function isIt(id: TitleReference['id']): string {
  return `kind = CAST(? AS TEXT) AND id = ${idOf(id)}`;
}

const texts = ['name', 'creator', 'updated'] as const;
const numbers = ['year', 'show', 'season', 'episode'] as const;
const isToldNow = [
  ...texts.map((column) => `${column} = coalesce(CAST(? AS TEXT), ${column})`),
  ...numbers.map((column) => `${column} = coalesce(?, ${column})`),
].join(', ');

/** What writes one sighting down: the row, the terms of its name where that is another one, and what it is for. */
function learnt(sighting: Sighting, now: number): Statement[] {
  const { kind, id, name = null, targets = [], whole = false, changed = null } = sighting;
  const key = [kind, id];
  const statements: Statement[] = [
    [
      `INSERT INTO title (kind, id, seen) VALUES (CAST(? AS TEXT), ${idOf(id)}, ?)
       ON CONFLICT DO NOTHING`,
      [...key, now],
    ],
  ];
  if (name !== null) {
    const { terms, words } = termsFor(kind, name);
    statements.push(
      [
        `INSERT OR REPLACE INTO term (rowid, terms) SELECT at, CAST(? AS TEXT) FROM title
         WHERE ${isIt(id)} AND name IS NOT CAST(? AS TEXT)`,
        [terms.join(' '), ...key, name],
      ],
      [
        `INSERT INTO spelling (word) SELECT value FROM json_each(CAST(? AS TEXT)) WHERE true
         ON CONFLICT DO NOTHING`,
        [JSON.stringify(words)],
      ],
    );
  }
  statements.push([
    `UPDATE title SET ${isToldNow}, seen = ?, read = coalesce(?, read),
       changed = max(coalesce(changed, ?), coalesce(?, changed)) WHERE ${isIt(id)}`,
    [
      ...[...texts, ...numbers].map((column) => sighting[column] ?? null),
      ...[now, whole ? now : null, changed, changed, ...key],
    ],
  ]);
  if (targets.length > 0) {
    statements.push([`DELETE FROM target WHERE of = (SELECT at FROM title WHERE ${isIt(id)})`, key]);
  }
  for (const [place, target] of targets.entries()) {
    statements.push([
      `INSERT INTO target (kind, id, of, place) SELECT CAST(? AS TEXT), ${idOf(target.id)}, at, ? FROM title
       WHERE ${isIt(id)} ON CONFLICT DO NOTHING`,
      [target.kind, target.id, place, ...key],
    ]);
  }
  return statements;
}

/** `terms`: by which it is found; `words`: those that people may type wrongly. */
function termsFor(kind: TitleKind, name: string) {
  const own = termsOf(name).slice(0, mostTerms);
  const isPart = kind === 'episode' || kind === 'season';
  const others = isPart ? [] : [...otherTermsOf(name).keys()].slice(0, mostTerms);
  return {
    terms: [...own, ...others, wholeName(own)],
    words: [...new Set([...own, ...others])].filter((word) => /^\p{L}{4,24}$/u.test(word)),
  };
}

/** No title has so many words that matter. */
const mostTerms = 60;
