import type { Caller } from '../me/authorize.ts';
import { currentAsset, requireEdition } from '../me/owned.ts';
import { invalidField, ProtectedError, refusal } from '../me/protected-error.ts';
import { requireAssignable, requireFree, requireInSet, requireSlot } from '../me/slots.ts';
import type { Database, Row } from '../store/database.ts';
import { isFilename, requireSize, requireType } from '../uploads/file-headers.ts';
import type { DeclaredFileFields, Item } from './bodies.ts';

/** Checks every item and refuses with all errors: the status and code of the first, the issues of each. */
export function checkItems(
  list: 'items' | 'declaredFiles',
  items: readonly Item[],
  check: (item: Item, where: readonly string[]) => void,
): void {
  const refusals = items.flatMap((item, index) => {
    try {
      check(item, [list, String(index)]);
      return [];
    } catch (error) {
      if (!(error instanceof ProtectedError)) throw error;
      return [error];
    }
  });
  const [first] = refusals;
  if (first === undefined) return;
  const { status, code, message, details } = first;
  throw new ProtectedError(status, code, message, {
    details,
    issues: refusals.flatMap(({ issues }) => issues),
  });
}

/**
 * Requires that no two items share an id, a position, a slot or an Asset.
 * @throws ProtectedError 422 that names the later one.
 */
export function requireDistinct(list: 'items' | 'declaredFiles', items: readonly Item[]): void {
  const seen = new Set<string>();
  checkItems(list, items, (item, where) => {
    for (const [field, value] of distinctive(item)) {
      const key = `${field} ${value}`;
      if (seen.has(key)) {
        const message = `Two items have the same ${field}.`;
        throw refusal(422, 'item.repeated', message, [...where, field]);
      }
      seen.add(key);
    }
  });
}

function distinctive(item: Item): readonly (readonly [field: string, value: string | number])[] {
  const asset = item.existingAssetId ?? item.expectedPreviousAssetId;
  const place = `${item.targetKind} ${item.targetId} ${item.slot}`;
  return [
    ['itemId', item.itemId],
    ['position', item.position],
    ...(asset === null ? [] : [['existingAssetId', asset] as const]),
    ...(item.operation === 'asset_metadata' ? [] : [['slot', place] as const]),
  ];
}

/** @throws ProtectedError 400, 413, 415 or 422 for a file that could never be accepted. */
export function requireDeclarable(file: DeclaredFileFields, where: readonly string[]): void {
  if (!isFilename(file.filename)) {
    const message = 'This must be a file name of 1 to 255 printable ASCII characters, without / and \\.';
    throw invalidField([...where, 'filename'], message);
  }
  const type = requireType(file.contentType, [...where, 'contentType']);
  requireSize(file.contentLength, [...where, 'contentLength']);
  if (file.selectedSourceFrame !== null && !['image/gif', 'image/webp'].includes(type)) {
    const message = 'Only GIF and WebP files have frames to select.';
    throw refusal(422, 'asset.preview.not_animated', message, [...where, 'selectedSourceFrame']);
  }
}

/**
 * Requires that an item can be applied to a Set in its current state: at the admission, and again at the
 * completion.
 * @throws ProtectedError 403, 404, 409 or 422.
 */
export function checkItem(
  database: Database,
  caller: Caller,
  set: Row,
  item: Item,
  where: readonly string[],
): void {
  const target = { kind: item.targetKind, id: item.targetId };
  switch (item.operation) {
    case 'add':
      requireSlot(database, target, item.slot, where);
      requireInSet(database, set, target, where);
      requireFree(database, set.integer('id'), target, item.slot, where);
      return;
    case 'replace':
      requireInPlace(
        database,
        caller,
        set,
        item,
        item.expectedPreviousAssetId,
        where,
        'expectedPreviousAssetId',
      );
      return;
    case 'assign':
      requireAssignable(database, caller, set, item, where);
      return;
    case 'asset_metadata':
      requireInPlace(database, caller, set, item, item.existingAssetId, where, 'existingAssetId');
      if (typeof item.editionId === 'number')
        requireEdition(database, item.editionId, [...where, 'editionId']);
      return;
  }
}

/**
 * Requires the Asset to be current, at the expected revision, and in the slot of the Set that the item names.
 */
function requireInPlace(
  database: Database,
  caller: Caller,
  set: Row,
  item: Extract<Item, { operation: 'replace' | 'asset_metadata' }>,
  assetId: string,
  where: readonly string[],
  field: string,
): void {
  const asset = currentAsset(database, caller, assetId, item.expectedAssetUpdatedAt, {
    id: [...where, field],
    revision: [...where, 'expectedAssetUpdatedAt'],
  });
  const target = { kind: asset.text('target_kind'), id: asset.integer('target_id') };
  const slot = asset.text('slot');
  const setId = asset.integerOrNull('set_id');
  const here =
    setId === set.integer('id') &&
    target.kind === item.targetKind &&
    target.id === item.targetId &&
    slot === item.slot;
  if (here) return;
  const message = `Asset ${assetId} is the ${slot} of ${target.kind} ${target.id}, in Set ${setId}.`;
  throw refusal(422, 'asset.other_place', message, [...where, field], { target, slot, setId });
}
