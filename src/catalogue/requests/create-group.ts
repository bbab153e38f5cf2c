import { z } from 'zod';
import { groupCreation } from '../assumed.ts';
import { path } from '../path.ts';
import { clientMutationId, description, extra, languageCode, setId, title } from './fields.ts';
import { type JsonRequest, jsonRequest } from './request.ts';

export const groupToCreate = z.strictObject({
  clientMutationId,
  kind: z.enum(['boxset', 'loadout']),
  title,
  description,
  languageCode: languageCode.nullable().optional(),
  setIds: z.array(setId),
  extra,
});

export type GroupToCreate = z.output<typeof groupToCreate>;

/** Interface document, Groups: create a Boxset or Loadout. The body is assumed. */
export function createGroupRequest(group: GroupToCreate): JsonRequest {
  return jsonRequest(path`/me/groups`, groupCreation(group), {
    needed: { allOf: ['groups:write'] },
    identity: 'assumed',
  });
}
