import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Catalogue } from '../../catalogue/client.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { assetsOf } from '../../model/asset.ts';
import { type GroupKind, type SetKind, setKindsOf } from '../../model/kinds.ts';
import { setOf } from '../../model/set.ts';
import { partOf, setsListedBy } from '../../model/work.ts';
import type { OwnRecords } from '../../store/own.ts';
import { mapLimit } from '../../wire/pacing.ts';
import type { NamedTarget } from '../read-work.ts';
import type { NamedSet } from './read-set.ts';

export interface WhichSets {
  readonly sets: readonly NamedSet[];
  readonly warnings: readonly string[];
}

const few = 4;
/** Of one target: the lists of a popular one are long. */
const mostSets = 500;

/**
 * The Sets of a Boxset or Loadout.
 * @throws ArtworkError `not_found`
 */
export async function setsIn(
  catalogue: Pick<Catalogue, 'readSet'>,
  { kind, id }: { readonly kind: GroupKind; readonly id: number },
  deadline: Deadline,
): Promise<WhichSets> {
  const { members } = setOf(kind, id, await catalogue.readSet(kind, id, deadline));
  const sets = members.map((member) => ({ kind: member.kind, id: member.id }));
  return { sets, warnings: sets.length === 0 ? [`The ${kind} has no Sets.`] : [] };
}

/**
 * All Sets of a target. Shows alone list theirs (interface document, Show); of other targets those are found whose
 * pictures its own lists show with their Set.
 * @throws ArtworkError `not_found`
 */
export async function setsOfTarget(
  catalogue: Pick<Catalogue, 'readEntity' | 'readSet'>,
  { kind, id }: NamedTarget,
  deadline: Deadline,
): Promise<WhichSets> {
  const entity = await catalogue.readEntity(kind, id, deadline);
  const showId = kind === 'show' ? id : partOf(entity).show?.id;
  if (showId !== undefined) {
    const listed = setsListedBy(await catalogue.readEntity('show', showId, deadline));
    const ids = [...new Set(listed.map((set) => set.id))];
    const sets = ids.slice(0, mostSets).map((setId) => ({ kind: 'show_set', id: setId }));
    const isCut = ids.length > sets.length;
    return {
      sets,
      warnings: isCut ? [`The show lists ${ids.length} Sets: the first ${mostSets} are audited.`] : [],
    };
  }
  const ids = new Set(assetsOf(entity).flatMap(({ setId }) => setId ?? []));
  const found = await mapLimit([...ids].slice(0, mostSets), few, (setId) =>
    kindOf(catalogue, setKindsOf(kind), setId, deadline),
  );
  const sets = found.filter((one) => one !== null);
  return {
    sets,
    warnings: [
      `The service lists Sets of shows alone: these ${sets.length} are those that the pictures of the ${kind} name. There may be others.`,
    ],
  };
}

async function kindOf(
  catalogue: Pick<Catalogue, 'readSet'>,
  kinds: readonly SetKind[],
  id: number,
  deadline: Deadline,
): Promise<NamedSet | null> {
  for (const kind of kinds) {
    try {
      await catalogue.readSet(kind, id, deadline);
      return { kind, id };
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    }
  }
  return null;
}

const kept = z.object({
  sets: z.array(z.object({ kind: z.string().nullable(), id: z.int() })),
});

/** Long enough to go on tomorrow. */
const keptForMs = 2 * 24 * 60 * 60_000;

/**
 * Keeps the Sets of an audit of several pages from page to page: a list that is made anew may be another by then.
 */
export function auditLists(records: OwnRecords) {
  return {
    /** @returns the id */
    async keep(sets: readonly NamedSet[]): Promise<string> {
      const id = randomUUID();
      await records.set(id, { sets: sets.map((set) => ({ ...set })) }, keptForMs);
      return id;
    },
    /** Null: it is not kept any more. */
    async find(id: string): Promise<readonly NamedSet[] | null> {
      const found = kept.safeParse(await records.get(id));
      return found.success ? found.data.sets : null;
    },
  };
}
