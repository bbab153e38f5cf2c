import type { Objection, Occupant } from './objection.ts';
import {
  shownAssetOf,
  readLastReplacement,
  occupiedObjection,
  replacedObjection,
  type CheckContext,
  readOccupant,
} from './occupant.ts';
import {
  shownAssetInPlace,
  isSameAssetId,
  readShownSet,
  type ShownAsset,
  type ShownSet,
  type ShownTarget,
} from './shown-records.ts';
import { objectionsOutsideSet, setKindIn } from './within-set.ts';

/** One item of an edit or an assignment, as far as its place and its Asset are concerned. */
export interface CheckedItem {
  readonly operation: 'add' | 'replace' | 'assign' | 'asset_metadata';
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  /** The Asset that it replaces, assigns or edits; null for an add. */
  readonly assetId: string | null;
}

/** The Set is of the kind that is named, and every item's place is as the item says. */
export async function checkItems(
  { setId, setKind, items }: { setId: number; setKind: string | null; items: readonly CheckedItem[] },
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const set = readShownSet(seen.records.get(`Set ${setId}`));
  const word = setKindIn(set);
  if (setKind !== null && word !== null && word !== setKind) {
    const message = `is ${setKind}, and the Set ${setId} is a ${word}`;
    return [{ category: 'invalid_arguments', message, path: ['setKind'], at: [], put: { setKind: word } }];
  }
  const objections: Objection[] = [];
  for (const [index, item] of items.entries()) {
    objections.push(...(await checkItem(item, set, ['items', String(index)], seen)));
  }
  return objections;
}

async function checkItem(
  item: CheckedItem,
  set: ShownSet,
  at: readonly string[],
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const target = { kind: item.targetKind, id: item.targetId };
  const outside = objectionsOutsideSet(target, set, seen.targets ?? new Map(), at);
  if (outside.some(({ doubtful }) => doubtful !== true)) return outside;
  return [...outside, ...(await checkPlace(item, set, target, at, seen))];
}

async function checkPlace(
  item: CheckedItem,
  set: ShownSet,
  target: ShownTarget,
  at: readonly string[],
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const lease = shownAssetInPlace(set, target, item.slot);
  const { assetId } = item;
  if (assetId === null) {
    if (lease === undefined) return [];
    const there = await readOccupant(seen, lease);
    const put = replacement('expectedPreviousAssetId', there);
    return [
      occupiedObjection(there, [...at, 'slot'], at, (updatedAt) => ({
        operation: 'replace',
        ...put(updatedAt),
      })),
    ];
  }
  const asset = shownAssetOf(seen, assetId);
  const name = item.operation === 'replace' ? 'expectedPreviousAssetId' : 'existingAssetId';
  const isThere = lease !== undefined && isSameAssetId(lease.assetId, assetId);
  if (asset.replacedByAssetId || (item.operation !== 'assign' && lease !== undefined && !isThere)) {
    const own = placeOf(set, assetId);
    if (!asset.replacedByAssetId && own !== null) return [otherPlace(own, assetId, name, at)];
    const there =
      lease !== undefined && !isThere
        ? await readOccupant(seen, lease)
        : await readLastReplacement(seen, asset.replacedByAssetId ?? assetId);
    return [replacedObjection(assetId, there, [...at, name], at, replacement(name, there))];
  }
  return item.operation === 'assign'
    ? checkAssigned(item, assetId, asset, lease, at, seen)
    : checkHeld(set, assetId, asset, isThere, name, at);
}

function replacement(name: 'expectedPreviousAssetId' | 'existingAssetId', { assetId }: Occupant) {
  return (expectedAssetUpdatedAt: string) => ({ [name]: assetId, expectedAssetUpdatedAt });
}

/** The Asset of a replacement or an edit is the Set's, in the place that the item names. */
function checkHeld(
  set: ShownSet,
  assetId: string,
  asset: ShownAsset,
  isThere: boolean,
  name: string,
  at: readonly string[],
): readonly Objection[] {
  if (isThere || set.assets === undefined) return [];
  const place = placeOf(set, assetId);
  if (place !== null) return [otherPlace(place, assetId, name, at)];
  const where = typeof asset.setId === 'number' ? `is in the Set ${asset.setId}` : 'is not in this Set';
  return [{ category: 'invalid_arguments', message: `${where} (Asset ${assetId})`, path: [...at, name] }];
}

/** Only what stands alone is assigned, where nothing stands; that it is the place that it was made for is not said. */
async function checkAssigned(
  item: CheckedItem,
  assetId: string,
  { setId, target, slot }: ShownAsset,
  lease: Occupant | undefined,
  at: readonly string[],
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const path = [...at, 'existingAssetId'];
  const other: Objection[] = [];
  if (typeof setId === 'number') {
    const message = `is Asset ${assetId}, which is in the Set ${setId} already: only what stands alone is assigned`;
    return [{ category: 'conflict', message, path }];
  }
  if (target && slot !== undefined) {
    const fits = target.kind === item.targetKind && target.id === item.targetId && slot === item.slot;
    if (!fits)
      other.push({ ...otherPlace({ target, slot }, assetId, 'existingAssetId', at), doubtful: true });
  }
  if (lease === undefined) return other;
  return [...other, occupiedObjection(await readOccupant(seen, lease), [...at, 'slot'], at, null)];
}

function placeOf({ assets }: ShownSet, assetId: string): { target: ShownTarget; slot: string } | null {
  return assets?.find((one) => isSameAssetId(one.assetId, assetId)) ?? null;
}

function otherPlace(
  { target, slot }: { readonly target: ShownTarget; readonly slot: string },
  assetId: string,
  name: string,
  at: readonly string[],
): Objection {
  return {
    category: 'invalid_arguments',
    message: `is the ${slot} of ${target.kind} ${target.id} (Asset ${assetId})`,
    path: [...at, name],
    at,
    put: { targetKind: target.kind, targetId: target.id, slot },
  };
}
