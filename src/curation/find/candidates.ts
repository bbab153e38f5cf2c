import type { TitleReference } from '../../model/sightings.ts';
import { keyOfTarget } from '../../model/target.ts';
import type { SqlRow, SqlValue } from '../../store/sql.ts';
import type { Asked } from './question.ts';
import type { Compared } from './score.ts';
import { columns, type Entry, entryIn, type TermTable } from './table.ts';
import { termsOf } from './terms.ts';

export type Rows = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

/** Of several terms one has to be there. */
export type Group = readonly string[];

/** Names of this many things that a title is for are compared. */
const mostTargets = 4;
const mostNumbered = 40;

export type Candidates = ReturnType<typeof createCandidates>;

/** The titles that may answer one question, and the names of the works that they belong to. */
export function createCandidates(rows: Rows) {
  const entries = new Map<number, Entry>();
  /** The last episodes of what was asked for. */
  const lasts = new Set<number>();
  const names = new Map<string, string | null>();
  /** Words of names: each is compared more than once. */
  const terms = new Map<string, readonly string[]>();
  const termsIn = (name: string): readonly string[] => {
    const known = terms.get(name) ?? termsOf(name);
    terms.set(name, known);
    return known;
  };
  const nameOf = (title: TitleReference) => names.get(keyOfTarget(title)) ?? null;

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
      for (const one of lacking) names.set(keyOfTarget(one), null);
      const wanted = JSON.stringify(lacking.map(({ kind, id }) => [kind, id]));
      // In this order SQLite looks each pair up in its index.
      const its = `SELECT its.id FROM json_each(?) CROSS JOIN title AS its
        ON its.kind = value ->> 0 AND its.ref = value ->> 1`;
      for (const entry of await read(`title WHERE id IN (${its})`, wanted))
        names.set(keyOfTarget(entry), entry.name);
    },
    nameOf,
    compared(entry: Entry): Compared {
      const around = belongsTo(entry).map((one) => termsIn(nameOf(one) ?? ''));
      const name = entry.kind === 'season' ? [] : termsIn(entry.name ?? '');
      const maker = entry.creator === null ? [] : [termsIn(entry.creator)];
      return { ...entry, isLast: lasts.has(entry.row), name, around: [...around, ...maker] };
    },
  };
}

function belongsTo({ show, targets }: Entry): TitleReference[] {
  const its = targets.slice(0, mostTargets);
  return show === null ? its : [{ kind: 'show', id: show }, ...its];
}
