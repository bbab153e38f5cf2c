import { groupEdit } from '../../../src/catalogue/assumed.ts';
import { path } from '../../../src/catalogue/call.ts';
import { groupId, jsonRequest, title } from '../../../src/catalogue/request.ts';
import {
  defineArguments,
  ownedRevision,
  revisionToSend,
} from '../../../src/mutations/operations/arguments.ts';
import { defineOperation } from '../../../src/mutations/operations/operation.ts';
import { compareReadBack } from '../../../src/mutations/operations/read-back.ts';

/** An operation that no version has: it is all that a new one needs, but for its line in the table. */
export const renameGroup = defineOperation({
  name: 'rename_group',
  arguments: defineArguments({ groupId, title }),
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
  target: ({ groupId, title }) => ({ kind: 'group', id: groupId, newTitle: title }),
  compare: ({ title }, record) => compareReadBack(record, { title }),
});
