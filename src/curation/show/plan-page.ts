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
import { countsOf } from '../plan/questions.ts';
import type { Block, Page, PageCell, PictureBlock, PictureCell } from './page.ts';

/**
 * A plan as a page: what to decide first, then each file in its place, with the gaps between them. Its pictures are
 * named by the paths of their files below its folder.
 */
export function planPage(plan: Plan): Page {
  const { entries, set, work, moreMissing } = plan;
  const matched = entries.filter((entry) => entry.status === 'matched');
  const usable = matched.filter(({ problem }) => problem === null);
  const refused = entries.filter(hasPicture).filter(({ problem }) => problem !== null);
  const ambiguous = entries.filter((entry) => entry.status === 'ambiguous');
  const asked = ambiguous.filter(({ problem }) => problem === null);
  const unmatched = entries.filter((entry): entry is LeftEntry => entry.status === 'unmatched');
  const missing = entries.filter((entry) => entry.status === 'missing');
  const lacking = missing.length + moreMissing;
  return {
    page: 'plan',
    kind: set === null ? 'Plan for a new Set' : `Plan for an edit of Set ${set.id}`,
    title: work.title,
    facts: factsOf(plan),
    tallies:
      usable.length + lacking === 0
        ? []
        : [{ name: 'Places with a file', has: usable.length, of: usable.length + lacking }],
    notes: moreMissing === 0 ? [] : [`${moreMissing} more places without a file are only counted.`],
    blocks: [
      ...decide(asked, usable),
      ...wordy('Can’t be sent', refused.map(cellOfFile)),
      ...places(usable, missing, work),
      ...wordy(
        'Not matched',
        unmatched.map(({ path, why }) => ({
          cell: 'picture',
          picture: path,
          label: fileName(path),
          facts: [cleanText(why.message)],
          slot: 'titlecard',
        })),
      ),
      ...passedOver(plan),
    ],
  };
}

function factsOf(plan: Plan): string[] {
  const { files, toSend, add, replace, unchanged } = countsOf(plan);
  const changes = [
    ...(add === undefined || add === 0 ? [] : [`${add} added`]),
    ...(replace === undefined || replace === 0 ? [] : [`${replace} replaced`]),
    ...(unchanged === undefined || unchanged === 0 ? [] : [`${unchanged} there already`]),
  ];
  return [
    `${countOf(files, 'file')} in ${fileName(plan.folder)}`,
    changes.length > 0 ? listWords(changes) : `${toSend} ready to send`,
    'nothing sent yet',
  ];
}

type OfPicture = MatchedEntry | AmbiguousEntry;

function hasPicture(entry: Plan['entries'][number]): entry is OfPicture {
  return entry.status === 'matched' || entry.status === 'ambiguous';
}

/**
 * Rival files for one place stand side by side, also the one that has it now; a question that is asked for many is
 * asked with the first.
 */
function decide(entries: readonly AmbiguousEntry[], usable: readonly MatchedEntry[]): PictureBlock[] {
  const rows = new Map<string, PictureCell[]>();
  const holders = new Map(usable.map((entry) => [keyOfPlace(entry.place), entry]));
  const asked = new Set<string>();
  for (const entry of entries) {
    const [place] = entry.places;
    const key = entry.places.length === 1 && place !== undefined ? keyOfPlace(place) : entry.path;
    const cell = cellOfFile(entry);
    const holder = holders.get(key);
    const others = rows.get(key) ?? (holder === undefined ? [] : [holderOf(holder)]);
    rows.set(key, [...others, asked.has(entry.ask) ? { ...cell, question: undefined } : cell]);
    asked.add(entry.ask);
  }
  if (entries.length === 0) return [];
  const beside = [...rows.values()].flat().length - entries.length;
  const files = countOf(entries.length, 'file');
  const note =
    beside === 0
      ? files
      : `${files}, beside ${beside} that ${beside === 1 ? 'has its' : 'have their'} place now`;
  return [{ block: 'pictures', heading: 'To decide', note, wordy: true, rows: [...rows.values()] }];
}

/** The file that is surely for the place. */
function holderOf(entry: MatchedEntry): PictureCell {
  const facts = sizeOf(entry);
  return { ...cellOfFile(entry), label: fileName(entry.path), title: '', mark: 'has this place now', facts };
}

function sizeOf({ picture }: OfPicture): string[] {
  return picture?.width == null ? [] : [`${picture.width} × ${picture.height ?? '?'}`];
}

function wordy(heading: string, cells: readonly PictureCell[]): PictureBlock[] {
  if (cells.length === 0) return [];
  return [{ block: 'pictures', heading, note: countOf(cells.length, 'file'), wordy: true, rows: [cells] }];
}

