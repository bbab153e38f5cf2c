import type { TitleReference } from '../../model/sightings.ts';
import type { SqlRow, SqlValue } from '../../store/sql.ts';
import type { Compared } from './score.ts';
import { columns, type Entry, entryIn, hashOf, ofWorks, type TermTable } from './table.ts';
import { keyOf, termsOf } from './terms.ts';

export type Rows = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

/** Of several terms one has to be there. */
export type Group = readonly string[];

/** Stands for each term that begins so. */
export function begunBy(term: string): string {
  return `${term}*`;
}

/** Names of this many things that a title is for are compared. */
const mostTargets = 4;
const mostKeyed = 30;
const mostNumbered = 40;

export type Candidates = ReturnType<typeof createCandidates>;

/** The titles that may answer one question, and the names of the works that they belong to. */
export function createCandidates(rows: Rows) {
  const entries = new Map<number, Entry>();
  const names = new Map<string, string | null>();
  const terms = new Map<string, readonly string[]>();
  /** The last episodes of what was asked for. */
  const lasts = new Set<number>();

  const select = async (where: string, ...values: readonly SqlValue[]): Promise<Entry[]> => {
    const found = await rows(`SELECT ${columns} FROM title WHERE ${where}`, ...values);
    const read = found.flatMap((row) => entryIn(row) ?? []);
    for (const entry of read) entries.set(entry.row, entry);
    return read;
  };
  const nameOf = (title: TitleReference) => names.get(placeOf(title)) ?? null;
  const termsIn = (name: string | null): readonly string[] => {
    const read = terms.get(name ?? '') ?? termsOf(name ?? '');
    terms.set(name ?? '', read);
    return read;
  };
  return {
    entries,
    /** @returns how many have a term of each group, up to `most` of them */
    async match(table: TermTable, groups: readonly Group[], most: number): Promise<number> {
      // Terms are letters, figures and pictograms, and "_" before one of ours: none can end a quotation.
      const quoted = (term: string) => (term.endsWith('*') ? `"${term.slice(0, -1)}"*` : `"${term}"`);
      const wanted = groups.map((group) => `(${group.map(quoted).join(' OR ')})`);
      const ids = `SELECT rowid FROM ${table} WHERE ${table} MATCH ? LIMIT ${most}`;
      return (await select(`id IN (${ids})`, wanted.join(' AND '))).length;
    },
    /** Works that are some of the words, which follow each other, however they are separated. */
    async keyed(words: readonly string[]): Promise<void> {
      const keys = words.flatMap((_, from) =>
        words.slice(from).map((__, length) => hashOf(keyOf(words.slice(from, from + length + 1)))),
      );
      // Of many keys SQLite would rather look through all works.
      const works = `SELECT id FROM title INDEXED BY title_work
        WHERE key IN (SELECT value FROM json_each(?)) AND ${ofWorks} LIMIT ${mostKeyed}`;
      await select(`id IN (${works})`, JSON.stringify(keys));
    },
    /** Adds the season or episode of a show that has this number. */
    async numbered(show: number, season: number | null, episode: number | 'last' | null): Promise<void> {
      const [its, place] = season === null ? ['', [show]] : ['AND season = ?', [show, season]];
      if (episode === 'last') {
        const order = 'ORDER BY season DESC, episode DESC LIMIT 1';
        const last = await select(`show = ? ${its} AND episode IS NOT NULL ${order}`, ...place);
        for (const { row } of last) lasts.add(row);
      } else if (episode !== null) {
        await select(`show = ? ${its} AND episode = ? LIMIT ${mostNumbered}`, ...place, episode);
      } else if (season !== null) await select(`show = ? ${its} AND kind = 'season'`, ...place);
    },
    /** Reads the names of shows for their episodes, and of what Sets are for. */
    async learnNames(): Promise<void> {
      const wanted = new Map<string, number[]>();
      for (const title of [...entries.values()].flatMap(belongsTo)) {
        if (names.has(placeOf(title))) continue;
        names.set(placeOf(title), null);
        wanted.set(title.kind, [...(wanted.get(title.kind) ?? []), Number(title.id)]);
      }
      for (const [kind, ids] of wanted) {
        const its = 'kind = ? AND ref IN (SELECT value FROM json_each(?))';
        const found = await rows(`SELECT ${columns} FROM title WHERE ${its}`, kind, JSON.stringify(ids));
        for (const entry of found.flatMap((row) => entryIn(row) ?? [])) names.set(placeOf(entry), entry.name);
      }
    },
    nameOf,
    compared(entry: Entry): Compared {
      const around = [...belongsTo(entry).map(nameOf), entry.creator].filter((name) => name !== null);
      const name = entry.kind === 'season' ? [] : termsIn(entry.name);
      return { ...entry, isLast: lasts.has(entry.row), name, around: around.map(termsIn) };
    },
  };
}

function belongsTo({ show, targets }: Entry): TitleReference[] {
  const its = targets.slice(0, mostTargets);
  return show === null ? its : [{ kind: 'show', id: show }, ...its];
}

function placeOf({ kind, id }: TitleReference): string {
  return `${kind} ${id}`;
}
