import type { z } from 'zod';
import { createSet, editSet, type Target } from '../artwork/sets.ts';
import { findTarget } from '../artwork/targets.ts';
import type { Answer } from '../http.ts';
import type { Database } from '../store/database.ts';
import { assignmentBody, type MutationResult, newGroupingSetBody } from './assumed.ts';
import type { Caller } from './authorize.ts';
import { type ProtectedContext, publicFrom } from './context.ts';
import { mutate } from './mutation.ts';
import { ownedRow, requireEdition, requireRevision } from './owned.ts';
import { invalidRequest, refusal } from './protected-error.ts';
import { validate } from './request.ts';
import { admissionSetKind, setPublicationStatus } from './sets.ts';
import { assignToSet } from './slots.ts';

interface GroupingSetReceipt extends MutationResult {
  readonly id: number;
  readonly setKind: string;
}

/** POST /me/grouping-sets (the interface document, grouping Sets; its body is assumed). */
export function createGroupingSet(context: ProtectedContext, caller: Caller, given: unknown): Answer {
  const { clientMutationId, ...set } = validate(newGroupingSetBody, given);
  const { database } = context;
  return mutate(context, caller, {
    operation: 'grouping_set.create',
    clientMutationId,
    parameters: set,
    success: 201,
    apply(now, record): GroupingSetReceipt {
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
        publicFrom: publicFrom(context, now),
      });
      record({ kind: set.setKind, id });
      const row = ownedRow(database, caller, 'set', id);
      return {
        id,
        setKind: set.setKind,
        updatedAt: at,
        publicationStatus: setPublicationStatus(row, now),
      };
    },
  });
}

const entityKinds = { talent_set: 'person', category_set: 'category' } as const;

/** The entities that the new Set is for, which must exist. */
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
    if (members.length === 0) throw invalidRequest('A Brand Set needs networkIds or companyIds.');
    for (const { kind, id, at } of members) requireEntity(database, kind, id, at);
    return { target: null, members };
  }
  const kind = entityKinds[setKind];
  if (networkIds.length + companyIds.length > 0)
    throw invalidRequest(`A ${setKind} has no networks or companies.`);
  if (entryTargetKind !== kind || typeof entryTargetId !== 'number') {
    throw invalidRequest(`A ${setKind} is for a ${kind}: send entryTargetKind and entryTargetId.`, [
      { code: 'field.invalid', message: `This must be ${kind}.`, path: ['entryTargetKind'] },
    ]);
  }
  requireEntity(database, kind, entryTargetId, ['entryTargetId']);
  return { target: { kind, id: entryTargetId }, members: [] };
}

function requireEntity(database: Database, kind: string, id: number, at: readonly string[]): void {
  if (findTarget(database, kind, id) === undefined) {
    throw refusal(422, 'target.unknown', `There is no ${kind} ${id}.`, at);
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
export function assignToGroupingSet(
  context: ProtectedContext,
  caller: Caller,
  id: number,
  given: unknown,
): Answer {
  const { clientMutationId, expectedUpdatedAt, items } = validate(assignmentBody, given);
  const { database } = context;
  return mutate(context, caller, {
    operation: 'grouping_set.assign',
    clientMutationId,
    parameters: { id, expectedUpdatedAt, items },
    success: 200,
    apply(now, record): AssignmentReceipt {
      const at = now.toISOString();
      const set = ownedRow(database, caller, 'set', id);
      const setKind = admissionSetKind(set.text('kind'));
      if (setKind === 'media_set') {
        throw refusal(422, 'set.kind', `Set ${id} is no Talent, Brand or Category Set.`);
      }
      requireRevision(set, `Set ${id}`, expectedUpdatedAt);
      const receipts = items.map(({ itemId, ...item }, index) => {
        const updatedAt = assignToSet(database, caller, set, item, at, ['items', String(index)]);
        record({ kind: 'asset', id: item.existingAssetId });
        return { itemId, status: 'succeeded' as const, assetId: item.existingAssetId, updatedAt };
      });
      const updatedAt = editSet(database, id, {}, at);
      return {
        id,
        setKind,
        updatedAt,
        publicationStatus: setPublicationStatus(set, now),
        items: receipts,
      };
    },
  });
}
