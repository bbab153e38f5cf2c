import { groupedBy } from '../../grouped-by.ts';
import { slotsWords, slotWords } from '../../model/slots.ts';
import { codeOf, isSameTarget, keyOfPlace, seasonWords } from '../../model/target.ts';
import { capitalisedWords, countOf, listWords } from '../../model/words.ts';
import { cleanText } from '../../text.ts';
import type {
  AmbiguousEntry,
  LeftEntry,
  MatchedEntry,
  MissingEntry,
  Plan,
  PlannedPlace,
} from '../plan/plan.ts';
import type { Cell, Group, Section } from './page.ts';

/**
 * A plan as a page: what to decide first, then each file in its place, with the gaps between them. Its pictures are
 * named by the paths of their files below its folder.
 */
export function planSection(plan: Plan): Section {
  const { entries, set, work, moreMissing, folder } = plan;
  const matched = entries.filter((entry) => entry.status === 'matched');
  const asked = entries.filter((entry) => entry.status === 'ambiguous');
  const placed = matched.filter(({ problem }) => problem === null);
  const refused = [...matched, ...asked].filter(({ problem }) => problem !== null);
  const unmatched = entries.filter((entry): entry is LeftEntry => entry.status === 'unmatched');
  const missing = entries.filter((entry) => entry.status === 'missing');
  const lacking = missing.length + moreMissing;
  const count = placed.length + lacking;
  return {
    kind: set === null ? 'Plan for a new Set' : `Plan for an edit of Set ${set.id}`,
    title: work.title,
    facts: [
      `${countOf(entries.filter((entry) => 'path' in entry).length, 'file')} in ${fileName(folder)}`,
      ...changesIn(placed),
      'nothing sent yet',
    ],
    tallies: count === 0 ? [] : [{ name: 'Places with a file', has: placed.length, of: count }],
    notes: [
      ...(moreMissing === 0 ? [] : [`${moreMissing} more places without a file are only counted.`]),
      ...leftOut(plan),
    ],
    groups: [
      ...toDecide(
        asked.filter(({ problem }) => problem === null),
        placed,
      ),
      ...filesIn('Can’t be sent', refused.map(cellOfFile)),
      ...inPlaces(placed, missing, work),
      ...filesIn(
        'Not matched',
        unmatched.map(({ path, why }) =>
          cellOf(path, { problem: cleanText(why.message), slot: 'titlecard' }),
        ),
      ),
    ],
  };
}

/** Of an edit: how many places are filled, and how many get another picture. */
function changesIn(placed: readonly MatchedEntry[]): string[] {
  const counts = groupedBy(placed, ({ change }) => change.operation);
  const words = { add: 'added', replace: 'replaced', unchanged: 'there already' };
  return [...counts].map(([operation, of]) => `${of.length} ${words[operation]}`);
}

function fileName(path: string): string {
  return cleanText(/[^/\\]+(?=[/\\]*$)/.exec(path)?.[0] ?? path);
}

function cellOf(path: string, more: Partial<Cell>): Cell {
  return { picture: path, label: fileName(path), ...more };
}

function filesIn(heading: string, cells: readonly Cell[]): Group[] {
  return cells.length === 0 ? [] : [{ heading, note: countOf(cells.length, 'file'), rows: [cells] }];
}

/** Rival files for one place stand side by side, also the one that has it now; what is asked for many is asked once. */
function toDecide(asked: readonly AmbiguousEntry[], placed: readonly MatchedEntry[]): Group[] {
  const holders = new Map(placed.map((entry) => [keyOfPlace(entry.place), entry]));
  const said = new Set<string>();
  const rivals = groupedBy(asked, ({ path, places: [place, ...others] }) =>
    place === undefined || others.length > 0 ? path : keyOfPlace(place),
  );
  const rows = [...rivals].map(([key, files]): Cell[] => {
    const holder = holders.get(key);
    const cells = files.map((entry): Cell => {
      const isSaid = said.has(entry.ask);
      said.add(entry.ask);
      return { ...cellOfFile(entry), question: isSaid ? undefined : cleanText(entry.ask) };
    });
    if (holder === undefined) return cells;
    return [cellOf(holder.path, { facts: ['has this place now'], slot: holder.place.slot }), ...cells];
  });
  return rows.length === 0 ? [] : [{ heading: 'To decide', note: countOf(asked.length, 'file'), rows }];
}

