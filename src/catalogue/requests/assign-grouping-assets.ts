import { z } from 'zod';
import { groupingAssignment } from '../assumed.ts';
import { path } from '../path.ts';
import {
  assetId,
  assumedRevision,
  clientMutationId,
  extra,
  itemId,
  setId,
  slot,
  targetId,
  targetKind,
} from './fields.ts';
import { distinctItems } from './items.ts';
import { type JsonRequest, jsonRequest } from './request.ts';

const item = z.strictObject({
  itemId,
  position: z.int().min(0),
  targetKind,
  targetId,
  slot,
  existingAssetId: assetId,
  expectedAssetUpdatedAt: assumedRevision,
});

export const groupingAssetsToAssign = z.strictObject({
  clientMutationId,
  setId,
  expectedUpdatedAt: assumedRevision,
  items: z.array(item).min(1).superRefine(distinctItems),
  extra,
});

export type GroupingAssetsToAssign = z.output<typeof groupingAssetsToAssign>;

/**
 * Interface document, Groups: assign owned standalone artwork. The body is assumed; a grouped Set edit's
 * `assign` does the same and is shown.
 */
export function assignGroupingAssetsRequest(assignment: GroupingAssetsToAssign): JsonRequest {
  return jsonRequest(path`/me/grouping-sets/${assignment.setId}/assets`, groupingAssignment(assignment), {
    needed: { allOf: ['sets:write'] },
    identity: 'assumed',
  });
}
