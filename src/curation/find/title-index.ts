import type { SqlRow } from '../../store/sql.ts';
import { searchTitles } from './search.ts';
import { otherTermsOf, termsOf, wholeName } from './terms.ts';
import { type Statement, TitleFile, type TitleFileOptions } from './title-file.ts';
import {
  isTitleKind,
  readKinds,
  type Sighting,
  type TitleKind,
  type TitleReference,
  type TitleSearch,
} from './titles.ts';

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
  const seen = async () => {
    const rows = await file.read(
      `SELECT count(*) AS titles, count(*) FILTER (WHERE kind = 'show') AS shows,
         count(*) FILTER (WHERE kind = 'movie') AS films, max(seen) AS latest
       FROM title WHERE name IS NOT NULL AND owner = ''`,
      [],
    );
    const [{ titles, shows, films, latest } = {}] = rows;
    const completeAt = Number((await note('complete')) ?? 0);
    const at = completeAt > 0 ? completeAt : Number(latest ?? 0);
    return {
      ...{ titles: Number(titles), shows: Number(shows), films: Number(films) },
      complete: completeAt > 0,
      asOf: at === 0 ? null : new Date(at).toISOString(),
    };
  };

  return {
    /**
     * Keeps what was seen, and with the last of it a note; written when it resolves.
     * @param owner '' for what everybody sees, else the account that it was shown to
     */
    async learn(
      sightings: readonly Sighting[],
      owner = '',
      last?: { readonly name: string; readonly value: string },
    ) {
      const full = await isFull();
      for (let at = 0; at === 0 || at < sightings.length; at += batch) {
        const some = full ? [] : sightings.slice(at, at + batch);
        const isLast = at + batch >= sightings.length;
        await file.write([
          ...some.flatMap((sighting) => learnt(sighting, owner, now())),
          ...(isLast && last !== undefined ? [noted(last.name, last.value)] : []),
        ]);
        // A call that came meanwhile goes first.
        await new Promise(setImmediate);
      }
    },

    /** The catalogue does not have it any more: it is found no longer. */
    async forget({ kind, id }: TitleReference) {
      const which = `(SELECT at FROM title WHERE kind = CAST(? AS TEXT) AND id = ${idOf(id)})`;
      await file.write([
        [`DELETE FROM term WHERE rowid IN ${which}`, [kind, id]],
        [`DELETE FROM target WHERE of IN ${which}`, [kind, id]],
        [`DELETE FROM title WHERE at IN ${which}`, [kind, id]],
      ]);
    },

    /** The search of one account: what everybody sees and what only it sees, as one. */
    searchFor(owner: string): TitleSearch {
      return {
        search: (question) => searchTitles(file, question, owner),
        seen,
        isFull,
      };
    },
    seen,
    isFull,

    // For the reader of the catalogue.

    /** Works that a feed has named since they were read, the newest change first. */
    async changed(limit: number): Promise<readonly TitleReference[]> {
      return referencesIn(
        await file.read(
          `SELECT kind, id FROM title WHERE changed > coalesce(read, -1) AND kind IN (${workKinds})
           ORDER BY changed DESC LIMIT ?`,
          [limit],
        ),
      );
    },
    /** Works that were never read themselves, then those that were not read since a moment (ms), the oldest first. */
    async due(readBefore: number, limit: number): Promise<readonly TitleReference[]> {
      const which = `SELECT kind, id FROM title WHERE owner = '' AND kind IN (${workKinds})`;
      const never = referencesIn(await file.read(`${which} AND read IS NULL ORDER BY at LIMIT ?`, [limit]));
      if (never.length > 0) return never;
      return referencesIn(
        await file.read(`${which} AND read < ? ORDER BY read LIMIT ?`, [readBefore, limit]),
      );
    },
    async countDue(readBefore: number): Promise<number> {
      const [row] = await file.read(
        `SELECT count(*) AS due FROM title WHERE owner = '' AND kind IN (${workKinds}) AND coalesce(read, -1) < ?`,
        [readBefore],
      );
      return Number(row?.due ?? 0);
    },
    note,
    async setNote(name: string, value: string) {
      await file.write([noted(name, value)]);
    },
    /** Sets a note as long as it is still `before` (null: there is none). @returns whether it did */
    async swapNote(name: string, before: string | null, after: string): Promise<boolean> {
      const [changed] = await file.write([
        before === null
          ? [
              'INSERT INTO note (name, value) VALUES (CAST(? AS TEXT), CAST(? AS TEXT)) ON CONFLICT DO NOTHING',
              [name, after],
            ]
          : [
              'UPDATE note SET value = CAST(? AS TEXT) WHERE name = CAST(? AS TEXT) AND value = CAST(? AS TEXT)',
              [after, name, before],
            ],
      ]);
      return changed === 1;
    },
    close: () => file.close(),
  };
}

