import { assetIdIn } from '../../model/asset.ts';
import { setKindsOf } from '../../model/kinds.ts';
import { type ArtworkSet, picturesOf } from '../../model/set.ts';
import {
  isSameTarget,
  keyOfTarget,
  labelOf,
  shortLabelOf,
  shortLine,
  type TargetReference,
} from '../../model/target.ts';
import { mapLimit } from '../../wire/pacing.ts';
import { type ChangeLine, type PlaceChange, type PlaceEvents, placeChange, placesOf } from './change.ts';
import { type ChangeEvent, isOfAsset, momentOf, type SetEvent, spanOfTimes } from './feeds.ts';
import type { Naming } from './naming.ts';

/** What changed in one place, and the events that it tells. */
export interface PlaceRead {
  readonly change: PlaceChange;
  readonly events: readonly ChangeEvent[];
  /** What its target is part of. */
  readonly within: readonly TargetReference[];
}

/** What waits to be told of one Set or, of Assets that stand in none, of one target. */
export interface LineRead extends Pick<ChangeLine, 'set' | 'of' | 'createdBy'> {
  /** What the feed of Sets tells of the Set itself. */
  readonly own: readonly SetEvent[];
  readonly places: readonly PlaceRead[];
}

/** As one line of an answer. */
export function lineOf({ set, of, createdBy, own, places }: LineRead): ChangeLine {
  const events = [...own, ...places.flatMap((place) => place.events)];
  const { first: firstAt, last: lastAt } = spanOfTimes(events.map(({ at }) => at));
  const changes = places.map(({ change }) => change);
  return { set, setChange: setChangeOf(own), of, createdBy, firstAt, lastAt, places: changes };
}

/** Milliseconds between a change of a Set's Asset and that of the Set which it made. */
const near = 5 * 60_000;
/** Sets that are asked whether an Asset stands in them, the nearest in time first. */
const mostAsked = 4;
const few = 4;
/** Places that are looked at ahead, so that their Sets are read together. */
const ahead = 12;

/** What an answer tells of: a place in which something happened, or a Set that changed. */
export type Subject = PlaceEvents | SetEvent;

/** By what they are ordered: milliseconds since 1970; what shows no time stands before all others. */
export function rankOf(subject: Subject): number {
  return ('events' in subject ? subject.newest : momentOf(subject)) ?? Number.MAX_SAFE_INTEGER;
}

/** The newest first, in the same order whenever the same is read. */
export function subjectsOf(events: readonly ChangeEvent[]): Subject[] {
  return [...placesOf(events.filter(isOfAsset)), ...events.filter(isOfSet)].sort(
    (one, other) => rankOf(other) - rankOf(one) || (one.key < other.key ? -1 : 1),
  );
}

/**
 * Tells subjects as lines: all of one Set together, and what stands in no Set by its target and creator. Neither feed
 * names a creator, and that of Assets no Set: a Set that changed at the same time is asked first, since it names all
 * of its pictures at once, then the entity's own lists.
 * @param all events of the reading, which show which Sets changed when
 */
export async function* linesOf(
  subjects: readonly Subject[],
  all: readonly ChangeEvent[],
  naming: Naming,
): AsyncGenerator<LineRead> {
  const places = new Map(subjects.flatMap((one) => ('events' in one ? [[one.key, one] as const] : [])));
  const setEvents = new Map(subjects.flatMap((one) => ('events' in one ? [] : [[one.key, one] as const])));
  const changedSets = all.filter(isOfSet);
  for (const [at, subject] of subjects.entries()) {
    if ('events' in subject) {
      if (!places.has(subject.key)) continue;
      const waiting = subjects.slice(at, at + ahead).filter((one) => 'events' in one && places.has(one.key));
      await readAhead(waiting, changedSets, naming);
      yield* takePlace(subject, places, setEvents, changedSets, naming);
    } else if (setEvents.has(subject.key)) {
      const { set } = subject;
      yield takeSet(await naming.set(set.kind, set.id), set, places, setEvents);
    }
  }
}

async function readAhead(
  waiting: readonly Subject[],
  changedSets: readonly SetEvent[],
  naming: Naming,
): Promise<void> {
  const nearest = waiting.flatMap((one) => ('events' in one ? setsNear(one, changedSets).slice(0, 1) : []));
  const distinct = [...new Map(nearest.map(({ set }) => [keyOfTarget(set), set])).values()];
  await mapLimit(distinct, few, async ({ kind, id }) => {
    if (naming.hasRoom()) await naming.set(kind, id);
  });
}

function setsNear({ target, newest }: PlaceEvents, changedSets: readonly SetEvent[]): SetEvent[] {
  const kinds: readonly string[] = setKindsOf(target.kind);
  if (newest === null) return [];
  const distance = (event: SetEvent) => Math.abs((momentOf(event) ?? Number.POSITIVE_INFINITY) - newest);
  return changedSets
    .filter((event) => kinds.includes(event.set.kind) && distance(event) <= near)
    .sort((one, other) => distance(one) - distance(other))
    .slice(0, mostAsked);
}

