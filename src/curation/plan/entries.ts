import { slotsMeant } from '../matching/slots-named.ts';
import { slotsOf } from '../../catalogue/records/kinds.ts';
import { cleanText } from '../../text.ts';
import { episodesAhead, isSeasonAhead, lackingIn } from '../lacking.ts';
import { type FolderWish, type Match, matchFiles } from '../matching/match.ts';
import { artworkWords } from '../../model/names/explain.ts';
import { type PlanTargetNames, planTargetNamesOf } from '../targets/names.ts';
import type { ReadTargets } from '../targets/read-targets.ts';
import { type PlanPlace, type PlanTarget, type PlanTargets, placeKey } from '../targets/targets.ts';
import { factsIn, type InspectedPicture } from './folder.ts';
import type { AmbiguousEntry, LeftEntry, MatchedEntry, MissingEntry, Said } from './plan.ts';
import { nameQuestions } from './questions.ts';
import { askForFile, askForPlace, checkPicture, reasonNotSent, reasonOfNoSlot } from './reasons.ts';

interface Reading {
  /** Of the files, relative to the folder. */
  readonly paths: readonly string[];
  readonly targets: ReadTargets;
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
  const names = planTargetNamesOf(reading.targets.all);
  const beside: Beside = {
    rivals: rivalsOf(paths, matches),
    takers: takersOf(paths, matches, reading.looks),
    nameQuestion: nameQuestions(
      matches.flatMap((match) =>
        match.status === 'ambiguous' && match.called !== undefined ? [match.called] : [],
      ),
      reading.targets.targets.entry,
      reading.wish.alsoCalled ?? [],
    ),
  };
  return matches.map((match, at): FileEntry => {
    const path = paths[at] ?? '';
    if (match.status === 'matched') return matchedEntry(reading, names, path, match.place);
    if (match.status === 'ambiguous') return ambiguousEntry(reading, names, path, match, beside);
    const why = match.why === 'no_slot' ? withoutSlot(path, reading) : reasonNotSent(match.why);
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
function withoutSlot(path: string, { targets, wish }: Reading): Said {
  const words = artworkWords(path, wish.name);
  const elsewhere = [...new Set(targets.all.map(({ kind }) => kind))].flatMap((kind) => {
    const meant = words.map((phrase) => slotsMeant(kind, phrase));
    const slots =
      meant.length > 0 && meant.every(({ sure }) => sure) ? meant.flatMap((one) => one.slots) : [];
    return [...new Set(slots)].map((slot) => `${slot} of the ${kind}`);
  });
  return reasonOfNoSlot(words, elsewhere);
}

function matchedEntry(
  { looks, maxBytes }: Reading,
  names: PlanTargetNames,
  path: string,
  place: PlanPlace,
): MatchedEntry {
  return {
    status: 'matched',
    path,
    place: names.place(place),
    ...checkPicture(looks.get(path), place.slot, maxBytes),
    change: { operation: 'add' },
    rank: names.rank(place),
  };
}

function ambiguousEntry(
  { looks, maxBytes }: Reading,
  names: PlanTargetNames,
  path: string,
  { places, why, called }: Extract<Match, { status: 'ambiguous' }>,
  { rivals, takers, nameQuestion }: Beside,
): AmbiguousEntry {
  const shown = places.slice(0, mostPlaces).map(names.place);
  const [place] = shown;
  const { picture, problem, warnings } = checkPicture(looks.get(path), place?.slot ?? '', maxBytes);
  // What the places have in common is said of the picture; what only one of them asks, with the answer.
  const ofAll = shown.every(({ slot }) => slot === place?.slot) && warnings.length > 0;
  const equals = place === undefined ? [] : (rivals.get(placeKey(place)) ?? []);
  const morePlaces = places.length - shown.length;
  const question = called === undefined ? null : nameQuestion(called);
  const ask =
    question?.ask ??
    (why === 'several_files' && place !== undefined
      ? askForFile(place, equals.map(cleanText), sameBytes(equals, looks))
      : askForPlace(cleanText(path), shown, morePlaces, (one) => takers.get(placeKey(one)) ?? null));
  return {
    status: 'ambiguous',
    path,
    places: shown,
    morePlaces,
    why: reasonNotSent(why),
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
    };

/** Places outside of what was planned for (a season's show, say) don't count. */
function matchesOf({ paths, targets, wish, looks }: Omit<Reading, 'maxBytes'>): Restricted[] {
  const files = paths.map((path) => ({ path, shape: factsIn(looks.get(path))?.picture ?? null }));
  const inside = new Set(targets.all.map(({ kind, id }) => `${kind} ${id}`));
  const isInside = ({ targetKind, targetId }: PlanPlace) => inside.has(`${targetKind} ${targetId}`);
  return matchFiles(files, targets.targets, wish).map((match): Restricted => {
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
    if (one?.fit) rivals.set(placeKey(one.place), (rivals.get(placeKey(one.place)) ?? 0) + 1);
  }
  return matches.map((match, at): Restricted => {
    const one = contested[at];
    if (!one || (one.fit && rivals.get(placeKey(one.place)) !== 1)) return match;
    return { status: 'matched', place: one.place };
  });
}

/** For each place that several files are for: which. */
function rivalsOf(paths: readonly string[], matches: readonly Restricted[]): ReadonlyMap<string, string[]> {
  const rivals = new Map<string, string[]>();
  matches.forEach((match, at) => {
    if (match.status !== 'ambiguous' || match.why !== 'several_files') return;
    for (const place of match.places.map(placeKey)) {
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
    if (isTaken) takers.set(placeKey(match.place), cleanText(path));
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
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

/** What is still to come, by kind and id. */
export function targetsAhead({ seasons, movies }: PlanTargets, today: string): ReadonlySet<string> {
  const ahead = episodesAhead(seasons, today);
  return new Set([
    ...[...ahead].map((id) => `episode ${id}`),
    ...seasons.filter((season) => isSeasonAhead(season, ahead)).map(({ id }) => `season ${id}`),
    ...movies.filter(({ releaseDate }) => (releaseDate ?? '') > today).map(({ id }) => `movie ${id}`),
  ]);
}

/**
 * Places that the folder's slots would fill and no file does, in the catalogue's order: the slots that its files
 * are for, or the one that was asked for. What is still to come is not missing.
 * @param filled what the Set has already
 * @param ahead as `targetsAhead` tells it
 */
export function missingPlaces(
  entries: readonly FileEntry[],
  all: readonly PlanTarget[],
  slot: string | null,
  filled: readonly Filled[],
  ahead: ReadonlySet<string>,
): MissingEntry[] {
  const keyOf = (targetKind: string, targetId: number, of: string) => `${targetKind} ${targetId} ${of}`;
  const taken = new Set(filled.map((one) => keyOf(one.targetKind, one.targetId, one.slot)));
  const begun = new Set(filled.map((one) => `${one.targetKind} ${one.slot}`));
  const used = new Set<string>();
  const use = (place: PlanPlace): void => {
    taken.add(placeKey(place));
    used.add(`${place.targetKind} ${place.slot}`);
  };
  for (const entry of entries) {
    if (entry.status === 'matched') use(entry.place);
    else if (entry.status === 'ambiguous') entry.places.forEach(use);
  }
  // Of a slot that was asked for, what the files and the Set have begun; all of it, where that is nothing.
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const isBegun = kinds.some((kind) => used.has(`${kind} ${slot}`) || begun.has(`${kind} ${slot}`));
  const places = all.flatMap(({ kind, id }) =>
    slotsOf[kind]
      .filter((one) => (slot === null ? used.has(`${kind} ${one}`) : one === slot))
      .map((one) => ({
        ...{ of: kind, slot: one, id },
        has: taken.has(keyOf(kind, id, one)),
        isAhead: ahead.has(`${kind} ${id}`),
      })),
  );
  const { missing } = lackingIn(places, (place) => used.has(`${place.of} ${place.slot}`) || !isBegun);
  const names = planTargetNamesOf(all);
  return missing.map(({ of, id, slot: own }): MissingEntry => {
    const place: PlanPlace = { targetKind: of, targetId: id, slot: own };
    return { status: 'missing', place: names.place(place) };
  });
}
