import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { createSet, editSet, type Target } from '../artwork/sets.ts';
import type { Answer } from '../http.ts';
import type { Database } from '../store/database.ts';
import { assign } from './assignment.ts';
import { assignmentBody, type MutationReceipt, newGroupingSetBody } from './assumed.ts';
import { checked } from './checked.ts';
import { requireEdition } from './edition.ts';
import { recordEffect } from './effects.ts';
import { mutate } from './mutate.ts';
import { ownedRow } from './owned.ts';
import { type OwnerSide, publicFrom } from './owner-side.ts';
import { invalid, refused, stale } from './protected-error.ts';
import { setKindWord, setPublication } from './sets.ts';
import { findTarget } from './targets.ts';

interface GroupingSetReceipt extends MutationReceipt {
  readonly id: number;
  readonly setKind: string;
}

/** POST /me/grouping-sets (the interface document, grouping Sets; its body is assumed). */
export function createGroupingSet(side: OwnerSide, caller: Caller, given: unknown): Answer {
  const { clientMutationId, ...set } = checked(newGroupingSetBody, given);
  const { database } = side;
  const identity = { operation: 'grouping_set.create', clientMutationId };
  return mutate(side, caller, {
    ...identity,
    asks: set,
    success: 201,
    apply(now): GroupingSetReceipt {
      const at = now.toISOString();
      const entities = requireEntities(database, set);
      if (set.editionId !== null) requireEdition(database, set.editionId);
      const id = createSet(database, {
        kind: set.setKind,
        ...entities,
        title: set.titleBase,
        description: set.description,
        ownerId: caller.accountId,
        languageCode: set.languageCode,
        editionId: set.editionId,
        finalised: false,
        createdAt: at,
        publicFrom: publicFrom(side, now),
      });
      recordEffect(database, caller, { ...identity, resource: { kind: set.setKind, id } }, at);
      const row = ownedRow(database, caller, 'set', id);
      return {
        ...identity,
        id,
        setKind: set.setKind,
        updatedAt: at,
        publicationStatus: setPublication(row, now),
      };
    },
  });
}

const entityKinds = { talent_set: 'person', category_set: 'category' } as const;

/** What the new Set is for, which must be there. */
function requireEntities(
  database: Database,
  set: Omit<z.infer<typeof newGroupingSetBody>, 'clientMutationId'>,
): { target: Target | null; members: Target[] } {
  const { setKind, entryTargetKind, entryTargetId, networkIds, companyIds } = set;
  if (setKind === 'brand_set') {
    const members = [
      ...networkIds.map((id, index) => ({ kind: 'network', id, at: ['networkIds', String(index)] })),
      ...companyIds.map((id, index) => ({ kind: 'company', id, at: ['companyIds', String(index)] })),
    ];
    if (members.length === 0) throw invalid('A Brand Set needs networkIds or companyIds.');
    for (const { kind, id, at } of members) requireEntity(database, kind, id, at);
    return { target: null, members };
  }
  const kind = entityKinds[setKind];
  if (networkIds.length + companyIds.length > 0) throw invalid(`A ${setKind} has no networks or companies.`);
  if (entryTargetKind !== kind || typeof entryTargetId !== 'number') {
    throw invalid(`A ${setKind} is for a ${kind}: send entryTargetKind and entryTargetId.`, [
      { code: 'field.invalid', message: `This must be ${kind}.`, path: ['entryTargetKind'] },
    ]);
  }
  requireEntity(database, kind, entryTargetId, ['entryTargetId']);
  return { target: { kind, id: entryTargetId }, members: [] };
}

function requireEntity(database: Database, kind: string, id: number, at: readonly string[]): void {
  if (findTarget(database, kind, id) === undefined) {
    throw refused(422, 'target.unknown', `There is no ${kind} ${id}.`, at);
  }
}

interface AssignmentReceipt extends GroupingSetReceipt {
  readonly items: readonly {
    readonly itemId: string;
    readonly status: 'succeeded';
    readonly assetId: string;
    readonly updatedAt: string;
  }[];
}

/** POST /me/grouping-sets/{setId}/assets (the interface document, grouping Sets; its body is assumed). */
export function assignToGroupingSet(side: OwnerSide, caller: Caller, id: number, given: unknown): Answer {
  const { clientMutationId, expectedUpdatedAt, items } = checked(assignmentBody, given);
  const { database } = side;
  const identity = { operation: 'grouping_set.assign', clientMutationId };
  return mutate(side, caller, {
    ...identity,
    asks: { id, expectedUpdatedAt, items },
    success: 200,
    apply(now): AssignmentReceipt {
      const at = now.toISOString();
      const set = ownedRow(database, caller, 'set', id);
      const setKind = setKindWord(set.text('kind'));
      if (setKind === 'media_set') {
        throw refused(422, 'set.kind', `Set ${id} is no Talent, Brand or Category Set.`);
      }
      const current = set.text('updated_at');
      if (current !== expectedUpdatedAt) throw stale(`Set ${id}`, expectedUpdatedAt, current);
      const receipts = items.map(({ itemId, ...item }, index) => {
        const updatedAt = assign(database, caller, set, item, at, ['items', String(index)]);
        const resource = { kind: 'asset', id: item.existingAssetId };
        recordEffect(database, caller, { ...identity, resource }, at);
        return { itemId, status: 'succeeded' as const, assetId: item.existingAssetId, updatedAt };
      });
      const updatedAt = editSet(database, id, {}, at);
      return {
        ...identity,
        id,
        setKind,
        updatedAt,
        publicationStatus: setPublication(set, now),
        items: receipts,
      };
    },
  });
}
