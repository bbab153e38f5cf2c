import { z } from 'zod';
import { brandSetCreation, groupCreation, groupingSetCreation } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import type { DestinationQuery } from '../../catalogue/records/owned.ts';
import {
  description,
  editionId,
  extra,
  jsonRequest,
  languageCode,
  openKind,
  setIds,
  sparseFields,
  targetId,
  targetIds,
  title,
} from '../../catalogue/request.ts';
import type { Finding, LookContext } from '../change.ts';
import { defineArguments } from './arguments.ts';
import { keyOfTitle } from './items.ts';
import { defineOperation, foundIn } from './operation.ts';
import { noRevision } from './revisions.ts';

// What is made anew by one JSON request. Its body is assumed, and nothing identifies it on the wire.

const newGroup = defineArguments({
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
  arguments: newGroup,
  meant: newGroup,
  revision: noRevision,
  saved: 'group',
  needed: { allOf: ['groups:write'] },
  target: ({ kind, title }) => ({ kind, title }),
  keys: ({ kind, title }) => [keyOfTitle(kind, title)],
  request: (args) =>
    jsonRequest(path`/me/groups`, groupCreation({ ...args, setIds: [...new Set(args.setIds)] })),
  effect: {
    find({ kind, title, clientMutationId }, reads) {
      const query = { kind: 'boxset', family: kind === 'loadout' ? 'game' : undefined, q: title } as const;
      return findCreated(query, clientMutationId, reads);
    },
  },
});

const newGroupingSet = defineArguments({
  extra,
  setKind: z.enum(['talent_set', 'brand_set', 'category_set']),
  titleBase: title,
  entryTargetKind: openKind.optional(),
  entryTargetId: targetId.optional(),
  networkIds: targetIds.optional(),
  companyIds: targetIds.optional(),
  description: description.default(null),
  languageCode: languageCode.nullish().transform((code) => code ?? undefined),
  editionId: editionId.optional(),
}).superRefine((set, context) => {
  if ((set.entryTargetKind === undefined) !== (set.entryTargetId === undefined))
    context.addIssue({ code: 'custom', message: 'entryTargetKind and entryTargetId go together' });
  for (const name of ['networkIds', 'companyIds'] as const) {
    if (set.setKind === 'brand_set' || set[name] === undefined) continue;
    context.addIssue({ code: 'custom', message: 'only belongs to a brand_set', path: [name] });
  }
});

/**
 * Grouping Sets: create (interface document). The body is assumed. Only Talent Sets are among the upload destinations,
 * where one can be found; the others can't be looked for.
 */
export const createGroupingSet = defineOperation({
  name: 'create_grouping_set',
  sends: 'json',
  arguments: newGroupingSet,
  meant: newGroupingSet,
  revision: noRevision,
  saved: 'set',
  needed: { allOf: ['sets:write'] },
  target: ({ setKind: kind, titleBase: title, entryTargetKind, entryTargetId }) =>
    sparseFields({ kind, title, entryTargetKind, entryTargetId }),
  keys: ({ setKind, titleBase }) => [keyOfTitle(setKind, titleBase)],
  request(set) {
    const body =
      set.setKind === 'brand_set'
        ? brandSetCreation({ ...set, networkIds: set.networkIds ?? [], companyIds: set.companyIds ?? [] })
        : groupingSetCreation({ ...set, editionId: set.editionId ?? null });
    return jsonRequest(path`/me/grouping-sets`, body);
  },
  effect: {
    async find({ setKind, titleBase: q, clientMutationId }, reads) {
      if (setKind !== 'talent_set') return { found: 'nothing' };
      return findCreated({ kind: 'talent_set', q }, clientMutationId, reads);
    },
  },
});

/**
 * Looks for something new among the upload destinations, the only list of what one owns. Only a record that shows the
 * identity is this one. That none is listed proves nothing, since a list may lag, and is limited.
 */
async function findCreated(
  query: DestinationQuery,
  clientMutationId: string,
  { owned, deadline }: LookContext,
): Promise<Finding> {
  const listed = await owned.findUploadDestinations(query, deadline);
  const own = listed.find((record) => record.clientMutationId === clientMutationId);
  return own === undefined ? { found: 'nothing' } : foundIn(own);
}
