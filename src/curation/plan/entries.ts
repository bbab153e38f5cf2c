import { groupedBy } from '../../grouped-by.ts';
import { artworkWords } from '../../model/names/name.ts';
import { keyOfText } from '../../model/names/words.ts';
import { keyOfPlace, keyOfTarget, labelOf, type Place, type WorkTarget } from '../../model/target.ts';
import { cleanText, quoted } from '../../text.ts';
import { type ReadWork, unreadWords } from '../read-work.ts';
import { factsIn, type InspectedPicture } from './folder.ts';
import { type FolderWish, type Match, settleMatches } from './match.ts';
import { type PlaceNames, placeNamesOf } from './places.ts';
import {
  type AmbiguousEntry,
  type LeftEntry,
  longestName,
  type MatchedEntry,
  mostNames,
  type Said,
} from './plan.ts';
import { askForFile, askForPlace, checkPicture, reasonNotSent, reasonOfNoSlot } from './reasons.ts';
import { slotsMeant, type Verdict } from './verdict.ts';

/** What is known of a folder's files. */
export interface FolderFacts {
  /** Relative to the folder. */
  readonly paths: readonly string[];
  /** What their names say, in the same order. */
  readonly names: readonly (Verdict | null)[];
  readonly read: ReadWork;
  readonly wish: FolderWish;
  /** By path; those that need not be looked at are not in it. */
  readonly looks: ReadonlyMap<string, InspectedPicture>;
  /** The most bytes that the service has said it takes; null where it has not. */
  readonly maxBytes: number | null;
}

export type FileEntry = MatchedEntry | AmbiguousEntry | LeftEntry;

/** How many possible places an answer names. */
const mostPlaces = 8;

/** What becomes of each file, in their order. */
export function entriesOf(facts: FolderFacts): FileEntry[] {
  const { paths, looks, maxBytes, read, wish } = facts;
  const matches = withoutUnfit(matchesOf(facts), facts);
  const names = placeNamesOf(read.targets);
  const beside = besideOf(facts, matches);
  return matches.map((match, at): FileEntry => {
    const path = paths[at] ?? '';
    switch (match.status) {
      case 'matched': {
        const { place } = match;
        const checked = checkPicture(looks.get(path), place.slot, maxBytes);
        const rank = names.rank(place);
        return {
          ...{ status: 'matched', path, place: names.shown(place), ...checked, rank },
          change: { operation: 'add' },
        };
      }
      case 'ambiguous':
        return ambiguousEntry(facts, names, path, match, beside);
      default:
        return leftEntry(path, match, looks, read, wish);
    }
  });
}

function leftEntry(
  path: string,
  match: Exclude<Restricted, { readonly status: 'matched' | 'ambiguous' }>,
  looks: FolderFacts['looks'],
  read: ReadWork,
  wish: FolderWish,
): LeftEntry {
  const { status, why } = match;
  if (why === 'no_ending') {
    // Of what holds no picture nobody expects an ending.
    const looked = factsIn(looks.get(path));
    if (looked === null) return { status: 'ignored', path, why: reasonNotSent('no_picture') };
    const ending = looked.contentType.replace('image/', '.').replace('jpeg', 'jpg');
    return { status: 'unmatched', path, why: reasonNotSent(why, ending) };
  }
  if (why === 'no_slot') return { status, path, why: withoutSlot(path, read, wish) };
  const reason = reasonNotSent(why, 'about' in match ? match.about : undefined);
  const unread = why === 'no_such_episode' ? unreadWords(read) : null;
  if (unread !== null) return { status, path, why: { ...reason, message: `${reason.message} ${unread}` } };
  return { status, path, why: reason };
}

/** What the name calls the picture, and what of the work has a slot for that. */
function withoutSlot(path: string, { targets }: ReadWork, { name }: FolderWish): Said {
  const words = artworkWords(path, name);
  const kinds = [...new Set(targets.map(({ kind }) => kind))];
  const elsewhere = kinds.flatMap((kind) => {
    const meant = words.map((phrase) => slotsMeant(kind, phrase));
    if (meant.length === 0 || meant.some(({ sure }) => !sure)) return [];
    return [...new Set(meant.flatMap(({ slots }) => slots))].map((slot) => `${slot} of the ${kind}`);
  });
  return reasonOfNoSlot(words, elsewhere);
}

