import { warningsOf } from '../../files/check.ts';
import { groupedBy } from '../../grouped-by.ts';
import { placesOfTargets } from '../../model/holdings.ts';
import { kindOfFile } from '../../model/names/file-name.ts';
import { type Slot, shapeOfSlot, slotWords } from '../../model/slots.ts';
import { codeOf, keyOfPlace, keyOfTarget, labelOf, type Place, seasonWords } from '../../model/target.ts';
import { cleanText, quoted } from '../../text.ts';
import type { ReadWork } from '../read-work.ts';
import { factsIn, type InspectedPicture, type Looks } from './folder.ts';
import type { FileEntry, MatchedEntry, PlannedPlace, Said } from './plan.ts';
import { reasonOf } from './reasons.ts';
import { distinctPlaces, nothing, type Verdict } from './verdict.ts';

/** What is known of a folder's files. */
interface FolderFacts {
  /** Relative to the folder. */
  readonly paths: readonly string[];
  /** What their names say, in the same order. */
  readonly names: readonly Verdict[];
  readonly read: ReadWork;
  /** The one slot that was asked for; null: any. */
  readonly slot: Slot | null;
  readonly alsoCalled: readonly string[];
  readonly looks: Looks;
}

/** How many possible places an answer names. */
const mostPlaces = 8;

/**
 * What becomes of each file; those that are matched are in the order of the catalogue. What is not for what was asked
 * for is left out, and several files for one place are asked about.
 */
export function entriesOf(facts: FolderFacts): FileEntry[] {
  const { paths, names, read, looks } = facts;
  const order = new Map(placesOfTargets(read.targets).map((place, at) => [keyOfPlace(place), at]));
  const isAsked = (place: Place) =>
    order.has(keyOfPlace(place)) && (facts.slot === null || place.slot === facts.slot);
  const files = paths.map((path, at) => {
    const verdict = settled(path, names[at] ?? nothing('says_nothing'), facts, isAsked);
    const [place] = verdict.why === null ? verdict.places : [];
    return { path, verdict, taken: place === undefined ? null : keyOfPlace(place) };
  });
  const takers = groupedBy(files, ({ taken }) => taken);
  const entries = files.map(({ path, verdict, taken }): FileEntry => {
    const { why, about } = verdict;
    const places = verdict.places.slice(0, mostPlaces).map(shownPlace);
    const [place] = places;
    if (place === undefined) {
      const status = why === 'outside' || why === 'junk' ? 'ignored' : 'unmatched';
      return { status, path, why: reasonOf(why ?? 'says_nothing', about) };
    }
    const picture = checkPicture(looks.get(path), place.slot);
    if (why !== null) {
      const ask = askFor(path, verdict, places, facts);
      return { status: 'ambiguous', path, places, ...picture, why: reasonOf(why, about), ask };
    }
    const rivals = (takers.get(taken) ?? []).map((one) => one.path);
    if (rivals.length < 2)
      return { status: 'matched', path, place, ...picture, change: { operation: 'add' } };
    const ask = askForFile(place, rivals, looks);
    return { status: 'ambiguous', path, places, ...picture, why: reasonOf('several_files'), ask };
  });
  const rankOf = (entry: FileEntry) =>
    entry.status === 'matched' ? (order.get(keyOfPlace(entry.place)) ?? 0) : -1;
  return tellCopies(entries.sort((one, other) => rankOf(one) - rankOf(other)));
}

/** What a name comes to with what was asked for, and what its file is. */
function settled(
  path: string,
  named: Verdict,
  { looks, slot }: FolderFacts,
  isAsked: (place: Place) => boolean,
): Verdict {
  const kind = kindOfFile(path);
  if (kind === 'odd') {
    const facts = factsIn(looks.get(path));
    // Of what holds no picture nobody expects an ending.
    if (facts === null) return nothing('junk');
    return nothing('no_ending', facts.contentType.replace('image/', '.').replace('jpeg', 'jpg'));
  }
  if (kind === 'exportable') return nothing('wrong_type');
  if (named.places.length === 0) return named;
  const { places, why, usual } = named;
  // A name that leaves the slot open is for the one that was asked for; in a folder of title cards a title is an episode's.
  const inSlot = usual === true && slot !== null ? places.map((place) => ({ ...place, slot })) : places;
  const kept = distinctPlaces(inSlot.filter(isAsked));
  if (kept.length === 0) return nothing('outside');
  const isDecided =
    slot !== null &&
    kept.length === 1 &&
    (why === 'slot_unclear' || (why === 'title_alone' && slot === 'titlecard'));
  return { ...named, places: kept, why: isDecided ? null : why };
}

