import { slotsOf } from '../../model/kinds.ts';
import type { Slot } from '../../model/slots.ts';
import {
  type EpisodeTarget,
  keyOfPlace,
  keyOfTarget,
  labelOf,
  type Place,
  type Target,
} from '../../model/target.ts';
import type { PlannedPlace } from './plan.ts';

/** The places of episodes' title cards. */
export function cardsOf(episodes: readonly EpisodeTarget[]): Place[] {
  return episodes.map((target) => ({ target, slot: 'titlecard' }));
}

/** Each place once, in the order in which they came. */
export function distinctPlaces(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [keyOfPlace(place), place])).values()];
}

/** The slots of a target of this kind; none for a word that is no kind. */
export function slotsFor({ kind }: Pick<Target, 'kind'>): readonly Slot[] {
  return slotsOf(kind) ?? [];
}

/** More than any kind has. */
const mostSlots = 100;

export type PlaceNames = ReturnType<typeof placeNamesOf>;

/** Names places as a plan shows them, and orders them as the catalogue does. */
export function placeNamesOf(all: readonly Target[]) {
  const labels = distinctLabels(all);
  const order = new Map(all.map((target, at) => [keyOfTarget(target), at]));
  return {
    /** With the target's number or title, for people. */
    shown({ target, slot }: Place): PlannedPlace {
      const key = keyOfTarget(target);
      return { target: alone(target), slot, label: labels.get(key) ?? key };
    },
    /** Orders places as the catalogue orders its targets, and the slots of each. */
    rank({ target, slot }: Place): number {
      const at = order.get(keyOfTarget(target)) ?? order.size;
      return at * mostSlots + slotsFor(target).indexOf(slot) + 1;
    },
  };
}

/** A label that is several targets' says of each its kind and id too: a question has to name one. */
function distinctLabels(all: readonly Target[]): ReadonlyMap<string, string> {
  const labels = new Map(all.map((target) => [keyOfTarget(target), labelAmongParts(target)]));
  const often = new Map<string, number>();
  for (const label of labels.values()) often.set(label, (often.get(label) ?? 0) + 1);
  return new Map(
    [...labels].map(([key, label]) => [key, often.get(label) === 1 ? label : `${label} (${key})`]),
  );
}

/** A collection is often called as its first film is. */
function labelAmongParts(target: Target): string {
  const label = labelOf(target);
  if (label === '') return keyOfTarget(target);
  return target.kind === 'collection' ? `${label} (collection)` : label;
}

/** Without what is read with it: a season comes with its episodes. */
function alone(whole: Target): Target {
  const { id, title, date } = whole;
  switch (whole.kind) {
    case 'season':
      return { kind: whole.kind, id, title, date, season: whole.season };
    case 'episode':
      return { kind: whole.kind, id, title, date, season: whole.season, episode: whole.episode };
    default:
      return { kind: whole.kind, id, title, date, year: whole.year };
  }
}