function cellOfFile(entry: MatchedEntry | AmbiguousEntry): Cell {
  const { path, problem, warnings = [], picture } = entry;
  const size = picture?.width == null ? [] : [`${picture.width} × ${picture.height ?? '?'}`];
  const common = {
    picture: path,
    warnings: warnings.map(({ message }) => cleanText(message)),
    problem: problem === null ? undefined : cleanText(problem.message),
  };
  if (entry.status === 'ambiguous') {
    const places = entry.places.map(({ label, slot }) => `${slotWords(slot)} of ${label}`);
    const more = entry.morePlaces > 0 ? [`${entry.morePlaces} more`] : [];
    const facts = [
      ...size,
      ...(places.length > 1 ? [`may be the ${listWords([...places, ...more], 'or')}`] : []),
    ];
    return { ...common, label: fileName(path), facts, slot: entry.places[0]?.slot };
  }
  const marks = { add: [], replace: ['replaces what is there'], unchanged: ['is there already'] };
  return {
    ...common,
    ...named(entry.place),
    facts: [fileName(path), ...marks[entry.change.operation]],
  };
}

/** `S01E03 · The Title` is its number and its title; of anything else its slot, and whose it is. */
function named({ target, slot, label }: PlannedPlace): Pick<Cell, 'label' | 'title' | 'slot'> {
  const code = target.kind === 'episode' ? codeOf(target) : '';
  if (code !== '') return { label: code, title: label.slice(code.length).replace(/^ (?:· )?/u, ''), slot };
  return { label: capitalisedWords(slotWords(slot)), title: target.kind === 'season' ? '' : label, slot };
}

/** Each file in its place, the work itself first, then season by season, specials last, and the gaps between them. */
function inPlaces(
  placed: readonly MatchedEntry[],
  missing: readonly MissingEntry[],
  work: Plan['work'],
): Group[] {
  const seasonOf = ({ target }: PlannedPlace) =>
    (target.kind === 'season' || target.kind === 'episode') && target.season !== null ? target.season : null;
  const rankOf = (place: PlannedPlace) => {
    if (isSameTarget(place.target, work)) return 0;
    const season = seasonOf(place);
    return season === null ? 1 : season === 0 ? 1_000_000 : 1 + season;
  };
  const cells = [
    ...placed.map((entry) => ({ place: entry.place, cell: cellOfFile(entry) })),
    ...missing.map(({ place }) => ({ place, cell: { ...named(place), gap: 'missing' as const } })),
  ].sort(
    ({ place: one }, { place: other }) =>
      rankOf(one) - rankOf(other) || one.label.localeCompare(other.label, 'en', { numeric: true }),
  );
  const groups = groupedBy(cells, ({ place }) => {
    const season = seasonOf(place);
    if (season !== null) return seasonWords(season);
    return place.target.kind === 'show' ? 'The show' : place.label;
  });
  return [...groups].map(([heading, of]): Group => {
    const slots = new Set(of.map(({ place }) => slotsWords(place.slot)));
    const [name = ''] = slots;
    const has = of.filter(({ cell }) => 'picture' in cell).length;
    const tally = { name: slots.size === 1 ? name : 'places', has, of: of.length };
    return { heading, tally, rows: [of.map(({ cell }) => cell)] };
  });
}

/** How many files are not part of it, by why. */
function leftOut({ entries, passed }: Plan): string[] {
  const ignored = entries.filter((entry): entry is LeftEntry => entry.status === 'ignored');
  const whys = groupedBy(ignored, ({ why }) => cleanText(why.message));
  const others = Object.values(passed).reduce((sum, number) => sum + number, 0);
  if (whys.size === 0)
    return others === 0 ? [] : [`Left out: ${countOf(others, 'file')} that are no artwork.`];
  return [...whys].map(([why, of]) => `Left out: ${countOf(of.length, 'file')}. ${why}`);
}
