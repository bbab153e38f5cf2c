import { z } from 'zod';
import {
  groupingSetToCreate,
  createGroupingSetRequest as request,
} from '../../catalogue/requests/create-grouping-set.ts';
import {
  description,
  editionId,
  extra,
  languageCode,
  targetId,
  targetKind,
  title,
} from '../../catalogue/requests/fields.ts';
import { checkGroupingSet } from '../checks/check-grouping-set.ts';
import type { Mutation } from '../mutation.ts';
import { checked, guarded, intentOf, requireNoRevision } from './checked.ts';
import { findCreated, listExisting } from './find-created.ts';
import { judgeCreated } from './read-back.ts';
import type { Finding } from '../finding.ts';

const code = languageCode.nullish().transform((value) => value ?? undefined);
const common = {
  ...guarded,
  entryTargetKind: targetKind.optional(),
  entryTargetId: targetId.optional(),
  titleBase: title,
  description: description.default(null),
  extra,
};

const schema = z
  .discriminatedUnion('setKind', [
    z.strictObject({
      ...common,
      setKind: z.enum(['talent_set', 'category_set']),
      languageCode: code,
      editionId: editionId.default(null),
    }),
    z.strictObject({
      ...common,
      setKind: z.literal('brand_set'),
      networkIds: z.array(targetId).default([]),
      companyIds: z.array(targetId).default([]),
      // Left out is left out: so it stands in the intents of earlier versions.
      languageCode: code,
      editionId: editionId.optional(),
    }),
  ])
  .refine(
    (set) => (set.entryTargetKind === undefined) === (set.entryTargetId === undefined),
    'entryTargetKind and entryTargetId go together',
  );

/**
 * Grouping Sets: create (interface document). The body is assumed, so it is never repeated. Only Talent Sets
 * are among the upload destinations, where one that appears can be found; the others can't be looked for.
 */
export function createGroupingSet(given: object): Mutation {
  const args = checked(schema, given);
  const { clientMutationId, expectedUpdatedAt, setKind, titleBase, entryTargetKind, entryTargetId } = args;
  requireNoRevision(expectedUpdatedAt, 'what is created has no revision yet.');
  const intent = intentOf(args);
  const { expectedUpdatedAt: _, ...body } = args;
  const wanted = { query: { kind: 'talent_set' as const, q: titleBase }, title: titleBase };
  return {
    operation: 'create_grouping_set',
    clientMutationId,
    expectedUpdatedAt,
    target: {
      kind: setKind,
      title: titleBase,
      ...(entryTargetKind === undefined || entryTargetId === undefined
        ? {}
        : { entryTargetKind, entryTargetId }),
    },
    intent,
    needed: { allOf: ['sets:write'] },
    guards: [],
    looksBy: 'read_back',
    saved: 'set',
    places: [],
    bytes: null,
    request: () => request(checked(groupingSetToCreate, body)),
    again: () => ({ ...intent, clientMutationId }),
    check: (seen) => checkGroupingSet(args, seen),
    ...(setKind === 'talent_set' ? { prepare: (owned, call) => listExisting(owned, wanted, call) } : {}),
    find: async (look) =>
      setKind === 'talent_set' ? findCreated(look, wanted, clientMutationId) : notListed,
    async confirm({ owned, call }, savedId) {
      return judgeCreated(await owned.readSet(savedId, call), ({ description }) => [
        { field: 'description', meant: args.description, shown: description },
      ]);
    },
  };
}

const notListed: Finding = {
  found: 'nothing',
  by: 'read_back',
  says: 'The interface lists no Sets of this kind, so whether it was created can only be seen on the service.',
  final: true,
};
