import { editGroup } from '../artwork/groups.ts';
import { editSet } from '../artwork/sets.ts';
import type { Database, Row } from '../store/database.ts';
import type { Caller } from './authorize.ts';
import { doesNotExist, notOwned, type ProtectedError, refusal, staleRevision } from './protected-error.ts';

/** The table and the name of a resource, by its kind. */
const resources = {
  asset: { table: 'assets', name: 'Asset' },
  set: { table: 'sets', name: 'Set' },
  group: { table: 'groups', name: 'Group' },
} as const;

/**
 * The row of a resource that the caller owns. `at` is where a body or query names it; omitted where the path
 * does.
 * @throws ProtectedError 404 for an unknown id, 403 when another account owns it.
 */
export function ownedRow(
  database: Database,
  { accountId }: Caller,
  kind: keyof typeof resources,
  id: string | number,
  at?: readonly string[],
): Row {
  const { table, name } = resources[kind];
  const row = database.first(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (row === undefined) throw doesNotExist(`${name} ${id}`, at);
  if (row.integerOrNull('owner_id') !== accountId) throw notOwned(`${name} ${id}`, at);
  return row;
}

/**
 * An Asset of the caller that can still be changed: not replaced, and at the expected revision where one is
 * given. `at` is where the request names the Asset and the revision.
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
  if (replacement !== undefined) throw alreadyReplaced(asset.text('id'), replacement.text('id'), at.id);
  if (expected !== null) requireRevision(asset, `Asset ${assetId}`, expected, at.revision);
  return asset;
}

/** @throws ProtectedError 409 when the row has changed since the revision was read. */
export function requireRevision(row: Row, what: string, expected: string, at?: readonly string[]): void {
  const current = row.text('updated_at');
  if (expected !== current) throw staleRevision(what, expected, current, at);
}

function alreadyReplaced(assetId: string, replacedByAssetId: string, at?: readonly string[]): ProtectedError {
  return refusal(409, 'asset.replaced', `Asset ${assetId} has been replaced.`, at, {
    assetId,
    replacedByAssetId,
  });
}

/** The Set or group that contains an Asset, with its revision after the artwork has changed. */
export interface AssetHolder {
  readonly kind: 'set' | 'group';
  readonly id: number;
  readonly updatedAt: string;
}

/** Gives the Set of an Asset, or the group whose poster it is, a new revision. */
export function updateHolderRevision(
  database: Database,
  asset: { readonly setId: number | null; readonly targetKind: string; readonly targetId: number },
  at: string,
  showsFrom: string,
): AssetHolder | null {
  const { setId, targetKind, targetId } = asset;
  if (setId !== null) {
    return { kind: 'set', id: setId, updatedAt: editSet(database, setId, {}, at, showsFrom) };
  }
  if (targetKind === 'boxset' || targetKind === 'loadout') {
    return { kind: 'group', id: targetId, updatedAt: editGroup(database, targetId, {}, at) };
  }
  return null;
}

export function locationOf(asset: Row) {
  return {
    setId: asset.integerOrNull('set_id'),
    targetKind: asset.text('target_kind'),
    targetId: asset.integer('target_id'),
  };
}

/** @throws ProtectedError 422 for an unknown edition. */
export function requireEdition(database: Database, id: number, at: readonly string[] = ['editionId']): void {
  if (database.first('SELECT 1 FROM editions WHERE id = ?', id) === undefined) {
    throw refusal(422, 'edition.unknown', `There is no edition ${id}.`, at);
  }
}
