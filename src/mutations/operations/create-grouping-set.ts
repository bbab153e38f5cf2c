import { z } from 'zod';
import { brandSetCreation, groupingSetCreation } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import {
  description,
  editionId,
  extra,
  jsonRequest,
  languageCode,
  openKind,
  targetId,
  targetIds,
  title,
} from '../../catalogue/request.ts';
import { findTargets, objectionsToAbsent } from '../before/targets.ts';
import { nothingFound } from '../finding.ts';
import { defineArguments, noRevision } from './arguments.ts';
import { defineOperation } from './operation.ts';
import { compareReadBack, findCreated, listExisting, readBackCreated, type Wanted } from './read-back.ts';

const args = defineArguments({
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
  if ((set.entryTargetKind === undefined) !== (set.entryTargetId === undefined)) {
    context.addIssue({ code: 'custom', message: 'entryTargetKind and entryTargetId go together' });
  }
  for (const name of ['networkIds', 'companyIds'] as const) {
    if (set.setKind === 'brand_set' || set[name] === undefined) continue;
    context.addIssue({ code: 'custom', message: 'only belongs to a brand_set', path: [name] });
  }
});

/**
 * Grouping Sets: create (interface document). The body is assumed, so it is never repeated. Only Talent Sets
 * are among the upload destinations, where one that appears can be found; the others can't be looked for.
 */
export const createGroupingSet = defineOperation({
  name: 'create_grouping_set',
  arguments: args,
  meant: args.transform((set) =>
    set.setKind === 'brand_set'
      ? { ...set, networkIds: set.networkIds ?? [], companyIds: set.companyIds ?? [] }
      : { ...set, editionId: set.editionId ?? null },
  ),
  run: {
    by: 'request',
    request(set) {
      const body = set.setKind === 'brand_set' ? brandSetCreation(set) : groupingSetCreation(set);
      return jsonRequest(path`/me/grouping-sets`, body, 'assumed');
    },
  },
  revision: noRevision,
  saved: 'set',
  needed: () => ({ allOf: ['sets:write'] }),
  target: ({ setKind, titleBase, entryTargetKind, entryTargetId }) => ({
    kind: setKind,
    title: titleBase,
    ...(entryTargetKind === undefined || entryTargetId === undefined
      ? {}
      : { entryTargetKind, entryTargetId }),
  }),
  async check({ entryTargetKind: kind, entryTargetId: id, networkIds = [], companyIds = [] }, seen) {
    const listed = (kind: string, name: string, ids: readonly number[]) =>
      ids.map((id, index) => ({ kind, id, path: [name, String(index)] }));
    const named = [
      ...listed('network', 'networkIds', networkIds),
      ...listed('company', 'companyIds', companyIds),
      ...(kind === undefined || id === undefined ? [] : [{ kind, id, path: ['entryTargetId'] }]),
    ];
    return objectionsToAbsent(named, await findTargets(seen.catalogue, named, seen.deadline));
  },
  // Of the other kinds it tells nothing, but that the access token is good: a 401 to the creation could not be told.
  prepare: (set, owned, deadline) => listExisting(owned, wanted(set), deadline),
  find: async (set, look) =>
    set.setKind === 'talent_set' ? findCreated(look, wanted(set), set.clientMutationId) : notListed,
  async confirm({ description }, { owned, deadline }, savedId) {
    const record = await owned.readSet(savedId, deadline);
    return readBackCreated(record, compareReadBack(record, { description }));
  },
});

function wanted({ titleBase }: { titleBase: string }): Wanted {
  return { query: { kind: 'talent_set', q: titleBase }, title: titleBase };
}

const notListed = nothingFound(
  'read_back',
  'The interface lists no Sets of this kind, so whether it was created can only be seen on the service.',
  true,
);
