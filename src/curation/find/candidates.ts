import type { TitleReference } from '../../model/sightings.ts';
import { keyOfTarget } from '../../model/target.ts';
import type { SqlRow, SqlValue } from '../../store/sql.ts';
import type { Asked } from './question.ts';
import type { Compared } from './score.ts';
import { columns, type Entry, entryIn, hashOf, ofWorks, type TermTable } from './table.ts';
import { keyOf, termsOf } from './terms.ts';

export type Rows = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

/** Of several terms one has to be there. */
export type Group = readonly string[];

/** Names of this many things that a title is for are compared. */
const mostTargets = 4;
const mostKeyed = 30;
const mostNumbered = 40;

export type Candidates = ReturnType<typeof createCandidates>;

/** The titles that may answer one question, and the names of the works that they belong to. */
export function createCandidates(rows: Rows) {
  const entries = new Map<number, Entry>();
  /** The last episodes of what was asked for. */
  const lasts = new Set<number>();
  const names = new Map<string, { readonly name: string | null; readonly terms: readonly string[] }>();

  const read = async (from: string, ...values: readonly SqlValue[]): Promise<Entry[]> =>
    (await rows(`SELECT ${columns} FROM ${from}`, ...values)).flatMap((row) => entryIn(row) ?? []);
  const select = async (where: string, ...values: readonly SqlValue[]): Promise<Entry[]> => {
    const found = await read(`title WHERE ${where}`, ...values);
    for (const entry of found) entries.set(entry.row, entry);
    return found;
  };
  return {
    entries,
    /** @returns how many have a term of each group, up to `most` of them */
    async match(table: TermTable, groups: readonly Group[], most: number): Promise<number> {
      // Terms are letters, figures and pictograms, and "_" before one of ours: none can end a quotation.
      const wanted = groups.map((group) => `(${group.map((term) => `"${term}"`).join(' OR ')})`);
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
    /** Adds the season or episode of a show that is asked for by its number. */
    async numbered(show: number, { season, episode }: Asked): Promise<void> {
      const [its, place] =
        season === null ? ['show = ?', [show]] : ['show = ? AND season = ?', [show, season]];
      if (episode === 'last') {
        const order = 'ORDER BY season DESC, episode DESC LIMIT 1';
        const last = await select(`${its} AND episode IS NOT NULL ${order}`, ...place);
        for (const { row } of last) lasts.add(row);
      } else if (episode !== null) {
        await select(`${its} AND episode = ? LIMIT ${mostNumbered}`, ...place, episode);
      } else if (season !== null) await select(`${its} AND kind = 'season'`, ...place);
    },
    /** Reads the names of shows for their episodes, and of what Sets are for. */
    async learnNames(): Promise<void> {
      const lacking = [...entries.values()].flatMap(belongsTo).filter((one) => !names.has(keyOfTarget(one)));
      for (const one of lacking) names.set(keyOfTarget(one), { name: null, terms: [] });
      const wanted = JSON.stringify(lacking.map(({ kind, id }) => [kind, id]));
      const its = 'title WHERE (kind, ref) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))';
      for (const entry of await read(its, wanted))
        names.set(keyOfTarget(entry), { name: entry.name, terms: termsOf(entry.name ?? '') });
    },
    nameOf: (title: TitleReference) => names.get(keyOfTarget(title))?.name ?? null,
    compared(entry: Entry): Compared {
      const around = belongsTo(entry).map((one) => names.get(keyOfTarget(one))?.terms ?? []);
      const name = entry.kind === 'season' ? [] : termsOf(entry.name ?? '');
      const maker = entry.creator === null ? [] : [termsOf(entry.creator)];
      return { ...entry, isLast: lasts.has(entry.row), name, around: [...around, ...maker] };
    },
  };
}

function belongsTo({ show, targets }: Entry): TitleReference[] {
  const its = targets.slice(0, mostTargets);
  return show === null ? its : [{ kind: 'show', id: show }, ...its];
}
