import { shapeOfSlot } from '../files/slot-shapes.ts';
import type { Size } from './sheet-layout.ts';

/** Proportions of what usually stands in a slot, as numbers to be compared; where they are free, those of a logo. */
export function usualShape(slot: string): Size {
  const [width = 5, height = 2] = (shapeOfSlot(slot)?.ratios[0] ?? '5:2').split(':').map(Number);
  return { width, height };
}
