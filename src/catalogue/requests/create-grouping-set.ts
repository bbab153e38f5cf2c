import { z } from 'zod';
import { groupingSetCreation } from '../assumed.ts';
import { path } from '../path.ts';
import {
  clientMutationId,
  description,
  editionId,
  extra,
  languageCode,
  targetId,
  targetKind,
  title,
} from './fields.ts';
import { type JsonRequest, jsonRequest } from './request.ts';

const common = {
  clientMutationId,
  entryTargetKind: targetKind.optional(),
  entryTargetId: targetId.optional(),
  titleBase: title,
  description,
  extra,
};

export const groupingSetToCreate = z
  .discriminatedUnion('setKind', [
    z.strictObject({
      ...common,
      setKind: z.enum(['talent_set', 'category_set']),
      languageCode: languageCode.nullable().optional(),
      editionId,
    }),
    z.strictObject({
      ...common,
      setKind: z.literal('brand_set'),
      languageCode: languageCode.nullable().optional(),
      editionId: editionId.optional(),
      networkIds: z.array(targetId),
      companyIds: z.array(targetId),
    }),
  ])
  .refine(
    (set) => (set.entryTargetKind === undefined) === (set.entryTargetId === undefined),
    'entryTargetKind and entryTargetId go together',
  );

export type GroupingSetToCreate = z.output<typeof groupingSetToCreate>;

/** Interface document, Groups: create a Talent, Brand, or Category Set. The body is assumed. */
export function createGroupingSetRequest(set: GroupingSetToCreate): JsonRequest {
  return jsonRequest(path`/me/grouping-sets`, groupingSetCreation(set), {
    needed: { allOf: ['sets:write'] },
    identity: 'assumed',
  });
}
