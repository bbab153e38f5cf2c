import { isSlot, slots, type SlotShape } from '../artwork/slots.ts';

/** `metadataImages` of Person has it, and no Set. */
const profile: SlotShape = { width: 800, height: 1200, manner: 'portrait' };

/** The shape of a slot, or of `profile`; anything else gets the shape of a poster. */
export function shapeOf(slot: string): SlotShape {
  if (slot === 'profile') return profile;
  return slots[isSlot(slot) ? slot : 'poster'].drawn;
}
