import { groupedBy } from '../../grouped-by.ts';
import { slotWords } from '../../model/slots.ts';
import { keyOfPlace, seasonWords } from '../../model/target.ts';
import { capitalisedWords, countOf } from '../../model/words.ts';
import { cleanText } from '../../text.ts';
import type {
  AmbiguousEntry,
  LeftEntry,
  MatchedEntry,
  MissingEntry,
  Plan,
  PlannedPlace,
} from '../plan/plan.ts';
import { fileName } from './found.ts';
import type { Cell, Group, Page } from './page.ts';

/**
 * A plan as a page: what to decide first, then each file in its place, with the gaps between them. Its pictures are
 * named by the paths of their files below its folder.
 */
export function planPage(plan: Plan): Page {
  const { entries, set, work, folder } = plan;
  const matched = entries.filter((entry) => entry.status === 'matched');
  const asked = entries.filter((entry) => entry.status === 'ambiguous');
  const placed = matched.filter(({ problem }) => problem === null);
  const refused = [...matched, ...asked].filter(({ problem }) => problem !== null);
  const unmatched = entries.filter((entry): entry is LeftEntry => entry.status === 'unmatched');
  const missing = entries.filter((entry) => entry.status === 'missing');
  return {
    page: 'plan',
    kind: set === null ? 'Plan for a new Set' : `Plan for an edit of Set ${set.id}`,
    title: work.title,
    facts: [
      `${countOf(entries.filter((entry) => 'path' in entry).length, 'file')} in ${fileName(folder)}`,
      `${placed.length} of ${placed.length + missing.length} places have one`,
      'nothing sent yet',
    ],
    notes: leftOut(plan),
    groups: [
      ...toDecide(asked.filter(({ problem }) => problem === null)),
      ...filesIn('Can’t be sent', refused.map(cellOfFile)),
      ...inPlaces(placed, missing),
      ...filesIn(
        'Not matched',
        unmatched.map(({ path, why }) => ({
          ...{ picture: path, label: fileName(path), warnings: [cleanText(why.message)] },
          slot: 'titlecard',
        })),
      ),
    ],
  };
}

function filesIn(heading: string, cells: readonly Cell[]): Group[] {
  return cells.length === 0 ? [] : [{ heading, note: countOf(cells.length, 'file'), rows: [cells] }];
}

/** Rival files for one place stand side by side. */
function toDecide(asked: readonly AmbiguousEntry[]): Group[] {
  const rivals = groupedBy(asked, ({ path, places: [place, ...others] }) =>
    place === undefined || others.length > 0 ? path : keyOfPlace(place),
  );
  const rows = [...rivals.values()].map((files) => files.map(cellOfFile));
  return rows.length === 0 ? [] : [{ heading: 'To decide', note: countOf(asked.length, 'file'), rows }];
}

function cellOfFile(entry: MatchedEntry | AmbiguousEntry): Cell {
  const { path, problem, warnings, picture } = entry;
  const size = picture?.width == null ? [] : [`${picture.width} × ${picture.height ?? '?'}`];
  const common = {
    picture: path,
    warnings: [...(problem === null ? [] : [problem]), ...warnings].map(({ message }) => cleanText(message)),
  };
  if (entry.status === 'ambiguous') {
    const [place] = entry.places;
    return {
      ...common,
      label: fileName(path),
      facts: size,
      question: cleanText(entry.ask),
      slot: place?.slot,
    };
  }
  const marks = { add: [], replace: ['replaces what is there'], unchanged: ['is there already'] };
  return {
    ...common,
    ...named(entry.place),
    facts: [fileName(path), ...marks[entry.change.operation]],
  };
}

/** `S01E03 · The Title` is its number and its title; of anything else its slot, and whose it is. */
function named({ target, code, slot, label }: PlannedPlace): Pick<Cell, 'label' | 'title' | 'slot'> {
  if (target.kind === 'episode' && code !== '')
    return { label: code, title: label.slice(code.length).replace(/^ (?:· )?/u, ''), slot };
  return { label: capitalisedWords(slotWords(slot)), title: target.kind === 'season' ? '' : label, slot };
}

/** Each file in its place, the work itself first, then season by season, and the gaps between them. */
function inPlaces(placed: readonly MatchedEntry[], missing: readonly MissingEntry[]): Group[] {
  const cells = [
    ...placed.map((entry) => ({ place: entry.place, cell: cellOfFile(entry) })),
    ...missing.map(({ place }) => ({ place, cell: { ...named(place), gap: 'missing' as const } })),
  ];
  const isPart = ({ target }: PlannedPlace) => target.kind === 'season' || target.kind === 'episode';
  const seasonOf = (place: PlannedPlace) => (isPart(place) ? (place.season ?? 0) : -1);
  cells.sort(
    ({ place: one }, { place: other }) =>
      seasonOf(one) - seasonOf(other) || one.label.localeCompare(other.label, 'en', { numeric: true }),
  );
  const groups = groupedBy(cells, ({ place }) => {
    if (isPart(place)) return seasonWords(place.season);
    return place.target.kind === 'show' ? 'The show' : place.label;
  });
  return [...groups].map(([heading, of]): Group => {
    const has = of.filter(({ cell }) => 'picture' in cell).length;
    const tally = { name: 'places', has, of: of.length };
    return { heading, tally, rows: [of.map(({ cell }) => cell)] };
  });
}

/** How many files are not part of it, by why. */
function leftOut({ entries }: Plan): string[] {
  const ignored = entries.filter((entry): entry is LeftEntry => entry.status === 'ignored');
  const whys = groupedBy(ignored, ({ why }) => cleanText(why.message));
  return [...whys].map(([why, of]) => `Left out: ${countOf(of.length, 'file')}. ${why}`);
}
