import { z } from 'zod';
import { groupCreation } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/path.ts';
import { description, extra, languageCode, setIds, title } from '../../catalogue/requests/fields.ts';
import { jsonRequest } from '../../catalogue/requests/request.ts';
import { checkMembers } from '../checks/check-members.ts';
import { argumentsOf } from './checked.ts';
import { findCreated, listExisting, type Wanted } from './find-created.ts';
import { withMembers } from './group-members.ts';
import { defineOperation } from './operation.ts';
import { comparedIn, judgeCreated } from './read-back.ts';
import { ofNothing } from './revision-rule.ts';

/**
 * Groups: create (interface document). The body is assumed, so it is never repeated; a group that appears
 * among the upload destinations with this title, and was not there before, is a hint.
 */
export const createGroup = defineOperation({
  name: 'create_group',
  arguments: argumentsOf({
    extra,
    kind: z.enum(['boxset', 'loadout']),
    title,
    description: description.default(null),
    languageCode: languageCode.nullish().transform((code) => code ?? undefined),
    setIds: setIds.default([]),
  }),
  strategy: { by: 'request' },
  revision: ofNothing,
  saved: 'group',
  looksBy: 'read_back',
  needed: () => ({ allOf: ['groups:write'] }),
  target: ({ kind, title }) => ({ kind, title }),
  guards: () => [],
  request: (args) => jsonRequest(path`/me/groups`, groupCreation(args), 'assumed'),
  check: ({ kind, setIds }, seen) => checkMembers({ kind, id: null, setIds }, seen),
  prepare: (args, owned, call) => listExisting(owned, wanted(args), call),
  find: (args, look) => findCreated(look, wanted(args), args.clientMutationId),
  async confirm({ title, description, languageCode, setIds }, { owned, call }, savedId) {
    const record = await owned.readGroup(savedId, call);
    const compared = comparedIn(withMembers(record), { title, description, languageCode, setIds });
    return judgeCreated(record, compared);
  },
});

function wanted({ kind, title }: { kind: 'boxset' | 'loadout'; title: string }): Wanted {
  const family = kind === 'loadout' ? 'game' : undefined;
  return { query: { kind: 'boxset', family, q: title }, title };
}
