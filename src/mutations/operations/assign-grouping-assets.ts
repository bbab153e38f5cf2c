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
import { checkItems, replacedCode } from '../before/check-artwork.ts';
import { assetGuard } from '../before/guard.ts';
import { readShownSet, setKindIn } from '../before/shown-records.ts';
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
          alsoOnWire: serviceRevision(expectedAssetUpdatedAt) !== null,
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
  async check({ setId, items }, seen) {
    const set = readShownSet(seen.records.get(`Set ${setId}`));
    const assigned = items.map(({ existingAssetId, targetKind, targetId, slot }) => ({
      operation: 'assign' as const,
      targetKind,
      targetId,
      slot,
      assetId: existingAssetId,
    }));
    const objections = await checkItems({ setId, setKind: null, items: assigned }, seen);
    // No Set takes an Asset that was replaced, so edit_set would only say so next.
    if (setKindIn(set) !== 'media_set' || objections.some(({ code }) => code === replacedCode))
      return objections;
    const message = `is a media Set: edit_set with operation assign puts Assets into it`;
    return [{ category: 'invalid_arguments', message, path: ['setId'] }];
  },
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
