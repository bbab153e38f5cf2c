import { mapLimit } from '../../wire/pacing.ts';
import { assetIdIn, type SetFacts, type SetPicture } from '../audits/set-facts.ts';
import { setKindsFor } from '../audits/which-sets.ts';
import { type ChangeLine, type NamedTarget, type PlaceEvents, placeChange, placesOf } from './change.ts';
import { type ChangeEvent, isOfAsset, momentOf, type SetEvent, spanOfTimes } from './feeds.ts';
import type { Naming } from './naming.ts';

/** One line, and the events that it tells. */
export interface LineRead {
  readonly line: ChangeLine;
  readonly keys: readonly string[];
  /** What its targets are part of. */
  readonly within: readonly { readonly kind: string; readonly id: number }[];
}

/** Milliseconds between a change of a Set's Asset and that of the Set which it made. */
const near = 5 * 60_000;
/** Sets that are asked whether an Asset stands in them, the nearest in time first. */
const mostAsked = 4;
const few = 4;
/** Places that are looked at ahead, so that their Sets are read together. */
const ahead = 12;

/**
 * Tells events, the newest first, as lines: all of one Set together, and what stands in no Set by its target and
 * creator. Neither feed names a creator, and that of Assets no Set: a Set that changed at the same time is asked
 * first, since it names all of its pictures at once, then the entity's own lists.
 * @param events that were not told yet
 * @param all events of the reading, which show which Sets changed when
 */
export async function* linesOf(
  events: readonly ChangeEvent[],
  all: readonly ChangeEvent[],
  naming: Naming,
): AsyncGenerator<LineRead> {
  const places = new Map(placesOf(events.filter(isOfAsset)).map((place) => [place.key, place]));
  const setEvents = new Map(events.filter(isOfSet).map((event) => [event.key, event]));
  const changedSets = all.filter(isOfSet);
  const subjects = inOrder([...places.values()], [...setEvents.values()]);
  for (const [at, subject] of subjects.entries()) {
    if ('events' in subject) {
      if (!places.has(subject.key)) continue;
      const waiting = subjects.slice(at, at + ahead).filter((one) => 'events' in one && places.has(one.key));
      await readAhead(waiting, changedSets, naming);
      yield* takePlace(subject, places, setEvents, changedSets, naming);
    } else if (setEvents.has(subject.key)) {
      yield takeSet(await naming.set(subject.set.kind, subject.set.id), subject, places, setEvents);
    }
  }
}

/** Places and Sets, the newest first; what shows no time goes before. */
function inOrder(places: readonly PlaceEvents[], sets: readonly SetEvent[]): (PlaceEvents | SetEvent)[] {
  const at = (one: PlaceEvents | SetEvent) =>
    ('events' in one ? one.newest : momentOf(one)) ?? Number.POSITIVE_INFINITY;
  return [...places, ...sets].sort((one, other) => {
    const [first, second] = [at(one), at(other)];
    return first === second ? 0 : second > first ? 1 : -1;
  });
}

async function readAhead(
  waiting: readonly (PlaceEvents | SetEvent)[],
  changedSets: readonly SetEvent[],
  naming: Naming,
): Promise<void> {
  const nearest = waiting.flatMap((one) => ('events' in one ? setsNear(one, changedSets).slice(0, 1) : []));
  const distinct = [...new Map(nearest.map(({ set }) => [`${set.kind} ${set.id}`, set])).values()];
  await mapLimit(distinct, few, async ({ kind, id }) => {
    if (naming.hasRoom()) await naming.set(kind, id);
  });
}

