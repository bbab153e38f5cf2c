import { groupEdit } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import {
  description,
  extra,
  groupId,
  jsonRequest,
  languageChange,
  setIds,
  sparseFields,
  title,
} from '../../catalogue/request.ts';
import { membershipChange } from '../before/membership.ts';
import { defineArguments, ownedRevision, revisionToSend } from './arguments.ts';
import { membersAsTheyAre, shownOf } from './earlier.ts';
import { defineOperation } from './operation.ts';
import { compareReadBack, withMemberIds } from './read-back.ts';

/** Groups: edit (interface document). The body is assumed, so it is never repeated; the group is read back. */
export const editGroup = defineOperation({
  name: 'edit_group',
  arguments: defineArguments({
    extra,
    groupId,
    title: title.optional(),
    description: description.optional(),
    languageCode: languageChange,
    /** The complete membership. */
    setIds: setIds.optional(),
  }).refine(
    ({ title, description, languageCode, setIds, extra }) =>
      [title, description, languageCode, setIds, extra].some((change) => change !== undefined),
    'they change nothing; give title, description, languageCode or setIds',
  ),
  run: {
    by: 'request',
    request(args) {
      const body = groupEdit({ ...args, expectedUpdatedAt: revisionToSend(args.expectedUpdatedAt) });
      return jsonRequest(path`/me/groups/${args.groupId}`, body, 'assumed');
    },
  },
  revision: ownedRevision('group', 'groupId'),
  saved: 'group',
  needed: () => ({ allOf: ['groups:write'] }),
  target: ({ groupId, title }) => ({
    kind: 'group',
    id: groupId,
    ...(title === undefined ? {} : { newTitle: title }),
  }),
  earlier({ groupId, title, description, languageCode, setIds }, records) {
    const record = records.get(`group ${groupId}`);
    const changed = Object.keys(sparseFields({ title, description, languageCode }));
    if (setIds === undefined) return shownOf(record, changed);
    return { ...shownOf(record, changed), ...membersAsTheyAre(record, setIds) };
  },
  check: async ({ groupId, setIds }, { records }) =>
    setIds === undefined ? [] : membershipChange({ groupId, setIds }, records),
  compare: ({ title, description, languageCode, setIds }, record) =>
    compareReadBack(withMemberIds(record), { title, description, languageCode, setIds }),
});
