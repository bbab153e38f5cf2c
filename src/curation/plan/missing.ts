import { type PlanPlace, placeKey, slotNamesOfKind } from '../matching/places.ts';
import { episodesAhead, isSeasonAhead, lackingIn } from '../lacking.ts';
import type { PlanTarget, PlanTargets } from '../matching/targets.ts';
import { planTargetNamesOf } from '../targets/names.ts';
import type { FileEntry } from './entries.ts';
import type { MissingEntry } from './plan.ts';

/** A place that has a picture, of whatever kind the service says. */
interface Filled {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

/** What is still to come, by kind and id. */
export function targetsAhead({ seasons, movies }: PlanTargets, today: string): ReadonlySet<string> {
  const ahead = episodesAhead(seasons, today);
  return new Set([
    ...[...ahead].map((id) => `episode ${id}`),
    ...seasons.filter((season) => isSeasonAhead(season, ahead)).map(({ id }) => `season ${id}`),
    ...movies.filter(({ releaseDate }) => (releaseDate ?? '') > today).map(({ id }) => `movie ${id}`),
  ]);
}

/**
 * Places that the folder's slots would fill and no file does, in the catalogue's order: the slots that its files
 * are for, or the one that was asked for. What is still to come is not missing.
 * @param filled what the Set has already
 * @param ahead as `targetsAhead` tells it
 */
export function missingPlaces(
  entries: readonly FileEntry[],
  all: readonly PlanTarget[],
  slot: string | null,
  filled: readonly Filled[],
  ahead: ReadonlySet<string>,
): MissingEntry[] {
  const keyOf = (targetKind: string, targetId: number, of: string) => `${targetKind} ${targetId} ${of}`;
  const taken = new Set(filled.map((one) => keyOf(one.targetKind, one.targetId, one.slot)));
  const begun = new Set(filled.map((one) => `${one.targetKind} ${one.slot}`));
  const used = new Set<string>();
  const use = (place: PlanPlace): void => {
    taken.add(placeKey(place));
    used.add(`${place.targetKind} ${place.slot}`);
  };
  for (const entry of entries) {
    if (entry.status === 'matched') use(entry.place);
    else if (entry.status === 'ambiguous') entry.places.forEach(use);
  }
  // Of a slot that was asked for, what the files and the Set have begun; all of it, where that is nothing.
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const isBegun = kinds.some((kind) => used.has(`${kind} ${slot}`) || begun.has(`${kind} ${slot}`));
  const places = all.flatMap(({ kind, id }) =>
    slotNamesOfKind(kind)
      .filter((one) => (slot === null ? used.has(`${kind} ${one}`) : one === slot))
      .map((one) => ({
        ...{ of: kind, slot: one, id },
        has: taken.has(keyOf(kind, id, one)),
        isAhead: ahead.has(`${kind} ${id}`),
      })),
  );
  const { missing } = lackingIn(places, (place) => used.has(`${place.of} ${place.slot}`) || !isBegun);
  const names = planTargetNamesOf(all);
  return missing.map(({ of, id, slot: own }): MissingEntry => {
    const place: PlanPlace = { targetKind: of, targetId: id, slot: own };
    return { status: 'missing', place: names.place(place) };
  });
}
