import { z } from 'zod';
import { groupEdit } from '../assumed.ts';
import { path } from '../path.ts';
import {
  assumedRevision,
  clientMutationId,
  description,
  extra,
  groupId,
  languageCode,
  setId,
  title,
} from './fields.ts';
import { type JsonRequest, jsonRequest } from './request.ts';

export const groupToEdit = z
  .strictObject({
    clientMutationId,
    groupId,
    expectedUpdatedAt: assumedRevision,
    title: title.optional(),
    description: description.optional(),
    languageCode: languageCode.nullable().optional(),
    /** The whole membership that is wanted. */
    setIds: z.array(setId).optional(),
    extra,
  })
  .refine(
    ({ title, description, languageCode, setIds, extra }) =>
      [title, description, languageCode, setIds, extra].some((change) => change !== undefined),
    'they change nothing; give title, description, languageCode or setIds',
  );

export type GroupToEdit = z.output<typeof groupToEdit>;

/** Interface document, Groups: edit metadata or membership. The body is assumed. */
export function editGroupRequest(edit: GroupToEdit): JsonRequest {
  return jsonRequest(path`/me/groups/${edit.groupId}`, groupEdit(edit), {
    needed: { allOf: ['groups:write'] },
    identity: 'assumed',
  });
}