function cellOfFile(entry: OfPicture): PictureCell {
  const { path, problem, warnings = [] } = entry;
  const common = {
    cell: 'picture' as const,
    picture: path,
    warnings: warnings.map(({ message }) => cleanText(message)),
    ...(problem === null ? {} : { problem: cleanText(problem.message) }),
  };
  if (entry.status === 'ambiguous') {
    const places = entry.places.map(({ label, slot }) => `${slotWords(slot)} of ${label}`);
    const others = entry.morePlaces > 0 ? [`${entry.morePlaces} more`] : [];
    return {
      ...common,
      label: fileName(path),
      facts: [
        ...sizeOf(entry),
        ...(places.length > 1 ? [`may be the ${listWords([...places, ...others], 'or')}`] : []),
      ],
      question: cleanText(entry.ask),
      slot: entry.places[0]?.slot ?? 'poster',
    };
  }
  const { label, title } = named(entry.place);
  const mark = { add: undefined, replace: 'replaces what is there', unchanged: 'is there already' }[
    entry.change.operation
  ];
  return { ...common, label, title, mark, facts: [fileName(path)], slot: entry.place.slot };
}

/** `S01E03 · The Title` is its number and its title; of anything else its slot, and whose it is. */
function named({ target, slot, label }: PlannedPlace): {
  readonly label: string;
  readonly title: string;
} {
  const code = codeOf(target);
  if (target.kind === 'episode' && code !== '')
    return { label: code, title: label.slice(code.length).replace(/^ (?:· )?/u, '') };
  return { label: capitalisedWords(slotWords(slot)), title: target.kind === 'season' ? '' : label };
}

interface Placed {
  readonly place: PlannedPlace;
  readonly cell: PageCell;
}

/** Each file in its place, season by season, and the gaps between them. */
function places(
  usable: readonly MatchedEntry[],
  missing: readonly MissingEntry[],
  work: Plan['work'],
): PictureBlock[] {
  const placed: Placed[] = [
    ...usable.map((entry) => ({ place: entry.place, cell: cellOfFile(entry) })),
    ...missing.map(({ place }): Placed => {
      const { label, title } = named(place);
      return { place, cell: { cell: 'gap', label, title, state: 'missing', slot: place.slot } };
    }),
  ];
  const groups = groupedBy(placed.sort(inOrderOf(work)), ({ place }) => sectionHeading(place));
  return [...groups].map(([heading, group]): PictureBlock => {
    const has = group.filter(({ cell }) => cell.cell === 'picture').length;
    const slots = new Set(group.map(({ place }) => place.slot));
    const [slot = ''] = slots;
    const name = slots.size === 1 ? slotsWords(slot) : 'places';
    return {
      block: 'pictures',
      heading,
      tally: { name, has, of: group.length },
      rows: [group.map(({ cell }) => cell)],
    };
  });
}

function sectionHeading({ target, label }: PlannedPlace): string {
  if (target.kind !== 'episode' && target.kind !== 'season')
    return target.kind === 'show' ? 'The show' : label;
  if (target.season !== null) return seasonWords(target.season);
  return target.kind === 'season' ? label : 'Episodes';
}

/** The work itself, then what it consists of, by number; a season's specials come last. */
function inOrderOf(work: Plan['work']) {
  const rankOf = ({ target }: PlannedPlace): number => {
    if (isSameTarget(target, work)) return 0;
    const isPart = target.kind === 'season' || target.kind === 'episode';
    if (!isPart || target.season === null) return 1;
    return 2 + (target.season === 0 ? 100_000 : target.season);
  };
  return (one: Placed, other: Placed): number =>
    rankOf(one.place) - rankOf(other.place) ||
    one.place.label.localeCompare(other.place.label, 'en', { numeric: true });
}

/** Files that are not part of it, by why. */
function passedOver({ entries, passed }: Plan): Block[] {
  const ignored = entries.filter((entry): entry is LeftEntry => entry.status === 'ignored');
  const count = Object.values(passed).reduce((sum, number) => sum + number, 0);
  const groups = [...groupedBy(ignored, ({ why }) => cleanText(why.message))].map(([why, of]) => ({
    why,
    lines: of.map(({ path }) => cleanText(path)),
  }));
  if (groups.length === 0 && count > 0)
    groups.push({ why: `${countOf(count, 'file')} that are no artwork`, lines: [] });
  return groups.length === 0 ? [] : [{ block: 'folded', heading: 'Left out', groups }];
}

function fileName(path: string): string {
  return cleanText(
    path
      .split(/[/\\]/)
      .filter((part) => part !== '')
      .at(-1) ?? path,
  );
}
