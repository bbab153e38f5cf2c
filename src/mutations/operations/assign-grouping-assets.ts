import { z } from 'zod';
import { assignedItem, groupingAssignment } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import { serviceRevision } from '../../catalogue/records/owned.ts';
import {
  assetId,
  assetRevision,
  extra,
  itemId,
  jsonRequest,
  position,
  setId,
  slot,
  targetId,
  targetKind,
} from '../../catalogue/request.ts';
import { checkFreePlaces } from '../before/check-artwork.ts';
import { assetGuard } from '../before/guard.ts';
import { deriveItemId } from '../submission.ts';
import { defineArguments, ownedRevision, requireDistinctItems, revisionToSend } from './arguments.ts';
import { defineOperation } from './operation.ts';

const args = defineArguments({
  extra,
  setId,
  items: z
    .array(
      z.strictObject({
        existingAssetId: assetId,
        expectedAssetUpdatedAt: assetRevision,
        targetKind,
        targetId,
        slot,
        itemId: itemId.optional(),
        position: position.optional(),
      }),
    )
    .min(1)
    .max(300),
});

/**
 * Grouping Sets: assign owned standalone artwork (interface document); a grouped Set edit's `assign` does the same
 * and is shown. The body is assumed, so it is never repeated; the Set is read back.
 */
export const assignGroupingAssets = defineOperation({
  name: 'assign_grouping_assets',
  arguments: args,
  meant: args
    .transform(({ items, ...rest }) => ({
      ...rest,
      items: items.map((item, index) => ({
        ...item,
        itemId: item.itemId ?? deriveItemId(rest.clientMutationId, index),
        position: item.position ?? index,
      })),
    }))
    .superRefine(({ items }, context) => {
      const ids = items.map(({ itemId }) => [{ name: 'itemId', value: itemId }]);
      requireDistinctItems(ids, context, 'items');
    }),
  run: {
    by: 'request',
    request({ setId, items, ...rest }) {
      const body = groupingAssignment({
        ...rest,
        expectedUpdatedAt: revisionToSend(rest.expectedUpdatedAt),
        items: items.map((item) =>
          assignedItem({ ...item, expectedAssetUpdatedAt: revisionToSend(item.expectedAssetUpdatedAt) }),
        ),
      });
      return jsonRequest(path`/me/grouping-sets/${setId}/assets`, body, 'assumed');
    },
  },
  revision: ownedRevision('set', 'setId'),
  saved: 'set',
  needed: () => ({ allOf: ['sets:write'] }),
  target: ({ setId, items }) => ({ kind: 'set', id: setId, items: items.length }),
  guards({ items }) {
    const assets = new Map(
      items.map(({ existingAssetId, expectedAssetUpdatedAt }) => [
        `${existingAssetId} ${expectedAssetUpdatedAt}`,
        {
          ...assetGuard(existingAssetId, expectedAssetUpdatedAt),
          // The body carries every revision that is the service's own.
          onWire: serviceRevision(expectedAssetUpdatedAt) === null ? undefined : ('also' as const),
        },
      ]),
    );
    return [...assets.values()];
  },
  earlier({ items }, records) {
    const assets = items.map(({ existingAssetId }) => existingAssetId);
    const standalone = assets.filter((id) => records.get(`Asset ${id}`)?.setId === null);
    return standalone.length === 0 ? {} : { standalone };
  },
  check: ({ setId, items }, seen) => checkFreePlaces(setId, items, false, seen),
  compare: ({ items }, record) =>
    items.map((item) => ({
      field: `item ${item.itemId}`,
      meant: true,
      shown: holds(record.assets, item.existingAssetId),
    })),
});

/** Whether a list of a Set's Assets has this one; undefined: the Set shows no such list. */
function holds(assets: unknown, assetId: string): boolean | undefined {
  if (!Array.isArray(assets)) return undefined;
  const wanted = assetId.toLowerCase();
  return assets
    .filter(isRecord)
    .some((asset) => [asset.id, asset.assetId].some((id) => String(id).toLowerCase() === wanted));
}
