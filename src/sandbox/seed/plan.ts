import type { SetKind, Target } from '../artwork/sets.ts';
import type { EntityKind, Slot } from '../artwork/slots.ts';
import { type Creator, creators, type EditionName } from './creators.ts';
import { stableNumber } from './identity.ts';

/** One picture in a slot of an entity. */
export interface Placement {
  readonly kind: EntityKind;
  readonly id: number;
  readonly slot: Slot;
}

/** A Set as it is to be stored. */
export interface SetPlan {
  /** Unique; the Set's ids and times are derived from it. */
  readonly name: string;
  readonly kind: SetKind;
  readonly target: Target | null;
  readonly members: readonly Target[];
  readonly title: string;
  readonly description: string | null;
  /** null: the account is gone, and the Set has no owner any more. */
  readonly creator: Creator | null;
  readonly languageCode: string;
  readonly edition: EditionName | null;
  readonly finalised: boolean;
  readonly placements: readonly Placement[];
}

export function placed(kind: EntityKind, id: number, ...slots: readonly Slot[]): readonly Placement[] {
  return slots.map((slot) => ({ kind, id, slot }));
}

/** The creator of the n-th Set for a work: a different one for each n, up to the number of creators. */
export function creatorFor(name: string, nth: number): Creator {
  const creator = creators[(stableNumber(`creator ${name}`, creators.length) + nth) % creators.length];
  if (!creator) throw new Error('There are no creators.');
  return creator;
}

/** Fictional works whose Sets have neither a creator nor a description. See `departures.jsonl`. */
const untold = ['Tomorrow, Perhaps, in Thimbleton', 'A Collection of One', 'Nothing Is Known of This Game'];

export function isUntold(subject: string): boolean {
  return untold.includes(subject);
}

/** The fields that are made in the same way for Sets of every kind. */
export function authored(name: string, subject: string, creator: Creator) {
  return {
    name,
    title: `${subject} · ${creator.manner}`,
    creator: isUntold(subject) ? null : creator,
    languageCode: creator.languageCode,
    finalised: stableNumber(`finalised ${name}`, 5) > 0,
  };
}
