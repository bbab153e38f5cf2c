import { z } from 'zod';
import { groupCreation, groupEdit } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import {
  description,
  extra,
  groupId,
  jsonRequest,
  languageChange,
  languageCode,
  setIds,
  sparseFields,
  title,
} from '../../catalogue/request.ts';
import { ArtworkError } from '../../errors.ts';
import { findCreated, type Wanted } from './created.ts';
import { keyOfTitle } from './items.ts';
import { defineArguments, defineOperation, revisionToSend } from './operation.ts';
import {
  comparedWith,
  keyOfOwned,
  membersOf,
  noRevision,
  readExpected,
  revisionOfOwned,
  shownAmong,
} from './revisions.ts';

const creation = defineArguments({
  extra,
  kind: z.enum(['boxset', 'loadout']),
  title,
  description: description.default(null),
  languageCode: languageCode.nullish().transform((code) => code ?? undefined),
  setIds: setIds.default([]),
});

/** Groups: create (interface document). The body is assumed; a group shows itself among the upload destinations. */
export const createGroup = defineOperation({
  name: 'create_group',
  sends: 'json',
  arguments: creation,
  meant: creation,
  revision: noRevision,
  saved: 'group',
  needed: () => ({ allOf: ['groups:write'] }),
  target: (args) => ({ kind: args.kind, title: args.title }),
  keys: (args) => [keyOfTitle(args.kind, args.title)],
  request: (args) => jsonRequest(path`/me/groups`, groupCreation(args), 'assumed'),
  effect: { find: (args, reads) => findCreated(reads, wanted(args), args.clientMutationId) },
});

function wanted({ kind, title }: z.output<typeof creation>): Wanted {
  return { query: { kind: 'boxset', family: kind === 'loadout' ? 'game' : undefined, q: title }, title };
}

const edit = defineArguments({
  extra,
  groupId,
  title: title.optional(),
  description: description.optional(),
  languageCode: languageChange,
  addSetIds: setIds.optional(),
  removeSetIds: setIds.optional(),
}).superRefine((args, context) => {
  const { clientMutationId: _, expectedUpdatedAt: __, groupId: ___, ...changes } = args;
  if (Object.keys(sparseFields(changes)).length === 0) {
    const message = 'they change nothing; give title, description, languageCode, addSetIds or removeSetIds';
    context.addIssue({ code: 'custom', message });
  }
  const both = args.removeSetIds?.find((id) => args.addSetIds?.includes(id));
  if (both !== undefined)
    context.addIssue({
      code: 'custom',
      message: `has ${both}, which addSetIds adds`,
      path: ['removeSetIds'],
    });
});
type Edit = z.output<typeof edit>;

const noticedMembers = z.object({ setIds: z.array(z.int()) });

/**
 * Groups: edit (interface document). The body is assumed. The complete membership goes on the wire: it is worked out from
 * the record that shows the expected revision.
 */
export const editGroup = defineOperation({
  name: 'edit_group',
  sends: 'json',
  arguments: edit,
  meant: edit,
  revision: revisionOfOwned('group', 'groupId'),
  saved: 'group',
  needed: () => ({ allOf: ['groups:write'] }),
  target: (args) => ({
    kind: 'group',
    id: args.groupId,
    ...(args.title === undefined ? {} : { newTitle: args.title }),
  }),
  async notice(args, reads) {
    if (args.addSetIds === undefined && args.removeSetIds === undefined) return null;
    const about = { kind: 'group', id: args.groupId };
    const record = await readExpected({ of: 'group', about, expected: args.expectedUpdatedAt }, reads);
    const members = record === null ? null : membersOf(record);
    if (members !== null) return { setIds: [...members] };
    const message = `The record of the group ${args.groupId} does not show which Sets are in it, so its complete membership is not known.`;
    throw new ArtworkError('bad_response', message);
  },
  request(args, noticed) {
    const before = noticedMembers.safeParse(noticed).data?.setIds;
    const body = groupEdit({
      ...args,
      expectedUpdatedAt: revisionToSend(args.expectedUpdatedAt),
      setIds: before === undefined ? undefined : membersAfter(args, before),
    });
    return jsonRequest(path`/me/groups/${args.groupId}`, body, 'assumed');
  },
  effect: {
    compare({ title, description, languageCode, ...args }, record, noticed) {
      const before = noticedMembers.safeParse(noticed).data?.setIds;
      const fields = comparedWith(record, { title, description, languageCode });
      if (before === undefined) return fields;
      const shown = record === null ? null : membersOf(record);
      const meant = membersAfter(args, before);
      return [
        ...fields,
        { meant: meant.sort(byNumber), shown: shown === null ? undefined : [...shown].sort(byNumber) },
      ];
    },
  },
  earlier(args, records) {
    const record = records.get(keyOfOwned('group', args.groupId));
    const { title, description, languageCode } = args;
    const changed = shownAmong(record, Object.keys(sparseFields({ title, description, languageCode })));
    const members = record === undefined ? null : membersOf(record);
    if (members === null) return changed;
    const added = args.addSetIds?.filter((id) => !members.includes(id)) ?? [];
    const removed = args.removeSetIds?.filter((id) => members.includes(id)) ?? [];
    return {
      ...changed,
      ...(removed.length === 0 ? {} : { addSetIds: removed }),
      ...(added.length === 0 ? {} : { removeSetIds: added }),
    };
  },
  undo: (args, earlier) => ({ groupId: args.groupId, ...earlier }),
});

function membersAfter(
  { addSetIds = [], removeSetIds = [] }: Pick<Edit, 'addSetIds' | 'removeSetIds'>,
  before: readonly number[],
) {
  const added = addSetIds.map(Number).filter((id) => !before.includes(id));
  const removed = new Set(removeSetIds.map(Number));
  return [...before, ...added].filter((id) => !removed.has(id));
}

function byNumber(one: number, other: number): number {
  return one - other;
}
