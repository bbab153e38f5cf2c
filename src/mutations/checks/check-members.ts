import { ownedSet } from '../../catalogue/records/owned.ts';
import { missingScopes } from '../../catalogue/scopes.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../wire/map-limit.ts';
import type { Objection } from './objection.ts';
import type { CheckContext } from './occupant.ts';
import { readShownSet } from './shown-records.ts';

/** Sets of a group that are looked at; the service judges the others. */
const mostMembers = 100;
/** Reads at a time: the interface document names no limit, so few. */
const few = 4;

/**
 * "Boxsets for media, Loadouts for games", and a Loadout shows Game Sets alone (interface document, Resources): the Sets
 * that are certainly not for it.
 */
const foreign: Readonly<Record<string, readonly string[]>> = {
  boxset: ['game_set'],
  loadout: ['movie_set', 'show_set', 'collection_set', 'brand_set', 'talent_set', 'category_set'],
};
/** No record of such a Set shows a group that it is in, and the document does not say that there can be none. */
const seenInNone = ['brand_set', 'talent_set', 'category_set'];
const holdsWords: Readonly<Record<string, string>> = {
  boxset: 'a Boxset holds movie, show and collection Sets, and game Sets go into a Loadout',
  loadout: 'a Loadout holds game Sets, and movie, show and collection Sets go into a Boxset',
};

/** The Sets of a group are the account's own, each once, of the group's kind; one that is in another group is pointed out. */
export async function checkMembers(
  group: {
    readonly kind: string | null;
    readonly id: number | string | null;
    readonly setIds: readonly number[];
  },
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const twice = group.setIds.flatMap((id, index): Objection[] => {
    if (group.setIds.indexOf(id) === index) return [];
    return [{ category: 'invalid_arguments', message: `names the Set ${id} twice`, path: pathOf(index) }];
  });
  if (twice.length > 0 || missingScopes(ownedSet.needed, seen.scopes).length > 0) return twice;
  const looked = await mapLimit(group.setIds.slice(0, mostMembers), few, (id, index) =>
    checkMember(id, index, group, seen),
  );
  return looked.flat();
}

async function checkMember(
  setId: number,
  index: number,
  { kind, id }: { readonly kind: string | null; readonly id: number | string | null },
  { owned, call }: CheckContext,
): Promise<readonly Objection[]> {
  const path = pathOf(index);
  let record: unknown;
  try {
    record = await owned.readSet(setId, call);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const { category } = error;
    if (category === 'not_found') return [{ category, message: `names no Set: there is no ${setId}`, path }];
    if (category !== 'forbidden') throw error;
    return [{ category, message: `names the Set ${setId}, which is not this account's own`, path }];
  }
  const set = readShownSet(record);
  if (set.kind !== undefined && foreign[kind ?? '']?.includes(set.kind) === true) {
    const message = `names the Set ${setId}, a ${set.kind}: ${holdsWords[kind ?? ''] ?? ''}`;
    return [{ category: 'invalid_arguments', message, path }];
  }
  if (set.kind !== undefined && seenInNone.includes(set.kind)) {
    const message = `names the Set ${setId}, a ${set.kind}: no such Set is shown to be in a group`;
    return [{ category: 'invalid_arguments', message, path, doubtful: true }];
  }
  if (set.group && String(set.group.id) !== String(id)) {
    const message = `names the Set ${setId}, which is in the group ${set.group.id} already`;
    return [{ category: 'conflict', message, path, doubtful: true }];
  }
  return [];
}

function pathOf(index: number): readonly string[] {
  return ['setIds', String(index)];
}