async function* takePlace(
  place: PlaceEvents,
  places: Map<string, PlaceEvents>,
  setEvents: Map<string, SetEvent>,
  changedSets: readonly SetEvent[],
  naming: Naming,
): AsyncGenerator<LineRead> {
  for (const near of setsNear(place, changedSets)) {
    const set = await naming.set(near.set.kind, near.set.id);
    if (set !== null && picturesById(set).has(place.last.assetId.toLowerCase())) {
      yield takeSet(set, set, places, setEvents);
      return;
    }
  }
  const { kind, id } = place.target;
  const holder = await naming.holder(kind, id, place.last.assetId);
  const listed = holder?.listed ?? null;
  for (const setKind of listed?.setId == null ? [] : setKindsOf(kind)) {
    const set = await naming.set(setKind, listed?.setId ?? 0);
    if (
      set === null ||
      (listed?.createdBy !== null && set.createdBy !== null && set.createdBy !== listed?.createdBy)
    )
      continue;
    yield takeSet(set, set, places, setEvents, place);
    return;
  }
  const together: PlaceRead[] = [];
  for (const other of [...places.values()]) {
    if (!isSameTarget(other.target, place.target)) continue;
    const its = (await naming.holder(kind, id, other.last.assetId))?.listed ?? null;
    if (other !== place && (its?.createdBy ?? null) !== (listed?.createdBy ?? null)) continue;
    if (other !== place && its?.setId != null) continue;
    const change = placeChange(other, '');
    together.push({ change, events: other.events, within: holder?.within ?? [] });
    places.delete(other.key);
  }
  const of = { kind, id, title: await naming.titleOf(kind, id) };
  yield { set: null, of, createdBy: shortLine(listed?.createdBy) || null, own: [], places: together };
}

/** Everything of one Set that waits to be told. */
function takeSet(
  set: ArtworkSet | null,
  { kind, id }: { readonly kind: string; readonly id: number },
  places: Map<string, PlaceEvents>,
  setEvents: Map<string, SetEvent>,
  also?: PlaceEvents,
): LineRead {
  const own = [...setEvents.values()].filter((event) => isSameTarget(event.set, { kind, id }));
  for (const { key } of own) setEvents.delete(key);
  const pictures = set === null ? noPictures : picturesById(set);
  const pictureOf = ({ last }: PlaceEvents) => pictures.get(last.assetId.toLowerCase());
  const found = [...places.values()]
    .filter((place) => place === also || pictureOf(place) !== undefined)
    .sort((one, other) => (pictureOf(one)?.at ?? pictures.size) - (pictureOf(other)?.at ?? pictures.size));
  for (const { key } of found) places.delete(key);
  const work = set?.work ?? null;
  const labelIn = (place: PlaceEvents): string => {
    if (isSameTarget(place.target, work ?? { kind, id })) return '';
    return pictureOf(place)?.label ?? keyOfTarget(place.target);
  };
  return {
    set: { kind, id, title: shortLine(set?.title) || null },
    of: work === null ? null : { kind: work.kind, id: work.id, title: labelOf(work) || null },
    createdBy: shortLine(set?.createdBy) || null,
    own,
    places: found.map((place) => ({
      change: placeChange(place, labelIn(place)),
      events: place.events,
      within: pictureOf(place)?.within ?? [],
    })),
  };
}

/** A Set that was added and has changed since was added. */
function setChangeOf(events: readonly SetEvent[]): string | null {
  const words = events.map(({ change }) => change);
  return words.includes('added') ? 'added' : (words[0] ?? null);
}

interface SetPicture {
  readonly label: string;
  readonly within: readonly TargetReference[];
  /** Its place in the order of the Set. */
  readonly at: number;
}

const noPictures: ReadonlyMap<string, SetPicture> = new Map();
const bySet = new WeakMap<ArtworkSet, ReadonlyMap<string, SetPicture>>();

function picturesById(set: ArtworkSet): ReadonlyMap<string, SetPicture> {
  const known = bySet.get(set);
  if (known !== undefined) return known;
  const seasons = new Map(set.seasons.map((season) => [season.season, season]));
  const found = new Map(
    picturesOf(set).flatMap(({ target, path }, at) => {
      const assetId = assetIdIn(path);
      const season = target.kind === 'episode' ? seasons.get(target.season) : undefined;
      const within = season === undefined ? [] : [season];
      return assetId === null ? [] : [[assetId, { label: shortLabelOf(target), within, at }] as const];
    }),
  );
  bySet.set(set, found);
  return found;
}

function isOfSet(event: ChangeEvent): event is SetEvent {
  return 'set' in event;
}