function setsNear({ target, newest }: PlaceEvents, changedSets: readonly SetEvent[]): SetEvent[] {
  const kinds: readonly string[] = setKindsFor(target.kind);
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
  for (const { set } of setsNear(place, changedSets)) {
    const facts = await naming.set(set.kind, set.id);
    if (facts !== null && picturesById(facts).has(place.last.assetId.toLowerCase())) {
      yield takeSet(facts, { kind: facts.kind, id: facts.id }, places, setEvents);
      return;
    }
  }
  const { kind, id } = place.target;
  const holder = await naming.holder(kind, id, place.last.assetId);
  const listed = holder?.listed ?? null;
  for (const setKind of listed?.setId == null ? [] : setKindsFor(kind)) {
    const facts = await naming.set(setKind, listed?.setId ?? 0);
    if (facts === null || (listed?.by !== null && facts.by !== null && facts.by !== listed?.by)) continue;
    yield takeSet(facts, facts, places, setEvents, place);
    return;
  }
  const together: { readonly place: PlaceEvents; readonly path: string | null }[] = [];
  for (const other of [...places.values()]) {
    if (other.target.kind !== kind || other.target.id !== id) continue;
    const its = (await naming.holder(kind, id, other.last.assetId))?.listed ?? null;
    if (other !== place && (its?.by ?? null) !== (listed?.by ?? null)) continue;
    if (other !== place && its?.setId != null) continue;
    together.push({ place: other, path: its?.path ?? null });
    places.delete(other.key);
  }
  const title = await naming.titleOf(kind, id);
  const changes = together.map(({ place: one, path }) => placeChange(one, '', path));
  yield {
    line: {
      set: null,
      setChange: null,
      of: { kind, id, title },
      by: listed?.by ?? null,
      ...spanOf(together.map((one) => one.place)),
      places: changes,
    },
    keys: together.flatMap((one) => one.place.events.map(({ key }) => key)),
    within: holder?.within ?? [],
  };
}

/** Everything of one Set that waits to be told. */
function takeSet(
  facts: SetFacts | null,
  about: SetEvent | { readonly kind: string; readonly id: number },
  places: Map<string, PlaceEvents>,
  setEvents: Map<string, SetEvent>,
  also?: PlaceEvents,
): LineRead {
  const { kind, id } = 'set' in about ? about.set : about;
  const own = [...setEvents.values()].filter(({ set }) => set.kind === kind && set.id === id);
  for (const { key } of own) setEvents.delete(key);
  const pictures = facts === null ? new Map<string, SetPicture>() : picturesById(facts);
  const pictureOf = ({ last }: PlaceEvents) => pictures.get(last.assetId.toLowerCase());
  const order = new Map([...pictures.values()].map((picture, at) => [picture, at]));
  const rank = (picture: SetPicture | undefined) => (picture && order.get(picture)) ?? order.size;
  const found = [...places.values()]
    .filter((place) => place === also || pictureOf(place) !== undefined)
    .sort((one, other) => rank(pictureOf(one)) - rank(pictureOf(other)));
  for (const { key } of found) places.delete(key);
  const work = facts?.work ?? null;
  const of: NamedTarget | null = work === null ? null : { ...work, title: work.title || null };
  return {
    line: {
      set: { kind, id, title: facts?.title || null },
      setChange: setChangeOf(own),
      of,
      by: facts?.by ?? null,
      ...spanOf([...found, ...own]),
      places: found.map((place) => {
        const picture = pictureOf(place);
        return placeChange(place, picture?.label ?? '', picture?.path ?? null);
      }),
    },
    keys: [...own.map(({ key }) => key), ...found.flatMap((one) => one.events.map(({ key }) => key))],
    within: found.flatMap((place) => {
      const season = pictureOf(place)?.season ?? null;
      return season === null ? [] : [{ kind: 'season', id: season }];
    }),
  };
}

/** A Set that was added and has changed since was added. */
function setChangeOf(events: readonly SetEvent[]): string | null {
  const words = events.map(({ change }) => change);
  return words.includes('added') ? 'added' : (words[0] ?? null);
}

const byFacts = new WeakMap<SetFacts, ReadonlyMap<string, SetPicture>>();

function picturesById(facts: SetFacts): ReadonlyMap<string, SetPicture> {
  const known = byFacts.get(facts);
  if (known !== undefined) return known;
  const found = new Map(
    facts.pictures.flatMap((picture) => {
      const assetId = assetIdIn(picture.path);
      return assetId === null ? [] : [[assetId, picture] as const];
    }),
  );
  byFacts.set(facts, found);
  return found;
}

function spanOf(all: readonly (PlaceEvents | SetEvent)[]): Pick<ChangeLine, 'firstAt' | 'lastAt'> {
  const events = all.flatMap((one): readonly ChangeEvent[] => ('events' in one ? one.events : [one]));
  const { first: firstAt, last: lastAt } = spanOfTimes(events.map(({ at }) => at));
  return { firstAt, lastAt };
}

function isOfSet(event: ChangeEvent): event is SetEvent {
  return 'set' in event;
}