const workKinds = readKinds.map((kind) => `'${kind}'`).join(', ');

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

const texts = ['name', 'creator', 'updated'] as const;
const numbers = ['year', 'show', 'season', 'episode'] as const;

/** What writes one sighting down: the row, the terms of its name where that is another one, and what it is for. */
function learnt(sighting: Sighting, owner: string, now: number): Statement[] {
  const { kind, id, name = null, targets = [], isOwn = false, whole = false, changed } = sighting;
  const of = `kind = CAST(? AS TEXT) AND id = ${idOf(id)} AND owner = CAST(? AS TEXT)`;
  const key = [kind, id, owner];
  const statements: Statement[] = [
    [
      `INSERT INTO title (kind, id, owner, seen) VALUES (CAST(? AS TEXT), ${idOf(id)}, CAST(? AS TEXT), ?)
       ON CONFLICT DO NOTHING`,
      [...key, now],
    ],
  ];
  if (name !== null) {
    const isOther = `${of} AND name IS NOT CAST(? AS TEXT)`;
    const { terms, words } = termsFor(kind, name);
    statements.push(
      [
        `INSERT OR REPLACE INTO term (rowid, terms) SELECT at, CAST(? AS TEXT) FROM title WHERE ${isOther}`,
        [terms.join(' '), ...key, name],
      ],
      [
        'INSERT INTO spelling (word) SELECT value FROM json_each(CAST(? AS TEXT)) WHERE true ON CONFLICT DO NOTHING',
        [JSON.stringify(words)],
      ],
    );
  }
  const set = [
    ...texts.map((column) => `${column} = coalesce(CAST(? AS TEXT), ${column})`),
    ...numbers.map((column) => `${column} = coalesce(?, ${column})`),
  ];
  statements.push([
    `UPDATE title SET ${set.join(', ')}, own = max(own, ?), seen = ?, read = coalesce(?, read),
       changed = max(coalesce(changed, ?), coalesce(?, changed)) WHERE ${of}`,
    [
      ...texts.map((column) => sighting[column] ?? null),
      ...numbers.map((column) => sighting[column] ?? null),
      ...[Number(isOwn), now, whole ? now : null, changed ?? null, changed ?? null, ...key],
    ],
  ]);
  if (targets.length > 0) {
    statements.push([`DELETE FROM target WHERE of = (SELECT at FROM title WHERE ${of})`, key]);
    for (const [place, target] of targets.entries()) {
      statements.push([
        `INSERT INTO target (kind, id, of, place) SELECT CAST(? AS TEXT), ${idOf(target.id)}, at, ? FROM title WHERE ${of}
         ON CONFLICT DO NOTHING`,
        [target.kind, target.id, place, ...key],
      ]);
    }
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

function referencesIn(rows: readonly SqlRow[]): TitleReference[] {
  return rows.flatMap(({ kind, id }) => {
    const isId = typeof id === 'number' || typeof id === 'string';
    return typeof kind === 'string' && isTitleKind(kind) && isId ? [{ kind, id }] : [];
  });
}
