import type { Caller } from '../access/caller.ts';
import { editGroup } from '../artwork/groups.ts';
import { editSet } from '../artwork/sets.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import { ownedRow } from './owned.ts';
import { type ProtectedError, refused, stale } from './protected-error.ts';

/**
 * An Asset of the caller's that can still be changed: at the expected revision, where one is given, and not
 * replaced. `at` says where the request names the Asset and the revision.
 * @throws ProtectedError 404, 403, or 409.
 */
export function currentAsset(
  database: Database,
  caller: Caller,
  assetId: string,
  expected: string | null,
  at: { readonly id?: readonly string[]; readonly revision?: readonly string[] } = {},
): Row {
  const asset = ownedRow(database, caller, 'asset', assetId, at.id);
  const replacement = database.first('SELECT id FROM assets WHERE replaces = ?', asset.text('id'));
  if (replacement !== undefined) throw replaced(asset.text('id'), replacement.text('id'), at.id);
  const current = asset.text('updated_at');
  if (expected !== null && expected !== current) {
    throw stale(`Asset ${assetId}`, expected, current, at.revision ?? ['expectedUpdatedAt']);
  }
  return asset;
}

function replaced(assetId: string, replacedByAssetId: string, at?: readonly string[]): ProtectedError {
  return refused(409, 'asset.replaced', `Asset ${assetId} has been replaced.`, at, {
    assetId,
    replacedByAssetId,
  });
}

/** What holds an Asset, with its revision after the artwork has changed. */
export interface Holder {
  readonly kind: 'set' | 'group';
  readonly id: number;
  readonly updatedAt: string;
}

/** A change of artwork is a change of the Set that it is in, or of the group whose poster it is. */
export function touchHolder(
  database: Database,
  asset: { readonly setId: number | null; readonly targetKind: string; readonly targetId: number },
  at: string,
  showsFrom: string,
): Holder | null {
  const { setId, targetKind, targetId } = asset;
  if (setId !== null) {
    return { kind: 'set', id: setId, updatedAt: editSet(database, setId, {}, at, showsFrom) };
  }
  if (targetKind === 'boxset' || targetKind === 'loadout') {
    return { kind: 'group', id: targetId, updatedAt: editGroup(database, targetId, {}, at) };
  }
  return null;
}

export function placeOf(asset: Row) {
  return {
    setId: asset.integerOrNull('set_id'),
    targetKind: asset.text('target_kind'),
    targetId: asset.integer('target_id'),
  };
}
