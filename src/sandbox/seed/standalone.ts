import { type EntityKind, type Slot, slotsOf } from '../artwork/slots.ts';
import type { Creator } from './creators.ts';
import { stableNumber } from './identity.ts';
import { isWordless } from './pictures.ts';
import { creatorFor, type Placement } from './plan.ts';

/** An Asset that belongs to no Set. */
export interface StandalonePlan extends Placement {
  readonly name: string;
  readonly creator: Creator;
  readonly languageCode: string | null;
}

/** The most standalone Assets that an entity gets for a slot; a slot that is not named here gets up to two. */
const most: Readonly<Partial<Record<Slot, number>>> = {
  poster: 5,
  cover: 4,
  backdrop: 3,
  logo: 3,
  titlecard: 1,
};

/**
 * A few Assets for each slot of an entity, of some slots none.
 * @param exactly - overrides the number for one slot
 */
export function planStandalone(
  kind: EntityKind,
  id: number,
  exactly: Partial<Record<Slot, number>> = {},
): readonly StandalonePlan[] {
  return slotsOf[kind].flatMap((slot: Slot) => {
    const count = exactly[slot] ?? stableNumber(`count ${kind} ${id} ${slot}`, (most[slot] ?? 2) + 1);
    return Array.from({ length: count }, (_, nth) => {
      const name = `standalone ${kind} ${id} ${slot} ${nth}`;
      const creator = creatorFor(name, 0);
      const languageCode = isWordless(slot) ? null : creator.languageCode;
      return { name, kind, id, slot, creator, languageCode };
    });
  });
}
