import { groupedBy } from '../grouped-by.ts';
import { slotsOf } from './kinds.ts';
import type { Slot } from './slots.ts';
import {
  joinRuns,
  keyOfPlace,
  type Place,
  shortLabelOf,
  type Target,
  type TargetReference,
} from './target.ts';

/** How a place of a Set stands. */
export type HoldingState =
  | 'has'
  | 'lacks'
  /** It lacks this too, and it is still to come, so no creator can have made it. */
  | 'ahead'
  /** It was never meant to have this: it has nothing in this slot, of this kind of target. */
  | 'unmeant';

export interface Holding extends Place {
  readonly state: HoldingState;
}

/** What a Set has, lacks, cannot have yet, and was never meant to have: every place once, in the order given. */
export type Holdings<Of extends Place = Place> = readonly (Of & Holding)[];

interface HeldBy<Of extends Place> {
  has(place: Of): boolean;
  /** Still to come: an episode that was not aired, a film that was not released. Left out: nothing is. */
  isAhead?(target: Target): boolean;
}

/**
 * What a Set holds: the one way in which `get_set`, audits, plans, contact sheets and pages tell it. A slot that a Set
 * has nothing in, of a kind of target, was never meant to be filled: a Set of title cards does not lack posters.
 * @param places every place that counts: those that the Set lists (`ArtworkSet.places`), or all of a work (`placesOfTargets`)
 */
export function holdingsOf<Of extends Place>(places: readonly Of[], held: HeldBy<Of>): Holdings<Of> {
  const begun = new Set(places.filter((place) => held.has(place)).map(whatOf));
  const stateOf = (place: Of): HoldingState => {
    if (held.has(place)) return 'has';
    if (!begun.has(whatOf(place))) return 'unmeant';
    return held.isAhead?.(place.target) === true ? 'ahead' : 'lacks';
  };
  return places.map((place) => ({ ...place, state: stateOf(place) }));
}

/** Those that stand so, in their order. */
export function inState<Of extends Place>(
  holdings: Holdings<Of>,
  ...states: readonly HoldingState[]
): Holdings<Of> {
  return holdings.filter(({ state }) => states.includes(state));
}

/** Every slot of every target, in the order of the targets. */
export function placesOfTargets(targets: readonly Target[]): Place[] {
  return targets.flatMap((target) => (slotsOf(target.kind) ?? []).map((slot) => ({ target, slot })));
}

/** The places that pictures fill, to be asked by place. */
export function isFilledBy(
  pictures: readonly { readonly target: TargetReference | null; readonly slot: string }[],
): (place: Place) => boolean {
  const filled = new Set(
    pictures.flatMap(({ target, slot }) => (target === null ? [] : [keyOfPlace({ target, slot })])),
  );
  return (place) => filled.has(keyOfPlace(place));
}

function whatOf({ target, slot }: Place): string {
  return `${target.kind} ${slot}`;
}

/** How many of a kind of target have a picture in a slot, and which lack it. */
export interface SlotCount {
  readonly of: Target['kind'];
  readonly slot: Slot;
  readonly has: number;
  /** Without what is still to come. */
  readonly total: number;
  /** Those that lack it, those that follow one another joined; none of what was never meant. */
  readonly lacks: readonly string[];
}

/** One count for each kind of target and slot, in the order in which they first came. */
export function countsOf(holdings: Holdings): SlotCount[] {
  return [...groupedBy(holdings, whatOf).values()].flatMap((places): SlotCount[] => {
    const [first] = places;
    if (first === undefined) return [];
    const { target, slot } = first;
    const total = places.length - inState(places, 'ahead').length;
    const lacks = joinRuns(inState(places, 'lacks').map((place) => shortLabelOf(place.target)));
    return [{ of: target.kind, slot, has: inState(places, 'has').length, total, lacks }];
  });
}
