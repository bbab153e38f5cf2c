import type { SetKind, Target } from '../artwork/sets.ts';
import { type EntityKind, type Slot, slotsOf } from '../artwork/targets.ts';
import { type Creator, creators, type EditionName } from './creators.ts';
import { isWordless } from './pictures.ts';
import { stableNumber } from './stable.ts';

/** One picture in a slot of an entity. */
export interface SlotPlan {
  readonly kind: EntityKind;
  readonly id: number;
  readonly slot: Slot;
}

/** A Set to be stored. */
export interface SetPlan {
  /** Unique; the Set's ids and times are derived from it. */
  readonly name: string;
  readonly kind: SetKind;
  readonly target: Target | null;
  readonly members: readonly Target[];
  readonly title: string;
  readonly description: string | null;
  /** null: the account was removed, and the Set has no owner. */
  readonly creator: Creator | null;
  readonly languageCode: string;
  readonly edition: EditionName | null;
  readonly finalised: boolean;
  readonly placements: readonly SlotPlan[];
}

export function planSlots(kind: EntityKind, id: number, ...slots: readonly Slot[]): readonly SlotPlan[] {
  return slots.map((slot) => ({ kind, id, slot }));
}

/** The creator of the n-th Set for a work: different for each n, up to the number of creators. */
export function creatorFor(name: string, nth: number): Creator {
  const creator = creators[(stableNumber(`creator ${name}`, creators.length) + nth) % creators.length];
  if (!creator) throw new Error('There are no creators.');
  return creator;
}

/** Fictional works whose Sets have no creator and no description. See `departures.jsonl`. */
const undescribed = [
  'Tomorrow, Perhaps, in Thimbleton',
  'A Collection of One',
  'Nothing Is Known of This Game',
];

export function hasNoDescription(subject: string): boolean {
  return undescribed.includes(subject);
}

/** The fields that Sets of every kind derive in the same way. */
export function commonFields(name: string, subject: string, creator: Creator) {
  return {
    name,
    title: `${subject} · ${creator.manner}`,
    creator: hasNoDescription(subject) ? null : creator,
    languageCode: creator.languageCode,
    finalised: stableNumber(`finalised ${name}`, 5) > 0,
  };
}

/** An Asset outside any Set. */
export interface StandalonePlan extends SlotPlan {
  readonly name: string;
  readonly creator: Creator;
  readonly languageCode: string | null;
}

/** The maximum of standalone Assets per entity and slot; other slots get up to two. */
const maxStandalone: Readonly<Partial<Record<Slot, number>>> = {
  poster: 5,
  cover: 4,
  backdrop: 3,
  logo: 3,
  titlecard: 1,
};

/**
 * A few Assets for each slot of an entity, for some slots none.
 * @param exactly - sets the number for a slot
 */
export function planStandalone(
  kind: EntityKind,
  id: number,
  exactly: Partial<Record<Slot, number>> = {},
): readonly StandalonePlan[] {
  return slotsOf[kind].flatMap((slot: Slot) => {
    const count =
      exactly[slot] ?? stableNumber(`count ${kind} ${id} ${slot}`, (maxStandalone[slot] ?? 2) + 1);
    return Array.from({ length: count }, (_, nth) => {
      const name = `standalone ${kind} ${id} ${slot} ${nth}`;
      const creator = creatorFor(name, 0);
      const languageCode = isWordless(slot) ? null : creator.languageCode;
      return { name, kind, id, slot, creator, languageCode };
    });
  });
}

/** One season of this many has no poster anywhere. */
const oneWithoutOf = 8;

export function hasPoster(season: { readonly id: number }): boolean {
  return stableNumber(`poster of season ${season.id}`, oneWithoutOf) > 0;
}
