import { type PlanPlace, slotNamesOfKind } from '../matching/places.ts';
import type { PlanTarget } from '../matching/targets.ts';
import { labelOf } from './labels.ts';

export interface PlaceName extends PlanPlace {
  /** The target's number or title, for people. */
  readonly label: string;
}

export interface PlanTargetNames {
  place(place: PlanPlace): PlaceName;
  /** Orders places as the catalogue orders its targets, and the slots of each. */
  rank(place: PlanPlace): number;
}

/** More than any kind has. */
const mostSlots = 100;

/** Names the targets and places of a plan, and orders them as the catalogue does. */
export function planTargetNamesOf(all: readonly PlanTarget[]): PlanTargetNames {
  const labels = distinctLabels(all);
  const order = new Map(all.map(({ kind, id }, at) => [`${kind} ${id}`, at]));
  return {
    place: ({ targetKind, targetId, slot }) => {
      const key = `${targetKind} ${targetId}`;
      return { targetKind, targetId, slot, label: labels.get(key) ?? key };
    },
    rank: ({ targetKind, targetId, slot }) => {
      const at = order.get(`${targetKind} ${targetId}`) ?? order.size;
      return at * mostSlots + slotNamesOfKind(targetKind).indexOf(slot) + 1;
    },
  };
}

/** A label that is several targets' says of each its kind and id too: a question has to name one. */
function distinctLabels(all: readonly PlanTarget[]): ReadonlyMap<string, string> {
  const labels = new Map(all.map((target) => [`${target.kind} ${target.id}`, labelOf(target)]));
  const often = new Map<string, number>();
  for (const label of labels.values()) often.set(label, (often.get(label) ?? 0) + 1);
  return new Map(
    [...labels].map(([key, label]) => [key, often.get(label) === 1 ? label : `${label} (${key})`]),
  );
}
