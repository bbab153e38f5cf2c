interface Target {
  readonly kind: string;
  readonly id: number | string;
}

/** A place that two mutations can't both fill. */
export type MutationPlace =
  /** A slot of a target in a Set; null: the target is left out, and any of the Set's may be meant. */
  | { readonly in: 'set'; readonly setId: number; readonly target: Target | null; readonly slot: string }
  | { readonly in: 'set metadata'; readonly setId: number }
  | { readonly in: 'group'; readonly groupId: number | string; readonly slot: string }
  /** An Asset, which is replaced or edited once. */
  | { readonly in: 'asset'; readonly assetId: string }
  /**
   * A Set that is being made has no id yet: a second one for the same work with the same pictures is the same,
   * whatever its title. `pictures`: their digest.
   */
  | { readonly in: 'new set'; readonly work: Target; readonly pictures: string };

/**
 * A place in one line, to be compared. The ledger's index keeps it: a change of it needs a migration that lists
 * every entry anew.
 */
export function writePlace(place: MutationPlace): string {
  switch (place.in) {
    case 'set': {
      const target = place.target === null ? '' : `/${place.target.kind} ${place.target.id}`;
      return `set ${place.setId}${target}/${place.slot}`;
    }
    case 'set metadata':
      return `set ${place.setId} metadata`;
    case 'group':
      return `group ${place.groupId}/${place.slot}`;
    case 'asset':
      return `asset ${place.assetId}`;
    case 'new set':
      return `${writeWork(place.work)}/${place.pictures}`;
  }
}

/** A place with its target left out; null where it names none. */
export function placeWithoutTarget(place: MutationPlace): MutationPlace | null {
  return place.in === 'set' && place.target !== null ? { ...place, target: null } : null;
}

/** Whether two mutations would fill the same place: one that leaves the target out may mean any of the Set's. */
export function isSamePlace(one: MutationPlace, other: MutationPlace): boolean {
  const [first, second] = [writePlace(one), writePlace(other)];
  return first === second || shortOf(one) === second || first === shortOf(other);
}

/** The work that a new Set is for; null where none of the places is one. */
export function workOfNewSet(places: readonly MutationPlace[]): string | null {
  const place = places.find((one) => one.in === 'new set');
  return place === undefined ? null : writeWork(place.work);
}

function shortOf(place: MutationPlace): string | null {
  const short = placeWithoutTarget(place);
  return short === null ? null : writePlace(short);
}

function writeWork({ kind, id }: Target): string {
  return `new set of ${kind} ${id}`;
}
