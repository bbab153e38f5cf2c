import { allSlots, isEntityKind } from '../catalogue/records/kinds.ts';
import { isRecord } from '../catalogue/records/members.ts';
import { groupedBy } from '../grouped-by.ts';
import { numberCode } from './words.ts';

/** One line of a Set's glance: how many of a kind of holder have a picture in a slot, and which lack it. */
interface SlotCount {
  /** show, season, episode, movie, game, collection, network, company, item for any other, or set for the group's own poster. */
  readonly of: string;
  readonly slot: string;
  readonly has: number;
  readonly total: number;
  /** Those that lack it, in their order; what follows one another is one entry. */
  readonly lacks?: string[];
}

/** The Asset path members of the interface document (Resources, Conventions). */
const slots: ReadonlySet<string> = new Set(allSlots);

/** What a list of a Set holds, by the names that the interface document has; any other is text of the service. */
const listed: ReadonlyMap<string, string> = new Map([
  ['seasons', 'season'],
  ['episodes', 'episode'],
  ['movies', 'movie'],
  ['networks', 'network'],
  ['companies', 'company'],
]);

interface Holder {
  readonly of: string;
  /** May hold a title. */
  readonly name: string;
  /** The numbers of its season and its episode alone, as in S01E03; null where it has none. */
  readonly numbers: string | null;
  /** What it stands in: episodes are named together when a whole season lacks them. */
  readonly within: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** What a Set has and lacks, slot by slot. A path is there or null; what the Set does not list is not counted. */
export function gapsOf(set: Readonly<Record<string, unknown>>): SlotCount[] {
  const counts = new Map<string, { of: string; slot: string; has: Holder[]; lacks: Holder[] }>();
  for (const holder of holdersOf(set)) {
    for (const [slot, path] of Object.entries(holder.record)) {
      if (!slots.has(slot) || (path !== null && typeof path !== 'string')) continue;
      const key = `${holder.of} ${slot}`;
      const count = counts.get(key) ?? { of: holder.of, slot, has: [], lacks: [] };
      (path === null ? count.lacks : count.has).push(holder);
      counts.set(key, count);
    }
  }
  return [...counts.values()].map(({ of, slot, has, lacks }) => ({
    of,
    slot,
    has: has.length,
    total: has.length + lacks.length,
    ...(lacks.some(({ name }) => name !== '') ? { lacks: namesOf(lacks, has) } : {}),
  }));
}

function* holdersOf(set: object): Generator<Holder> {
  yield* holdersIn({ of: 'set', name: '', numbers: null, within: '', record: { ...set } });
}

function* holdersIn(holder: Holder): Generator<Holder> {
  yield holder;
  for (const [key, value] of Object.entries(holder.record)) {
    if (key === 'sets' || key === 'boxset' || key === 'loadout') continue;
    const of = isEntityKind(key) ? key : (listed.get(key) ?? 'item');
    if (Array.isArray(value)) {
      for (const record of value) {
        if (isRecord(record)) yield* holdersIn({ of, ...namesIn(holder, record), record });
      }
    } else if (isRecord(value)) {
      yield* holdersIn({ of, name: '', numbers: null, within: '', record: value });
    }
  }
}

function namesIn(
  { name, numbers }: Holder,
  record: Holder['record'],
): Pick<Holder, 'name' | 'numbers' | 'within'> {
  const own = numbersOf(record, numbers ?? '');
  return { name: own ?? titleOf(record), numbers: own, within: name };
}

/** Seasons without any are named whole; what follows one another is joined, so that the list stays complete. */
function namesOf(lacking: readonly Holder[], having: readonly Holder[]): string[] {
  const groups = groupedBy(lacking, ({ within }) => within);
  const whole = (within: string, members: readonly Holder[]) =>
    within !== '' && members.length > 1 && !having.some((holder) => holder.within === within);
  const names: string[] = [];
  let seasons: { names: string[]; count: number } = { names: [], count: 0 };
  const endRun = () => {
    if (seasons.names.length > 0)
      names.push(`${joinRunsOfLabels(seasons.names).join(', ')} (all ${seasons.count})`);
    seasons = { names: [], count: 0 };
  };
  for (const [within, members] of groups) {
    if (whole(within, members)) {
      seasons = { names: [...seasons.names, within], count: seasons.count + members.length };
    } else {
      endRun();
      names.push(...joinRunsOfLabels(members.map((holder) => holder.name)));
    }
  }
  endRun();
  return names;
}

/**
 * Joins names that follow one another: S01, S02, S03 become S01–S03, and S01E04, S01E05 become S01E04–E05; other
 * names stay as they are.
 */
export function joinRunsOfLabels(names: readonly string[]): string[] {
  const joined: { first: string; last: string }[] = [];
  for (const name of names) {
    const run = joined.at(-1);
    if (run !== undefined && follows(run.last, name)) run.last = name;
    else joined.push({ first: name, last: name });
  }
  return joined.map(({ first, last }) =>
    first === last ? first : `${first}–${last.replace(/^S\d+(?=E)/, '')}`,
  );
}

function follows(name: string, next: string): boolean {
  const [, stem, number] = /^(S\d+E|S)(\d+)$/.exec(name) ?? [];
  return stem !== undefined && next === stem + String(Number(number) + 1).padStart(2, '0');
}

function numbersOf(record: Holder['record'], season: string): string | null {
  if (typeof record.seasonNumber === 'number') return numberCode('S', record.seasonNumber);
  if (typeof record.episodeNumber === 'number') return season + numberCode('E', record.episodeNumber);
  return null;
}

function titleOf(record: Holder['record']): string {
  const title = record.title ?? record.name;
  const year = typeof record.year === 'number' ? ` (${record.year})` : '';
  return typeof title === 'string' ? `${title}${year}` : `id ${String(record.id)}`;
}
