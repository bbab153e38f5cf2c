import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Catalogue } from '../../catalogue/client.ts';
import { type EntityKind, isEntityKind, type SetKind } from '../../catalogue/records/kinds.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { OwnRecords } from '../../storage/records.ts';
import { mapLimit } from '../../wire/pacing.ts';
import { listedAssetsOf } from '../own-artwork.ts';
import type { NamedSet } from './audit-set.ts';
import { factsOfSet } from './set-facts.ts';

export interface WhichSets {
  readonly sets: readonly NamedSet[];
  readonly warnings: readonly string[];
}

const few = 4;
/** Of one target: the lists of a popular one are long. */
const mostSets = 500;

const kindsFor: Readonly<Record<EntityKind, readonly SetKind[]>> = {
  show: ['show_set'],
  season: ['show_set'],
  episode: ['show_set'],
  movie: ['movie_set', 'collection_set'],
  collection: ['collection_set'],
  game: ['game_set'],
  company: ['brand_set'],
  network: ['brand_set'],
  person: [],
  category: [],
};

/** The kinds of Sets, as public reads have them, that a target of this kind can have. */
export function setKindsFor(kind: string): readonly SetKind[] {
  return isEntityKind(kind) ? kindsFor[kind] : [];
}

/**
 * The Sets that an audit of a Set, Boxset or Loadout goes through. A Set by itself; of a Boxset or Loadout its
 * members.
 * @throws ArtworkError `not_found`
 */
export async function setsIn(
  catalogue: Pick<Catalogue, 'readSet'>,
  { kind, id }: { readonly kind: string; readonly id: number },
  deadline: Deadline,
): Promise<WhichSets> {
  if (kind !== 'boxset' && kind !== 'loadout') return { sets: [{ kind, id }], warnings: [] };
  const { members } = factsOfSet(kind, id, await catalogue.readSet(kind, id, deadline));
  return { sets: members, warnings: members.length === 0 ? [`The ${kind} has no Sets.`] : [] };
}

/**
 * All Sets of a target. Shows alone list theirs (interface document, Show); of other targets those are found whose
 * pictures its own lists show with their Set.
 * @throws ArtworkError `not_found`
 */
export async function setsOfTarget(
  catalogue: Pick<Catalogue, 'readEntity' | 'readSet'>,
  kind: EntityKind,
  id: number,
  deadline: Deadline,
): Promise<WhichSets> {
  const entity = await catalogue.readEntity(kind, id, deadline);
  const record: Readonly<Record<string, unknown>> = entity;
  const show = kind === 'show' ? record : isRecord(record.show) ? record.show : null;
  if (show !== null && typeof show.id === 'number') {
    const { sets } = await catalogue.readEntity('show', kind === 'show' ? id : show.id, deadline);
    const ids = (sets ?? []).flatMap((set) => (typeof set.id === 'number' ? [set.id] : []));
    const kept = [...new Set(ids)].slice(0, mostSets);
    const warnings =
      ids.length > kept.length
        ? [`The show lists ${ids.length} Sets: the first ${mostSets} are audited.`]
        : [];
    return { sets: kept.map((setId) => ({ kind: 'show_set', id: setId })), warnings };
  }
  const ids = [...setIdsIn(record.assets)].slice(0, mostSets);
  const found = await mapLimit(ids, few, (setId) => kindOf(catalogue, kindsFor[kind], setId, deadline));
  const sets = found.flatMap((one) => (one === null ? [] : [one]));
  return {
    sets,
    warnings: [
      `The service lists Sets of shows alone: these ${sets.length} are those that the pictures of the ${kind} name. There may be others.`,
    ],
  };
}

function setIdsIn(assets: unknown): Set<number> {
  const ids = new Set<number>();
  for (const asset of listedAssetsOf(assets)) {
    const { setId = null } = isRecord(asset) ? asset : {};
    if (typeof setId === 'number' && Number.isSafeInteger(setId)) ids.add(setId);
  }
  return ids;
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
