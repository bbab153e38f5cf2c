import { findTargets, targetKey } from './targets.ts';
import type { Objection } from './objection.ts';
import type { CheckContext } from './occupant.ts';

export interface NewGroupingSet {
  readonly setKind: 'talent_set' | 'brand_set' | 'category_set';
  readonly entryTargetKind?: string | undefined;
  readonly entryTargetId?: number | undefined;
  readonly networkIds?: readonly number[] | undefined;
  readonly companyIds?: readonly number[] | undefined;
  readonly extra?: object | undefined;
}

/** What the Set is for is there, and of the kind that such Sets are for. */
export async function checkGroupingSet(
  set: NewGroupingSet,
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const lacking = whatItIsFor(set);
  // Who knows the service better may say there what the Set is for.
  if (lacking !== null && set.extra === undefined) return [lacking];
  const named = [
    ...(set.networkIds ?? []).map((id, index) => ({
      kind: 'network',
      id,
      path: ['networkIds', String(index)],
    })),
    ...(set.companyIds ?? []).map((id, index) => ({
      kind: 'company',
      id,
      path: ['companyIds', String(index)],
    })),
    ...(set.entryTargetKind === undefined || set.entryTargetId === undefined
      ? []
      : [{ kind: set.entryTargetKind, id: set.entryTargetId, path: ['entryTargetId'] }]),
  ];
  const found = await findTargets(seen.catalogue, named, seen.call);
  return named.flatMap(({ kind, id, path }): Objection[] =>
    found.get(targetKey({ kind, id })) === null
      ? [{ category: 'invalid_arguments', message: `names nothing: there is no ${kind} ${id}`, path }]
      : [],
  );
}

function whatItIsFor({
  setKind,
  entryTargetKind,
  networkIds = [],
  companyIds = [],
}: NewGroupingSet): Objection | null {
  const category = 'invalid_arguments';
  switch (setKind) {
    case 'brand_set':
      if (networkIds.length + companyIds.length > 0) return null;
      return {
        category,
        message: 'is empty, and so is companyIds: a brand_set is of networks and companies',
        path: ['networkIds'],
      };
    case 'talent_set':
    case 'category_set': {
      const kind = setKind === 'talent_set' ? 'person' : 'category';
      if (entryTargetKind === kind) return null;
      const given = entryTargetKind === undefined ? 'is missing' : `is ${entryTargetKind}`;
      const message = `${given}: a ${setKind} is for a ${kind}, whose id is the entryTargetId`;
      return { category, message, path: ['entryTargetKind'] };
    }
  }
}