/** What the other files of the folder are for, by place, and what they call the work. */
interface Beside {
  readonly rivals: ReadonlyMap<string, readonly string[]>;
  /** For people. */
  readonly takers: ReadonlyMap<string, string>;
  nameQuestion(called: string): { readonly called: string; readonly ask: string } | null;
}

function besideOf({ paths, looks, read, wish }: FolderFacts, matches: readonly Restricted[]): Beside {
  const all = matches.map((match, at) => ({ match, path: paths[at] ?? '' }));
  const contested = all.flatMap(({ match, path }) =>
    match.status === 'ambiguous' && match.why === 'several_files'
      ? match.places.map((place) => ({ key: keyOfPlace(place), path }))
      : [],
  );
  const taken = all.flatMap(({ match, path }) =>
    match.status === 'matched' && factsIn(looks.get(path)) !== null
      ? [[keyOfPlace(match.place), cleanText(path)] as const]
      : [],
  );
  const called = matches.flatMap((match) => (match.status === 'ambiguous' ? (match.called ?? []) : []));
  const rivals = [...groupedBy(contested, ({ key }) => key)].map(
    ([key, files]) => [key, files.map(({ path }) => path)] as const,
  );
  return {
    rivals: new Map(rivals),
    takers: new Map(taken),
    nameQuestion: nameQuestions(called, read.work.target, wish.alsoCalled ?? []),
  };
}

/**
 * One question for all files that call the work by one other name: confirmed, it counts as the title does.
 * @param called of each file that does
 * @param confirmed names that were confirmed before: they are given again
 * @returns null for a name that can't be given
 */
function nameQuestions(
  called: readonly string[],
  work: WorkTarget,
  confirmed: readonly string[],
): Beside['nameQuestion'] {
  const byKey = groupedBy(called, keyOfText);
  return (name) => {
    const [first = name, ...others] = byKey.get(keyOfText(name)) ?? [];
    const clean = cleanText(first);
    if (clean.length > longestName || confirmed.length >= mostNames) return null;
    const count = others.length + 1;
    const files = count === 1 ? 'one file or its folder has' : `${count} files or their folders have`;
    const title = quoted(labelOf(work) || keyOfTarget(work));
    const again = `Then plan again with alsoCalled ${JSON.stringify([...confirmed, clean])}.`;
    return {
      called: clean,
      ask: `Is ${quoted(clean)}, as ${files} it, this ${work.kind}: ${title}? ${again}`,
    };
  };
}

function ambiguousEntry(
  { looks, maxBytes }: FolderFacts,
  names: PlaceNames,
  path: string,
  { places, why, about, called }: Extract<Match, { status: 'ambiguous' }>,
  { rivals, takers, nameQuestion }: Beside,
): AmbiguousEntry {
  const shown = places.slice(0, mostPlaces).map(names.shown);
  const [place] = shown;
  const { picture, problem, warnings } = checkPicture(looks.get(path), place?.slot ?? '', maxBytes);
  // What the places have in common is said of the picture; what only one of them asks, with the answer.
  const isOfAll = shown.every(({ slot }) => slot === place?.slot) && warnings.length > 0;
  const equals = place === undefined ? [] : (rivals.get(keyOfPlace(place)) ?? []);
  const morePlaces = places.length - shown.length;
  const question = called === undefined ? null : nameQuestion(called);
  const ask =
    question?.ask ??
    (why === 'several_files' && place !== undefined
      ? askForFile(place, equals.map(cleanText), areSame(equals, looks))
      : askForPlace(cleanText(path), shown, morePlaces, (one) => takers.get(keyOfPlace(one)) ?? null));
  return {
    ...{ status: 'ambiguous', path, places: shown, morePlaces, why: reasonNotSent(why, about), ask },
    ...(question === null ? {} : { called: question.called }),
    ...{ picture, problem },
    ...(isOfAll ? { warnings } : {}),
  };
}

