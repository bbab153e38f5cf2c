import { groupedBy } from '../../grouped-by.ts';
import { artworkWords } from '../../model/names/name.ts';
import { keyOfPlace, keyOfTarget, labelOf } from '../../model/target.ts';
import { cleanText, quoted } from '../../text.ts';
import { type ReadWork, unreadWords } from '../read-work.ts';
import { factsIn, type Looks } from './folder.ts';
import { type FolderWish, type Match, settleMatches } from './match.ts';
import { type PlaceNames, placeNamesOf } from './places.ts';
import type { AmbiguousEntry, LeftEntry, MatchedEntry, PlannedPlace, Said } from './plan.ts';
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
  readonly looks: Looks;
}

export type FileEntry = MatchedEntry | AmbiguousEntry | LeftEntry;

/** How many possible places an answer names. */
const mostPlaces = 8;

/** What becomes of each file; those that are matched are in the order of the catalogue. */
export function entriesOf(facts: FolderFacts): FileEntry[] {
  const { paths, names, looks, read, wish } = facts;
  const targets = new Set(read.targets.map(keyOfTarget));
  // Places outside of what was planned for (a season's show, say) don't count.
  const within = names.map((verdict) => {
    return (
      verdict && {
        ...verdict,
        places: verdict.places.filter(({ target }) => targets.has(keyOfTarget(target))),
      }
    );
  });
  const shapes = paths.map((path) => factsIn(looks.get(path))?.picture ?? null);
  const matches = settleMatches(paths, within, shapes, wish);
  const places = placeNamesOf(read.targets);
  const asks = questionsOf(facts, matches, places);
  const ranked = matches.map((match, at): { readonly rank: number; readonly entry: FileEntry } => {
    const path = paths[at] ?? '';
    if (within[at]?.places.length === 0 && names[at]?.places.length !== 0) {
      return { rank: 0, entry: { status: 'unmatched', path, why: reasonNotSent('outside_entry') } };
    }
    if (match.status === 'ambiguous') return { rank: 0, entry: asks(path, match) };
    const { status } = match;
    if (status !== 'matched') {
      const why = whyLeft(path, match, facts);
      // Of what holds no picture nobody expects an ending.
      return { rank: 0, entry: { status: why.code === 'no_picture' ? 'ignored' : status, path, why } };
    }
    const place = places.shown(match.place);
    const checked = checkPicture(looks.get(path), place.slot);
    const entry = { status, path, place, ...checked, change: { operation: 'add' } } as const;
    return { rank: places.rank(match.place), entry };
  });
  return tellCopies(ranked.sort((one, other) => one.rank - other.rank).map(({ entry }) => entry));
}

type Ambiguous = Extract<Match, { status: 'ambiguous' }>;

function whyLeft(
  path: string,
  match: Extract<Match, { status: 'unmatched' | 'ignored' }>,
  { looks, read, wish }: FolderFacts,
): Said {
  const { why } = match;
  const about = 'about' in match ? match.about : undefined;
  switch (why) {
    case 'no_ending': {
      const looked = factsIn(looks.get(path));
      if (looked === null) return reasonNotSent('no_picture');
      return reasonNotSent(why, looked.contentType.replace('image/', '.').replace('jpeg', 'jpg'));
    }
    case 'no_slot':
      return withoutSlot(path, read, wish);
    case 'no_such_episode': {
      const { code, message } = reasonNotSent(why, about);
      return { code, message: [message, unreadWords(read)].filter(Boolean).join(' ') };
    }
    default:
      return reasonNotSent(why, about);
  }
}

/** What the name calls the picture, and what of the work has a slot for that. */
function withoutSlot(path: string, { targets }: ReadWork, { name }: FolderWish): Said {
  const words = artworkWords(path, name);
  const elsewhere = [...new Set(targets.map(({ kind }) => kind))].flatMap((kind) => {
    const meant = words.map((phrase) => slotsMeant(kind, phrase));
    if (meant.length === 0 || meant.some(({ sure }) => !sure)) return [];
    return [...new Set(meant.flatMap(({ slots }) => slots))].map((slot) => `${slot} of the ${kind}`);
  });
  return reasonOfNoSlot(words, elsewhere);
}

