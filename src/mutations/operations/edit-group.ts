import { z } from 'zod';
import { groupToEdit, editGroupRequest as request } from '../../catalogue/requests/edit-group.ts';
import { description, extra, groupId, languageCode, setId, title } from '../../catalogue/requests/fields.ts';
import { textAt } from '../../catalogue/records/read-member.ts';
import { checkMembers } from '../checks/check-members.ts';
import type { Mutation } from '../mutation.ts';
import { checked, guarded, intentOf } from './checked.ts';
import { groupFields } from './group-fields.ts';
import { judgeEdit } from './read-back.ts';
import { groupGuard } from '../checks/guard.ts';

const schema = z
  .strictObject({
    ...guarded,
    groupId,
    title: title.optional(),
    description: description.optional(),
    languageCode: languageCode.nullable().optional(),
    setIds: z.array(setId).optional(),
    extra,
  })
  .refine(
    (edit) =>
      [edit.title, edit.description, edit.languageCode, edit.setIds, edit.extra].some(
        (change) => change !== undefined,
      ),
    'they change nothing; give title, description, languageCode or setIds',
  );

/** Groups: edit (interface document). The body is assumed, so it is never repeated; the group is read back. */
export function editGroup(given: object): Mutation {
  const args = checked(schema, given);
  const { clientMutationId, expectedUpdatedAt, groupId } = args;
  const intent = intentOf(args);
  return {
    operation: 'edit_group',
    clientMutationId,
    expectedUpdatedAt,
    target: { kind: 'group', id: groupId, ...(args.title === undefined ? {} : { newTitle: args.title }) },
    intent,
    needed: { allOf: ['groups:write'] },
    guards: [groupGuard(groupId, expectedUpdatedAt)],
    looksBy: 'read_back',
    saved: 'group',
    places: [],
    bytes: null,
    request: () => request(checked(groupToEdit, args)),
    again: () => ({ ...intent, clientMutationId }),
    async check(seen) {
      if (args.setIds === undefined) return [];
      const kind = textAt(seen.records.get(`group ${groupId}`) ?? {}, 'kind');
      return checkMembers({ kind, id: groupId, setIds: args.setIds }, seen);
    },
    async find({ owned, call }) {
      const record = await owned.readGroup(groupId, call);
      const compared = groupFields(args, record);
      return judgeEdit({ name: `group ${groupId}`, expected: expectedUpdatedAt, record, compared });
    },
  };
}
