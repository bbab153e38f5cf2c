import { hasRatioOfSlot, hasOtherOrientation, shapeOfSlot } from '../../files/slot-shapes.ts';
import { distinctPlaces, hasSlot, type PlanPlace, slotNamesOfKind } from './places.ts';
import type { MatchVerdict } from './verdict.ts';

/** Pixels, as the picture is meant to be seen. */
export interface Shape {
  readonly width: number;
  readonly height: number;
}

/**
 * Lets a picture's proportions have the last word where its name left open what it is: they choose among the
 * slots that are possible, and speak against one that was only the usual one. They never decide what it is of.
 */
export function confirmByShape(verdict: MatchVerdict, shape: Shape | null): MatchVerdict {
  const [first] = verdict.places;
  if (shape === null || first === undefined) return verdict;
  const sameTarget = verdict.places.every(
    ({ targetKind, targetId }) => targetKind === first.targetKind && targetId === first.targetId,
  );
  if (!sameTarget) return verdict;
  if (!verdict.sure && verdict.why === 'slot_unclear') {
    const [only, ...others] = verdict.places.filter(({ slot }) => fits(slot, shape));
    return only !== undefined && others.length === 0
      ? { ...verdict, places: [only], sure: true, why: null }
      : verdict;
  }
  const slots = slotNamesOfKind(first.targetKind);
  if (!verdict.sure || verdict.usual !== true || slots.length === 1 || fits(first.slot, shape))
    return verdict;
  const better = slots.filter((slot) => fits(slot, shape)).map((slot) => ({ ...first, slot }));
  return { ...verdict, places: distinctPlaces([...better, first]), sure: false, why: 'slot_unclear' };
}

/**
 * Asks about a picture that can hardly be what its name says: an upright one for a place where pictures are wide. A
 * poster of a film may be called as an episode is.
 */
export function doubtByShape(verdict: MatchVerdict, shape: Shape | null): MatchVerdict {
  const [place, ...others] = verdict.places;
  if (shape === null || place === undefined || others.length > 0) return verdict;
  if (!verdict.sure && verdict.alone !== true) return verdict;
  const usual = shapeOfSlot(place.slot);
  return usual !== null && hasOtherOrientation(shape.width, shape.height, usual)
    ? { ...verdict, sure: false, why: 'shape_differs' }
    : verdict;
}

/** A slot of any proportions is confirmed by none. */
function fits(slot: string, { width, height }: Shape): boolean {
  const usual = shapeOfSlot(slot);
  return usual !== null && usual.ratios.length > 0 && hasRatioOfSlot(width, height, usual);
}

/**
 * Keeps to one slot, where the folder is for one: a name that leaves the slot open is for it, what is for
 * another slot is left out (no places).
 */
export function keepToSlot(slot: string, verdict: MatchVerdict): MatchVerdict {
  const meant = (place: PlanPlace): PlanPlace[] => {
    if (place.slot === slot) return [place];
    return verdict.usual === true && hasSlot(place.targetKind, slot) ? [{ ...place, slot }] : [];
  };
  const places = distinctPlaces(verdict.places.flatMap(meant));
  // In a folder of title cards a title is an episode's.
  const kept = { ...verdict, places, alone: verdict.alone === true && slot !== 'titlecard' };
  return verdict.why === 'slot_unclear' && places.length === 1
    ? { ...kept, sure: true, why: null }
    : { ...kept, sure: verdict.sure && places.length === 1 };
}
