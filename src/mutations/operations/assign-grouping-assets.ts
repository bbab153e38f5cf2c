import { z } from 'zod';
import { assignedItem, groupingAssignment } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/path.ts';
import { isRecord } from '../../catalogue/refusal.ts';
import {
  assetId,
  assetRevision,
  extra,
  itemId,
  position,
  setId,
  slot,
  targetId,
  targetKind,
} from '../../catalogue/requests/fields.ts';
import { jsonRequest } from '../../catalogue/requests/request.ts';
import { serviceRevision } from '../../catalogue/revision.ts';
import { requireDistinct } from './positions.ts';
import { checkItems } from '../checks/check-items.ts';
import { readShownSet } from '../checks/shown.ts';
import { setKindIn } from '../checks/within-set.ts';
import { assetGuard, setGuard } from '../checks/guard.ts';
import { derivedItemId } from '../item-id.ts';
import { argumentsOf, revisionToSend } from './checked.ts';
import { defineOperation } from './operation.ts';
import { judgeEdit } from './read-back.ts';
import { ofOwned } from './revision-rule.ts';

const args = argumentsOf({
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
        itemId: item.itemId ?? derivedItemId(rest.clientMutationId, index),
        position: item.position ?? index,
      })),
    }))
    .superRefine(({ items }, context) => {
      const ids = items.map(({ itemId }) => [{ name: 'itemId', value: itemId }]);
      requireDistinct(ids, context, 'items');
    }),
  strategy: { by: 'request' },
  revision: ofOwned('set', 'setId'),
  saved: 'set',
  looksBy: 'read_back',
  needed: () => ({ allOf: ['sets:write'] }),
  target: ({ setId, items }) => ({ kind: 'set', id: setId, items: items.length }),
  guards({ setId, expectedUpdatedAt, items }) {
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
    return [setGuard(setId, expectedUpdatedAt), ...assets.values()];
  },
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
  async check({ setId, items }, seen) {
    const set = readShownSet(seen.records.get(`Set ${setId}`));
    if (setKindIn(set) === 'media_set') {
      const message = `is a media Set: edit_set with operation assign puts Assets into it`;
      return [{ category: 'invalid_arguments', message, path: ['setId'] }];
    }
    const assigned = items.map(({ existingAssetId, targetKind, targetId, slot }) => ({
      operation: 'assign' as const,
      targetKind,
      targetId,
      slot,
      assetId: existingAssetId,
    }));
    return checkItems({ setId, setKind: null, items: assigned }, seen);
  },
  async find({ setId, expectedUpdatedAt, items }, { owned, call }) {
    const record = await owned.readSet(setId, call);
    const compared = items.map((item) => ({
      field: `item ${item.itemId}`,
      meant: true,
      shown: holds(record.assets, item.existingAssetId),
    }));
    return judgeEdit({ name: `Set ${setId}`, expected: expectedUpdatedAt, record, compared });
  },
});

/** Whether a list of a Set's Assets has this one; undefined: the Set shows no such list. */
function holds(assets: unknown, assetId: string): boolean | undefined {
  if (!Array.isArray(assets)) return undefined;
  const wanted = assetId.toLowerCase();
  return assets
    .filter(isRecord)
    .some((asset) => [asset.id, asset.assetId].some((id) => String(id).toLowerCase() === wanted));
}
