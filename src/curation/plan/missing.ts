import { type PlanPlace, placeKey, slotNamesOfKind } from '../matching/places.ts';
import type { PlanTarget } from '../matching/targets.ts';
import { planTargetNamesOf } from '../targets/names.ts';
import type { FileEntry } from './entries.ts';
import type { MissingEntry } from './plan.ts';

/** A place that has a picture, of whatever kind the service says. */
interface Filled {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

/**
 * Places that the folder's slots would fill and no file does, in the catalogue's order: the slots that its files
 * are for, or the one that was asked for.
 * @param filled what the Set has already
 */
export function missingPlaces(
  entries: readonly FileEntry[],
  all: readonly PlanTarget[],
  slot: string | null,
  filled: readonly Filled[],
): MissingEntry[] {
  const taken = new Set(
    filled.map(({ targetKind, targetId, slot: of }) => `${targetKind} ${targetId} ${of}`),
  );
  const used = new Set<string>();
  const use = (place: PlanPlace): void => {
    taken.add(placeKey(place));
    used.add(`${place.targetKind} ${place.slot}`);
  };
  for (const entry of entries) {
    if (entry.status === 'matched') use(entry.place);
    else if (entry.status === 'ambiguous') entry.places.forEach(use);
  }
  const names = planTargetNamesOf(all);
  return all.flatMap(({ kind, id }) =>
    slotNamesOfKind(kind)
      .filter((one) => (slot === null ? used.has(`${kind} ${one}`) : one === slot))
      .map((one): PlanPlace => ({ targetKind: kind, targetId: id, slot: one }))
      .filter((place) => !taken.has(placeKey(place)))
      .map((place): MissingEntry => ({ status: 'missing', place: names.place(place) })),
  );
}
