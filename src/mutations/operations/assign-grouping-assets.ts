import { z } from 'zod';
import { isRecord } from '../../catalogue/refusal.ts';
import {
  groupingAssetsToAssign,
  assignGroupingAssetsRequest as request,
} from '../../catalogue/requests/assign-grouping-assets.ts';
import {
  assetId,
  extra,
  itemId,
  setId,
  slot,
  targetId,
  targetKind,
} from '../../catalogue/requests/fields.ts';
import { distinctItems } from '../../catalogue/requests/items.ts';
import { serviceRevision } from '../../catalogue/revision.ts';
import { checkItems } from '../checks/check-items.ts';
import { readShownSet } from '../checks/shown.ts';
import { setKindIn } from '../checks/within-set.ts';
import { derivedItemId } from '../item-id.ts';
import type { Mutation } from '../mutation.ts';
import { checked, guarded, intentOf } from './checked.ts';
import { judgeEdit } from './read-back.ts';
import { assetGuard, setGuard } from '../checks/guard.ts';

const schema = z
  .strictObject({
    ...guarded,
    setId,
    items: z
      .array(
        z.strictObject({
          existingAssetId: assetId,
          expectedAssetUpdatedAt: z.string().min(1),
          targetKind,
          targetId,
          slot,
          itemId: itemId.optional(),
          position: z.int().min(0).optional(),
        }),
      )
      .min(1),
    extra,
  })
  .transform(({ items, ...rest }) => ({
    ...rest,
    items: items.map((item, index) => ({
      ...item,
      itemId: item.itemId ?? derivedItemId(rest.clientMutationId, index),
      position: item.position ?? index,
    })),
  }))
  .superRefine(({ items }, context) => distinctItems(items, context));

/**
 * Grouping Sets: assign owned standalone artwork (interface document). The body is assumed, so it is never
 * repeated; the Set is read back.
 */
export function assignGroupingAssets(given: object): Mutation {
  const args = checked(schema, given);
  const { clientMutationId, expectedUpdatedAt, setId, items } = args;
  const intent = intentOf(args);
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
  return {
    operation: 'assign_grouping_assets',
    clientMutationId,
    expectedUpdatedAt,
    target: { kind: 'set', id: setId, items: items.length },
    intent,
    needed: { allOf: ['sets:write'] },
    guards: [setGuard(setId, expectedUpdatedAt), ...assets.values()],
    looksBy: 'read_back',
    saved: 'set',
    places: [],
    bytes: null,
    request: () => request(checked(groupingAssetsToAssign, args)),
    again: () => ({ ...intent, clientMutationId }),
    async check(seen) {
      const set = readShownSet(seen.records.get(`Set ${setId}`));
      if (setKindIn(set) === 'media_set') {
        const message = `is a media Set: edit_set with operation assign puts Assets into it`;
        return [{ category: 'invalid_arguments', message, path: ['setId'] }];
      }
      const checked = items.map(({ existingAssetId, targetKind, targetId, slot }) => ({
        operation: 'assign' as const,
        targetKind,
        targetId,
        slot,
        assetId: existingAssetId,
      }));
      return checkItems({ setId, setKind: null, items: checked }, seen);
    },
    async find({ owned, call }) {
      const record = await owned.readSet(setId, call);
      const compared = items.map((item) => ({
        field: `item ${item.itemId}`,
        meant: true,
        shown: holds(record.assets, item.existingAssetId),
      }));
      return judgeEdit({ name: `Set ${setId}`, expected: expectedUpdatedAt, record, compared });
    },
  };
}

/** Whether a list of a Set's Assets has this one; undefined: the Set shows no such list. */
function holds(assets: unknown, assetId: string): boolean | undefined {
  if (!Array.isArray(assets)) return undefined;
  const wanted = assetId.toLowerCase();
  return assets
    .filter(isRecord)
    .some((asset) => [asset.id, asset.assetId].some((id) => String(id).toLowerCase() === wanted));
}
