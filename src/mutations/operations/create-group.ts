import { z } from 'zod';
import { createGroupRequest as request, groupToCreate } from '../../catalogue/requests/create-group.ts';
import { description, extra, languageCode, setId, title } from '../../catalogue/requests/fields.ts';
import { checkMembers } from '../checks/check-members.ts';
import type { Mutation } from '../mutation.ts';
import { checked, guarded, intentOf, requireNoRevision } from './checked.ts';
import { findCreated, listExisting } from './find-created.ts';
import { groupFields } from './group-fields.ts';
import { judgeCreated } from './read-back.ts';

const schema = z.strictObject({
  ...guarded,
  kind: z.enum(['boxset', 'loadout']),
  title,
  description: description.default(null),
  languageCode: languageCode.nullish().transform((code) => code ?? undefined),
  setIds: z.array(setId).default([]),
  extra,
});

/**
 * Groups: create (interface document). The body is assumed, so it is never repeated; a group that appears
 * among the upload destinations with this title, and was not there before, is a hint.
 */
export function createGroup(given: object): Mutation {
  const args = checked(schema, given);
  const { clientMutationId, expectedUpdatedAt, kind, title } = args;
  requireNoRevision(expectedUpdatedAt, 'what is created has no revision yet.');
  const intent = intentOf(args);
  const family = kind === 'loadout' ? ('game' as const) : undefined;
  const wanted = { query: { kind: 'boxset' as const, family, q: title }, title };
  const { expectedUpdatedAt: _, ...body } = args;
  return {
    operation: 'create_group',
    clientMutationId,
    expectedUpdatedAt,
    target: { kind, title },
    intent,
    needed: { allOf: ['groups:write'] },
    guards: [],
    looksBy: 'read_back',
    saved: 'group',
    places: [],
    bytes: null,
    request: () => request(checked(groupToCreate, body)),
    again: () => ({ ...intent, clientMutationId }),
    check: (seen) => checkMembers({ kind, id: null, setIds: args.setIds }, seen),
    prepare: (owned, call) => listExisting(owned, wanted, call),
    find: (look) => findCreated(look, wanted, clientMutationId),
    async confirm({ owned, call }, savedId) {
      return judgeCreated(await owned.readGroup(savedId, call), (record) => groupFields(args, record));
    },
  };
}
