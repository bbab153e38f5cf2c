import { holdingsOf, inState, placesOfTargets } from '../../model/holdings.ts';
import { artworkWords } from '../../model/names/name.ts';
import type { Slot } from '../../model/slots.ts';
import { keyOfPlace, keyOfTarget, type Place } from '../../model/target.ts';
import { aheadIn } from '../../model/work.ts';
import { cleanText } from '../../text.ts';
import type { ReadWork } from '../read-work.ts';
import { factsIn, type InspectedPicture } from './folder.ts';
import { type FolderWish, type Match, matchFiles } from './match.ts';
import { type PlaceNames, placeNamesOf } from './places.ts';
import type { AmbiguousEntry, LeftEntry, MatchedEntry, MissingEntry, Said } from './plan.ts';
import { nameQuestions } from './questions.ts';
import { askForFile, askForPlace, checkPicture, reasonNotSent, reasonOfNoSlot } from './reasons.ts';
import { slotsMeant } from './verdict.ts';

interface Reading {
  /** Of the files, relative to the folder. */
  readonly paths: readonly string[];
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

/** Which files have to be looked at: those that may be for something. Shapes only confirm what a name says. */
export function worthLooking(reading: Omit<Reading, 'looks' | 'maxBytes'>): string[] {
  const matches = matchesOf({ ...reading, looks: new Map() });
  return reading.paths.filter((_, at) => {
    const status = matches[at]?.status;
    return status === 'matched' || status === 'ambiguous';
  });
}

/** What becomes of each file, in their order. */
export function entriesOf(reading: Reading): FileEntry[] {
  const { paths } = reading;
  const matches = withoutUnfit(matchesOf(reading), reading);
  const names = placeNamesOf(reading.read.targets);
  const beside: Beside = {
    rivals: rivalsOf(paths, matches),
    takers: takersOf(paths, matches, reading.looks),
    nameQuestion: nameQuestions(
      matches.flatMap((match) =>
        match.status === 'ambiguous' && match.called !== undefined ? [match.called] : [],
      ),
      reading.read.work.target,
      reading.wish.alsoCalled ?? [],
    ),
  };
  return matches.map((match, at): FileEntry => {
    const path = paths[at] ?? '';
    if (match.status === 'matched') return matchedEntry(reading, names, path, match.place);
    if (match.status === 'ambiguous') return ambiguousEntry(reading, names, path, match, beside);
    const why =
      match.why === 'no_slot'
        ? withoutSlot(path, reading)
        : reasonNotSent(match.why, 'about' in match ? match.about : undefined);
    return { status: match.status, path, why };
  });
}

/** What the other files of the folder are for, by place. */
interface Beside {
  readonly rivals: ReadonlyMap<string, readonly string[]>;
  /** For people. */
  readonly takers: ReadonlyMap<string, string>;
  readonly nameQuestion: ReturnType<typeof nameQuestions>;
}

/** What the name calls the picture, and what of the work has a slot for that. */
function withoutSlot(path: string, { read, wish }: Reading): Said {
  const words = artworkWords(path, wish.name);
  const elsewhere = [...new Set(read.targets.map(({ kind }) => kind))].flatMap((kind) => {
    const meant = words.map((phrase) => slotsMeant(kind, phrase));
    const slots =
      meant.length > 0 && meant.every(({ sure }) => sure) ? meant.flatMap((one) => one.slots) : [];
    return [...new Set(slots)].map((slot) => `${slot} of the ${kind}`);
  });
  return reasonOfNoSlot(words, elsewhere);
}

function matchedEntry(
  { looks, maxBytes }: Reading,
  names: PlaceNames,
  path: string,
  place: Place,
): MatchedEntry {
  return {
    status: 'matched',
    path,
    place: names.shown(place),
    ...checkPicture(looks.get(path), place.slot, maxBytes),
    change: { operation: 'add' },
    rank: names.rank(place),
  };
}

function ambiguousEntry(
  { looks, maxBytes }: Reading,
  names: PlaceNames,
  path: string,
  { places, why, about, called }: Extract<Match, { status: 'ambiguous' }>,
  { rivals, takers, nameQuestion }: Beside,
): AmbiguousEntry {
  const shown = places.slice(0, mostPlaces).map(names.shown);
  const [place] = shown;
  const { picture, problem, warnings } = checkPicture(looks.get(path), place?.slot ?? '', maxBytes);
  // What the places have in common is said of the picture; what only one of them asks, with the answer.
  const ofAll = shown.every(({ slot }) => slot === place?.slot) && warnings.length > 0;
  const equals = place === undefined ? [] : (rivals.get(keyOfPlace(place)) ?? []);
  const morePlaces = places.length - shown.length;
  const question = called === undefined ? null : nameQuestion(called);
  const ask =
    question?.ask ??
    (why === 'several_files' && place !== undefined
      ? askForFile(place, equals.map(cleanText), sameBytes(equals, looks))
      : askForPlace(cleanText(path), shown, morePlaces, (one) => takers.get(keyOfPlace(one)) ?? null));
  return {
    status: 'ambiguous',
    path,
    places: shown,
    morePlaces,
    why: reasonNotSent(why, about),
    ask,
    ...(question === null ? {} : { called: question.called }),
    picture,
    problem,
    ...(ofAll ? { warnings } : {}),
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
function matchesOf({ paths, read, wish, looks }: Omit<Reading, 'maxBytes'>): Restricted[] {
  const files = paths.map((path) => ({ path, shape: factsIn(looks.get(path))?.picture ?? null }));
  const inside = new Set(read.targets.map(keyOfTarget));
  const isInside = ({ target }: Place) => inside.has(keyOfTarget(target));
  return matchFiles(files, read, wish).map((match): Restricted => {
    switch (match.status) {
      case 'matched':
        return isInside(match.place) ? match : { status: 'unmatched', why: 'outside_entry' };
      case 'ambiguous': {
        const places = match.places.filter(isInside);
        return places.length === 0 ? { status: 'unmatched', why: 'outside_entry' } : { ...match, places };
      }
      default:
        return match;
    }
  });
}

/** What can't be sent is no rival to what can: it goes where its name says, with its problem. */
function withoutUnfit(matches: readonly Restricted[], { paths, looks, maxBytes }: Reading): Restricted[] {
  const contested = matches.map((match, at) => {
    if (match.status !== 'ambiguous' || match.why !== 'several_files') return null;
    const [place] = match.places;
    if (place === undefined) return null;
    const { problem } = checkPicture(looks.get(paths[at] ?? ''), place.slot, maxBytes);
    return { place, fit: problem === null };
  });
  const rivals = new Map<string, number>();
  for (const one of contested) {
    if (one?.fit) rivals.set(keyOfPlace(one.place), (rivals.get(keyOfPlace(one.place)) ?? 0) + 1);
  }
  return matches.map((match, at): Restricted => {
    const one = contested[at];
    if (!one || (one.fit && rivals.get(keyOfPlace(one.place)) !== 1)) return match;
    return { status: 'matched', place: one.place };
  });
}

/** For each place that several files are for: which. */
function rivalsOf(paths: readonly string[], matches: readonly Restricted[]): ReadonlyMap<string, string[]> {
  const rivals = new Map<string, string[]>();
  matches.forEach((match, at) => {
    if (match.status !== 'ambiguous' || match.why !== 'several_files') return;
    for (const place of match.places.map(keyOfPlace)) {
      rivals.set(place, [...(rivals.get(place) ?? []), paths[at] ?? '']);
    }
  });
  return rivals;
}

function takersOf(paths: readonly string[], matches: readonly Restricted[], looks: Reading['looks']) {
  const takers = new Map<string, string>();
  matches.forEach((match, at) => {
    const path = paths[at] ?? '';
    const isTaken = match.status === 'matched' && factsIn(looks.get(path)) !== null;
    if (isTaken) takers.set(keyOfPlace(match.place), cleanText(path));
  });
  return takers;
}

function sameBytes(paths: readonly string[], looks: Reading['looks']): boolean {
  const digests = paths.map((path) => factsIn(looks.get(path))?.sha256);
  const [first] = digests;
  return first !== undefined && digests.every((digest) => digest === first);
}

/** A place that has a picture, of whatever kind the service says. */
interface Filled {
  readonly target: { readonly kind: string; readonly id: number } | null;
  readonly slot: string;
}

/**
 * Places that the folder's slots would fill and no file does, in the catalogue's order: the slots that its files
 * are for, or the one that was asked for. What is still to come is not missing.
 * @param filled what the Set has already
 * @param today `YYYY-MM-DD`
 */
export function missingPlaces(
  entries: readonly FileEntry[],
  { work, targets }: ReadWork,
  slot: Slot | null,
  filled: readonly Filled[],
  today: string,
): MissingEntry[] {
  const planned = entries.flatMap((entry) =>
    entry.status === 'matched' ? [entry.place] : entry.status === 'ambiguous' ? entry.places : [],
  );
  const held = filled.flatMap(({ target, slot: own }) => (target === null ? [] : [{ target, slot: own }]));
  const taken = new Set([...[...held, ...planned].map(keyOfPlace)]);
  const whatOf = (kind: string, own: string) => `${kind} ${own}`;
  const used = new Set(planned.map((place) => whatOf(place.target.kind, place.slot)));
  const isUsed = ({ target, slot: own }: Place) => used.has(whatOf(target.kind, own));
  // Of a slot that was asked for, what the files and the Set have begun; all of it, where that is nothing.
  const begun = new Set([...used, ...held.map(({ target, slot: own }) => whatOf(target.kind, own))]);
  const isBegun = targets.some(({ kind }) => slot !== null && begun.has(whatOf(kind, slot)));
  const places = placesOfTargets(targets).filter((place) =>
    slot === null ? isUsed(place) : place.slot === slot,
  );
  const ahead = aheadIn(work, today);
  const holdings = holdingsOf(places, {
    has: (place) => taken.has(keyOfPlace(place)),
    isAhead: (target) => ahead.has(keyOfTarget(target)),
    isMeant: (place) => isUsed(place) || !isBegun,
  });
  const names = placeNamesOf(targets);
  return inState(holdings, 'lacks').map((place) => ({ status: 'missing', place: names.shown(place) }));
}