/** Makes the question about a file, which depends on what the other files of the folder are for. */
function questionsOf(
  { paths, looks, read, wish }: FolderFacts,
  matches: readonly Match[],
  placeNames: PlaceNames,
) {
  const all = matches.map((match, at) => ({ match, path: paths[at] ?? '' }));
  const byPlace = groupedBy(all, ({ match }) => {
    if (match.status === 'matched') return keyOfPlace(match.place);
    const [place] = match.status === 'ambiguous' && match.why === 'several_files' ? match.places : [];
    return place === undefined ? null : keyOfPlace(place);
  });
  const filesFor = (place: PlannedPlace) => (byPlace.get(keyOfPlace(place)) ?? []).map(({ path }) => path);
  const takerOf = (place: PlannedPlace) => filesFor(place).map(cleanText)[0] ?? null;
  /** One question for all files that call the work by one other name: confirmed, it counts as the title does. */
  const askName = (called: string) => {
    const { target } = read.work;
    const work = `this ${target.kind}: ${quoted(labelOf(target) || keyOfTarget(target))}`;
    const again = JSON.stringify([...(wish.alsoCalled ?? []), called]);
    return { called, ask: `Is ${quoted(called)} ${work}? If so, plan again with alsoCalled ${again}.` };
  };
  return (path: string, match: Ambiguous): AmbiguousEntry => {
    const places = match.places.slice(0, mostPlaces).map(placeNames.shown);
    const [place] = places;
    const morePlaces = match.places.length - places.length;
    const { picture, problem, warnings } = checkPicture(looks.get(path), place?.slot ?? '');
    const question = match.called === undefined ? null : askName(cleanText(match.called));
    const rivals = match.why === 'several_files' && place !== undefined ? filesFor(place) : [];
    const ask =
      place !== undefined && rivals.length > 0
        ? askForFile(place, rivals.map(cleanText), areSame(rivals, looks))
        : askForPlace(cleanText(path), places, morePlaces, takerOf);
    return {
      ...{ status: 'ambiguous', path, places, morePlaces, picture, problem, ask },
      why: reasonNotSent(match.why, match.about),
      ...question,
      // What is said of one slot is said where the file is for no other.
      ...(places.every(({ slot }) => slot === place?.slot) && warnings.length > 0 ? { warnings } : {}),
    };
  };
}

function areSame(paths: readonly string[], looks: Looks): boolean {
  return new Set(paths.map((path) => factsIn(looks.get(path))?.sha256 ?? path)).size === 1;
}

/**
 * Tells files that are the same to the byte. One that is sure of its place explains those that are not; two that are
 * both sure, of different places, are a slip more often than not.
 */
function tellCopies(entries: readonly FileEntry[]): FileEntry[] {
  const sure = groupedBy(
    entries.filter((entry) => entry.status === 'matched'),
    ({ picture }) => picture?.sha256,
  );
  return entries.map((entry): FileEntry => {
    if (!('picture' in entry) || entry.picture === null) return entry;
    const [original, ...more] = (sure.get(entry.picture.sha256) ?? []).filter(
      (one) => one !== entry && (entry.status === 'matched' || mayBeFor(entry, one)),
    );
    if (original === undefined) return entry;
    const name = quoted(cleanText(original.path)) + (more.length === 0 ? '' : ` and ${more.length} more`);
    const same = { code: 'same_bytes', message: `It is the same picture as ${name}, to the byte.` };
    if (entry.status === 'matched') return { ...entry, warnings: [...entry.warnings, same] };
    return { ...entry, why: same, ask: `${same.message} Is ${quoted(cleanText(entry.path))} left out?` };
  });
}

function mayBeFor({ places }: AmbiguousEntry, { place }: MatchedEntry): boolean {
  return places.some((one) => keyOfPlace(one) === keyOfPlace(place));
}