type Restricted =
  | Exclude<Match, { readonly status: 'unmatched' }>
  | {
      readonly status: 'unmatched';
      readonly why: Extract<Match, { status: 'unmatched' }>['why'] | 'outside_entry';
      readonly about?: string;
    };

/** Places outside of what was planned for (a season's show, say) don't count. */
function matchesOf({ paths, names, read, wish, looks }: FolderFacts): Restricted[] {
  const shapes = paths.map((path) => factsIn(looks.get(path))?.picture ?? null);
  const inside = new Set(read.targets.map(keyOfTarget));
  const isInside = ({ target }: Place) => inside.has(keyOfTarget(target));
  return settleMatches(paths, names, shapes, wish).map((match): Restricted => {
    if (match.status === 'matched') return isInside(match.place) ? match : outside;
    if (match.status !== 'ambiguous') return match;
    const places = match.places.filter(isInside);
    return places.length === 0 ? outside : { ...match, places };
  });
}

const outside = { status: 'unmatched', why: 'outside_entry' } as const;

/** What can't be sent is no rival to what can: it goes where its name says, with its problem. */
function withoutUnfit(matches: readonly Restricted[], { paths, looks, maxBytes }: FolderFacts): Restricted[] {
  const contested = matches.map((match, at) => {
    const [place] = match.status === 'ambiguous' && match.why === 'several_files' ? match.places : [];
    if (place === undefined) return null;
    const { problem } = checkPicture(looks.get(paths[at] ?? ''), place.slot, maxBytes);
    return { place, isFit: problem === null };
  });
  const fit = contested.filter((one) => one?.isFit === true);
  const rivals = groupedBy(fit, (one) => (one === null ? null : keyOfPlace(one.place)));
  return matches.map((match, at): Restricted => {
    const one = contested[at] ?? null;
    const isAlone = one !== null && (!one.isFit || rivals.get(keyOfPlace(one.place))?.length === 1);
    return isAlone ? { status: 'matched', place: one.place } : match;
  });
}

function areSame(paths: readonly string[], looks: FolderFacts['looks']): boolean {
  const [first, ...others] = paths.map((path) => factsIn(looks.get(path))?.sha256);
  return first !== undefined && others.every((digest) => digest === first);
}

/**
 * Tells files that are the same to the byte. One that is sure of its place explains those that are not; two that are
 * both sure, of different places, are a slip more often than not.
 */
export function tellCopies(entries: readonly FileEntry[], looks: FolderFacts['looks']): FileEntry[] {
  const digestOf = ({ path }: FileEntry) => factsIn(looks.get(path))?.sha256 ?? null;
  const sure = groupedBy(
    entries.filter(({ status }) => status === 'matched'),
    digestOf,
  );
  return entries.map((entry): FileEntry => {
    const digest = digestOf(entry);
    const others = digest === null ? [] : (sure.get(digest) ?? []).filter((one) => one !== entry);
    const [original, ...more] =
      entry.status === 'ambiguous' ? others.filter((one) => mayReplace(entry, one)) : others;
    if (original === undefined) return entry;
    const name = quoted(cleanText(original.path)) + (more.length === 0 ? '' : ` and ${more.length} more`);
    const said = { code: 'same_bytes', message: `It is the same picture as ${name}, to the byte.` };
    switch (entry.status) {
      case 'matched':
        return { ...entry, warnings: [...entry.warnings, said] };
      case 'ambiguous':
        return { ...entry, why: said, ask: `${said.message} Is ${quoted(cleanText(entry.path))} left out?` };
      default:
        return { ...entry, why: { ...said, message: `${entry.why.message} ${said.message}` } };
    }
  });
}

/** Whether the other has a place that this one may be for: of two pictures that are the same one is enough there. */
function mayReplace({ places }: AmbiguousEntry, other: FileEntry): boolean {
  return other.status === 'matched' && places.some((place) => keyOfPlace(place) === keyOfPlace(other.place));
}
