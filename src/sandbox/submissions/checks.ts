import type { Caller } from '../access/caller.ts';
import { requireAssignable } from '../me/assignment.ts';
import { currentAsset } from '../me/current-asset.ts';
import { requireEdition } from '../me/edition.ts';
import { type Issue, invalid, ProtectedError, refused } from '../me/protected-error.ts';
import { requireFree, requireInSet, requireSlot } from '../me/set-targets.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import { isFilename, requireSize, requireType } from '../uploads/declared-file.ts';
import type { DeclaredFileFields, Item } from './bodies.ts';

/**
 * Checks every item and refuses with all that is wrong: the status and code of the first refusal, the issues
 * of every one.
 */
export function checkEach(
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
 * Sees to it that no two items share an id, a position, a place or an Asset.
 * @throws ProtectedError 422 that names the later one.
 */
export function requireDistinct(list: 'items' | 'declaredFiles', items: readonly Item[]): void {
  const seen = new Set<string>();
  checkEach(list, items, (item, where) => {
    for (const [field, value] of distinctive(item)) {
      const key = `${field} ${value}`;
      if (seen.has(key)) {
        const message = `Two items have the same ${field}.`;
        throw refused(422, 'item.repeated', message, [...where, field]);
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

/** @throws ProtectedError 400, 413, 415 or 422 for a file that could never be taken. */
export function requireDeclarable(file: DeclaredFileFields, where: readonly string[]): void {
  if (!isFilename(file.filename)) {
    const message = 'This must be a file name of 1 to 255 printable ASCII characters, without / and \\.';
    const path = [...where, 'filename'];
    throw invalid(`${path.join('.')}: ${message}`, [
      { code: 'field.invalid', message, path } satisfies Issue,
    ]);
  }
  const type = requireType(file.contentType, [...where, 'contentType']);
  requireSize(file.contentLength, [...where, 'contentLength']);
  if (file.selectedSourceFrame !== null && !['image/gif', 'image/webp'].includes(type)) {
    const message = 'Only GIF and WebP files have frames to select.';
    throw refused(422, 'asset.preview.not_animated', message, [...where, 'selectedSourceFrame']);
  }
}

/**
 * Sees to it that an item can be applied to a Set as things are now: when it is admitted, and again when the
 * submission is completed.
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
      requireHeld(
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
      requireHeld(database, caller, set, item, item.existingAssetId, where, 'existingAssetId');
      if (typeof item.editionId === 'number')
        requireEdition(database, item.editionId, [...where, 'editionId']);
      return;
  }
}

/** The Asset is current, at the revision that the item expects, and the Set's at the place that it names. */
function requireHeld(
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
  throw refused(422, 'asset.other_place', message, [...where, field], { target, slot, setId });
}
