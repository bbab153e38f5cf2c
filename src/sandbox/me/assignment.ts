import type { Caller } from '../access/caller.ts';
import { assignAsset } from '../artwork/assets.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import { currentAsset } from './current-asset.ts';
import { refused } from './protected-error.ts';
import { requireFree, requireInSet } from './set-targets.ts';

export interface Assignment {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  readonly existingAssetId: string;
  readonly expectedAssetUpdatedAt: string;
}

/**
 * Puts a standalone Asset of the caller's into a Set of theirs, in the place that it was made for.
 * @returns the Asset's new revision.
 * @throws ProtectedError for everything that speaks against it.
 */
export function assign(
  database: Database,
  caller: Caller,
  set: Row,
  item: Assignment,
  at: string,
  where: readonly string[],
): string {
  requireAssignable(database, caller, set, item, where);
  return assignAsset(database, item.existingAssetId, set.integer('id'), at);
}

export function requireAssignable(
  database: Database,
  caller: Caller,
  set: Row,
  item: Assignment,
  where: readonly string[],
): void {
  const { targetKind, targetId, slot, existingAssetId, expectedAssetUpdatedAt } = item;
  const asset = currentAsset(database, caller, existingAssetId, expectedAssetUpdatedAt, {
    id: [...where, 'existingAssetId'],
    revision: [...where, 'expectedAssetUpdatedAt'],
  });
  if (asset.integerOrNull('set_id') !== null) {
    const message = `Asset ${existingAssetId} is in a Set.`;
    throw refused(409, 'asset.not_standalone', message, [...where, 'existingAssetId'], {
      setId: asset.integer('set_id'),
    });
  }
  const here = { kind: asset.text('target_kind'), id: asset.integer('target_id') };
  if (here.kind !== targetKind || here.id !== targetId || asset.text('slot') !== slot) {
    const message = `Asset ${existingAssetId} is for the ${asset.text('slot')} of ${here.kind} ${here.id}.`;
    throw refused(422, 'asset.other_place', message, [...where, 'existingAssetId'], {
      target: here,
      slot: asset.text('slot'),
    });
  }
  requireInSet(database, set, here, where);
  requireFree(database, set.integer('id'), here, slot, where);
}