/** A place as a plan keeps and shows it. */
export function shownPlace({ target, slot }: Place): PlannedPlace {
  const season = target.kind === 'season' || target.kind === 'episode' ? target.season : null;
  const code = target.kind === 'season' && season !== null ? seasonWords(season) : codeOf(target);
  const { kind, id } = target;
  return { target: { kind, id }, slot, season, code, label: labelOf(target) || keyOfTarget(target) };
}

/** What to ask about a file: where one answer decides for many files, the same of each. */
function askFor(
  path: string,
  { why, about = '' }: Verdict,
  places: readonly PlannedPlace[],
  { read, alsoCalled }: FolderFacts,
): string {
  const { target } = read.work;
  if (why === 'short_name') {
    const called = cleanText(about);
    const work = `this ${target.kind}: ${quoted(labelOf(target) || keyOfTarget(target))}`;
    const again = JSON.stringify([...alsoCalled, called]);
    return `Is ${quoted(called)} ${work}? If so, plan again with alsoCalled ${again}.`;
  }
  if (why === 'title_alone' && places.every(({ slot }) => slot === 'titlecard'))
    return 'Are files that are called as an episode is its title card? If so, plan again with slot titlecard.';
  const names = places.map(nameOf);
  const file = quoted(cleanText(path));
  return names.length === 1 ? `Is ${file} the ${names[0]}?` : `Which one is ${file}: ${names.join('; ')}?`;
}

/** Which of several files a place gets. */
function askForFile(place: PlannedPlace, paths: readonly string[], looks: Looks): string {
  const named = paths.slice(0, 5).map((path) => quoted(cleanText(path)));
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  const isSame = new Set(paths.map((path) => factsIn(looks.get(path))?.sha256 ?? path)).size === 1;
  const same = isSame ? ' They are the same to the byte, so either will do.' : '';
  return `Which one is for the ${nameOf(place)}: ${named.join('; ')}${more}?${same}`;
}

function nameOf({ slot, label }: PlannedPlace): string {
  return `${slotWords(slot)} of ${quoted(label)}`;
}

/**
 * Tells what is wrong with a picture of the folder, or should be known of it, before it is planned for a slot.
 */
function checkPicture(
  looked: InspectedPicture | undefined,
  slot: Slot,
): Pick<MatchedEntry, 'picture' | 'problem' | 'warnings'> {
  if (looked === undefined)
    return {
      picture: null,
      problem: { code: 'not_looked_at', message: 'It was not looked at.' },
      warnings: [],
    };
  if ('refused' in looked) {
    const { details, failure, message } = looked.refused;
    const code = typeof details?.reason === 'string' ? details.reason : failure;
    return { picture: null, problem: { code, message }, warnings: [] };
  }
  const { filename, contentType, contentLength, sha256, picture } = looked.facts;
  const told = warningsOf(looked.facts, { slot, usual: shapeOfSlot(slot) });
  const { width, height } = picture ?? { width: null, height: null };
  return {
    picture: { filename, contentType, contentLength, sha256, width, height },
    problem: null,
    warnings: told.map((warning): Said => ({ ...warning })),
  };
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
    const [original] = (sure.get(entry.picture.sha256) ?? []).filter((one) => one !== entry);
    if (original === undefined) return entry;
    const message = `It is the same picture as ${quoted(cleanText(original.path))}, to the byte.`;
    const same = { code: 'same_bytes', message };
    if (entry.status === 'matched') return { ...entry, warnings: [...entry.warnings, same] };
    if (entry.why.code === 'several_files') return entry;
    return { ...entry, why: same, ask: `${message} Is ${quoted(cleanText(entry.path))} left out?` };
  });
}
