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

/** Names places as a plan shows them, and orders them as the catalogue does. A label of several says whose it is. */
export function placeNamesOf(all: readonly Target[]) {
  const labels = all.map(labelAmongParts);
  const often = new Map<string, number>();
  for (const label of labels) often.set(label, (often.get(label) ?? 0) + 1);
  const known = new Map(
    all.map((target, at) => {
      const [label = '', key] = [labels[at], keyOfTarget(target)];
      return [key, { at, label: often.get(label) === 1 ? label : `${label} (${key})` }] as const;
    }),
  );
  return {
    /** With the target's number or title, for people. */
    shown({ target, slot }: Place): PlannedPlace {
      const key = keyOfTarget(target);
      return { target: alone(target), slot, label: known.get(key)?.label ?? key };
    },
    /** Orders places as the catalogue orders its targets, and the slots of each. */
    rank({ target, slot }: Place): number {
      const at = known.get(keyOfTarget(target))?.at ?? known.size;
      return at * mostSlots + slotsFor(target).indexOf(slot) + 1;
    },
  };
}

/** A collection is often called as its first film is. */
function labelAmongParts(target: Target): string {
  const label = labelOf(target) || keyOfTarget(target);
  return target.kind === 'collection' ? `${label} (collection)` : label;
}

/** Without what is read with it: a season comes with its episodes. */
function alone(whole: Target): Target {
  const { id, title, date } = whole;
  if (whole.kind === 'season') return { kind: whole.kind, id, title, date, season: whole.season };
  if (whole.kind !== 'episode') return { kind: whole.kind, id, title, date, year: whole.year };
  return { kind: whole.kind, id, title, date, season: whole.season, episode: whole.episode };
}
