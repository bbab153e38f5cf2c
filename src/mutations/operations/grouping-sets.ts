import { z } from 'zod';
import {
  assignedItem,
  brandSetCreation,
  groupingAssignment,
  groupingSetCreation,
} from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import {
  assetId,
  assetRevision,
  description,
  editionId,
  extra,
  jsonRequest,
  languageCode,
  openKind,
  setId,
  targetId,
  targetIds,
  title,
} from '../../catalogue/request.ts';
import { findCreated, type Wanted } from './created.ts';
import {
  keyOfAsset,
  keyOfPlaceIn,
  keyOfTitle,
  numbered,
  ownNumbers,
  ownPlace,
  placed,
  placementsOf,
  requireDistinct,
} from './items.ts';
import { defineArguments, defineOperation, revisionToSend } from './operation.ts';
import { type Guard, noRevision, revisionOfOwned } from './revisions.ts';

const creation = defineArguments({
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
  arguments: creation,
  meant: creation,
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
  keys: (set) => [keyOfTitle(set.setKind, set.titleBase)],
  request(set) {
    const body =
      set.setKind === 'brand_set'
        ? brandSetCreation({ ...set, networkIds: set.networkIds ?? [], companyIds: set.companyIds ?? [] })
        : groupingSetCreation({ ...set, editionId: set.editionId ?? null });
    return jsonRequest(path`/me/grouping-sets`, body, 'assumed');
  },
  effect: {
    find: async (set, reads) =>
      set.setKind === 'talent_set'
        ? findCreated(reads, wanted(set), set.clientMutationId)
        : { found: 'nothing' },
  },
});

function wanted({ titleBase }: z.output<typeof creation>): Wanted {
  return { query: { kind: 'talent_set', q: titleBase }, title: titleBase };
}

const assignment = defineArguments({
  extra,
  setId,
  items: z
    .array(z.strictObject({ existingAssetId: assetId, expectedAssetUpdatedAt: assetRevision, ...placed }))
    .min(1)
    .max(300),
});
const meantAssignment = assignment
  .transform((args) => ({ ...args, items: numbered(args.clientMutationId, args.items) }))
  .superRefine(({ items }, context) => {
    const takes = items.map((item): [string, string][] => [
      ...ownNumbers(item),
      ownPlace(item),
      ['existingAssetId', item.existingAssetId.toLowerCase()],
    ]);
    requireDistinct(takes, 'items', context);
  });

/**
 * Grouping Sets: assign owned standalone artwork (interface document). The body is assumed; the Set is read back. A
 * grouped edit's `assign` does the same, and its body is shown.
 */
export const assignGroupingAssets = defineOperation({
  name: 'assign_grouping_assets',
  sends: 'json',
  arguments: assignment,
  called: meantAssignment,
  meant: meantAssignment,
  revision: revisionOfOwned('set', 'setId'),
  saved: 'set',
  needed: () => ({ allOf: ['sets:write'] }),
  target: (args) => ({ kind: 'set', id: args.setId, items: args.items.length }),
  keys: (args) =>
    args.items.flatMap((item) => [keyOfPlaceIn(args.setId, item), keyOfAsset(item.existingAssetId)]),
  guards: ({ items }) => items.map(guardOfAsset),
  places: ({ items }) => placementsOf(items, 'items'),
  request(args) {
    const items = args.items.map((item) =>
      assignedItem({ ...item, expectedAssetUpdatedAt: revisionToSend(item.expectedAssetUpdatedAt) }),
    );
    const body = groupingAssignment({
      ...args,
      expectedUpdatedAt: revisionToSend(args.expectedUpdatedAt),
      items,
    });
    return jsonRequest(path`/me/grouping-sets/${args.setId}/assets`, body, 'assumed');
  },
  effect: {
    compare: (args, record) =>
      args.items.map((item) => ({ meant: true, shown: holds(record?.assets, item.existingAssetId) })),
  },
});

/** The body carries it too, but that body is only assumed. */
function guardOfAsset(item: z.output<typeof meantAssignment>['items'][number]): Guard {
  const about = { kind: 'asset', id: item.existingAssetId };
  return { of: 'asset', about, expected: item.expectedAssetUpdatedAt, onWire: false };
}

/** Whether a list of a Set's Assets has this one; undefined: the Set shows no such list. */
function holds(assets: unknown, wanted: string): boolean | undefined {
  if (!Array.isArray(assets)) return undefined;
  const ids = assets.flatMap((one) => (isRecord(one) ? [one.id, one.assetId] : [one]));
  return ids.some((id) => String(id).toLowerCase() === wanted.toLowerCase());
}
