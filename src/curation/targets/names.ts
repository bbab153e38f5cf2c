import { type Place, slotsOfKind } from '../plan/places.ts';
import type { Target } from '../plan/targets.ts';
import { labelOf } from './labels.ts';

export interface NamedPlace extends Place {
  /** The target's number or title, for people. */
  readonly label: string;
}

export interface TargetNames {
  place(place: Place): NamedPlace;
  /** Orders places as the catalogue orders its targets, and the slots of each. */
  rank(place: Place): number;
}

/** More than any kind has. */
const mostSlots = 100;

export function namesOf(all: readonly Target[]): TargetNames {
  const labels = distinctLabels(all);
  const order = new Map(all.map(({ kind, id }, at) => [`${kind} ${id}`, at]));
  return {
    place: ({ targetKind, targetId, slot }) => {
      const key = `${targetKind} ${targetId}`;
      return { targetKind, targetId, slot, label: labels.get(key) ?? key };
    },
    rank: ({ targetKind, targetId, slot }) => {
      const at = order.get(`${targetKind} ${targetId}`) ?? order.size;
      return at * mostSlots + slotsOfKind(targetKind).indexOf(slot) + 1;
    },
  };
}

/** A label that is several targets' says of each its kind and id too: a question has to name one. */
function distinctLabels(all: readonly Target[]): ReadonlyMap<string, string> {
  const labels = new Map(all.map((target) => [`${target.kind} ${target.id}`, labelOf(target)]));
  const often = new Map<string, number>();
  for (const label of labels.values()) often.set(label, (often.get(label) ?? 0) + 1);
  return new Map(
    [...labels].map(([key, label]) => [key, often.get(label) === 1 ? label : `${label} (${key})`]),
  );
}
