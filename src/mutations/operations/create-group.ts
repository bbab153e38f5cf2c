import { z } from 'zod';
import { groupCreation } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import { description, extra, jsonRequest, languageCode, setIds, title } from '../../catalogue/request.ts';
import { defineArguments, noRevision } from './arguments.ts';
import { defineOperation } from './operation.ts';
import {
  compareReadBack,
  findCreated,
  listExisting,
  readBackCreated,
  type Wanted,
  withMemberIds,
} from './read-back.ts';

/**
 * Groups: create (interface document). The body is assumed, so it is never repeated; a group that appears
 * among the upload destinations with this title, and was not there before, is a hint.
 */
export const createGroup = defineOperation({
  name: 'create_group',
  arguments: defineArguments({
    extra,
    kind: z.enum(['boxset', 'loadout']),
    title,
    description: description.default(null),
    languageCode: languageCode.nullish().transform((code) => code ?? undefined),
    setIds: setIds.default([]),
  }),
  run: {
    by: 'request',
    request: (args) => jsonRequest(path`/me/groups`, groupCreation(args), 'assumed'),
  },
  revision: noRevision,
  saved: 'group',
  needed: () => ({ allOf: ['groups:write'] }),
  target: ({ kind, title }) => ({ kind, title }),
  prepare: (args, owned, deadline) => listExisting(owned, wanted(args), deadline),
  find: (args, look) => findCreated(look, wanted(args), args.clientMutationId),
  async confirm({ title, description, languageCode, setIds }, { owned, deadline }, savedId) {
    const record = await owned.readGroup(savedId, deadline);
    const compared = compareReadBack(withMemberIds(record), { title, description, languageCode, setIds });
    return readBackCreated(record, compared);
  },
});

function wanted({ kind, title }: { kind: 'boxset' | 'loadout'; title: string }): Wanted {
  const family = kind === 'loadout' ? 'game' : undefined;
  return { query: { kind: 'boxset', family, q: title }, title };
}
