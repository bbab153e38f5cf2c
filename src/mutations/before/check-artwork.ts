import { revisionOf } from '../../catalogue/records/owned.ts';
import { ArtworkError } from '../../errors.ts';
import { ownSetOf, type OwnType } from '../../model/own-set.ts';
import { isSameTarget } from '../../model/target.ts';
import type { Objection, Occupant } from './objection.ts';
import { type CheckContext, readShownAsset, type ShownAsset, shownAssetOf } from './shown-records.ts';
import { type EntityTarget, findTargets, objectionsToAbsent } from './targets.ts';

/** Where an upload goes, as its arguments name it. */
interface UploadPlace {
  readonly slot: string;
  readonly targetKind?: string | undefined;
  readonly targetId?: number | undefined;
  readonly previousAssetId?: string | undefined;
  readonly setId?: number | undefined;
  readonly groupId?: number | string | undefined;
}

/** The target exists, and what is said to stand in the place stands there; for an add: nothing, as far as it is shown. */
export async function checkUpload(place: UploadPlace, seen: CheckContext): Promise<readonly Objection[]> {
  const { slot, setId, groupId, previousAssetId } = place;
  const target = targetOfUpload(place);
  if (target !== null) {
    const found = await findTargets(seen.catalogue, [target], seen.deadline);
    const absent = objectionsToAbsent([{ ...target, path: ['targetId'] }], found);
    if (absent.length > 0) return absent;
  }
  if (previousAssetId !== undefined) return checkPrevious(place, previousAssetId, seen);
  const held =
    groupId === undefined
      ? heldInPlace(seen, 'set', setId, target, slot)
      : heldInPlace(seen, 'group', groupId, null, 'poster');
  if (held === null) return [];
  const there = await readOccupant(seen, held);
  const put = (expectedUpdatedAt: string) => ({
    operation: 'replace',
    previousAssetId: there.assetId,
    expectedUpdatedAt,
  });
  const objection = occupiedObjection(there, ['slot'], [], put);
  const of = groupId === undefined ? slot : 'poster';
  return [{ ...objection, message: `${of} ${objection.message}` }];
}

function targetOfUpload({ targetKind: kind, targetId: id }: UploadPlace): EntityTarget | null {
  return kind === undefined || id === undefined ? null : { kind, id };
}

/**
 * What the record of a Set or group, which a guard has read, shows in a place. @param target null: that of the Set itself
 */
function heldInPlace(
  { records }: CheckContext,
  type: OwnType,
  id: number | string | undefined,
  target: EntityTarget | null,
  slot: string,
): Occupant | null {
  const record =
    typeof id === 'number' ? records.get(type === 'set' ? `Set ${id}` : `group ${id}`) : undefined;
  if (typeof id !== 'number' || record === undefined) return null;
  const { work, pictures } = ownSetOf(type, id, { ...record, id });
  const of = target ?? work;
  const held = pictures.find(
    (one) => one.slot === slot && (type === 'group' || (of && one.target && isSameTarget(one.target, of))),
  );
  return held?.assetId ? { assetId: held.assetId, updatedAt: held.changedAt } : null;
}

async function checkPrevious(place: UploadPlace, previousAssetId: string, seen: CheckContext) {
  const asset = shownAssetOf(seen, previousAssetId);
  if (asset.replacedByAssetId) {
    const there = await readLastReplacement(seen, asset.replacedByAssetId);
    const put = (expectedUpdatedAt: string) => ({ previousAssetId: there.assetId, expectedUpdatedAt });
    return [replacedObjection(previousAssetId, there, ['previousAssetId'], [], put)];
  }
  return objectionsElsewhere(place, previousAssetId, asset);
}

/** A replacement takes the place of what it replaces. */
function objectionsElsewhere(place: UploadPlace, id: string, asset: ShownAsset): readonly Objection[] {
  const { slot, target, setId } = asset;
  const named = targetOfUpload(place);
  const others = [
    slot !== undefined && slot !== place.slot,
    target && named !== null && !isSameTarget(target, named),
    place.setId !== undefined && setId !== undefined && setId !== place.setId,
  ];
  if (!others.includes(true)) return [];
  const inSet = typeof setId === 'number' ? ` in the Set ${setId}` : '';
  const of = target ? ` of ${target.kind} ${target.id}` : '';
  const put = {
    ...(slot === undefined ? {} : { slot }),
    ...(target && named !== null ? { targetKind: target.kind, targetId: target.id } : {}),
    ...(place.setId === undefined || setId === undefined ? {} : { setId: setId ?? undefined }),
  };
  const message = `is the ${slot ?? 'picture'}${of}${inSet} (Asset ${id}): a replacement takes its place`;
  const whole = put.setId !== undefined || named !== null || place.setId === undefined;
  return [
    { category: 'invalid_arguments', message, path: ['previousAssetId'], at: [], ...(whole ? { put } : {}) },
  ];
}

/** An item of an edit or an assignment that fills a place of its Set. */
interface FillingItem {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

/**
 * Nothing stands in the places of a Set that are to be filled, as far as its record shows it.
 * @param items null: one that fills no free place
 * @param mayReplace whether an item of the call can replace what stands there
 */
export async function checkFreePlaces(
  setId: number,
  items: readonly (FillingItem | null)[],
  mayReplace: boolean,
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const objections: Objection[] = [];
  for (const [index, item] of items.entries()) {
    const target = item === null ? null : { kind: item.targetKind, id: item.targetId };
    const held = item === null ? null : heldInPlace(seen, 'set', setId, target, item.slot);
    if (held === null) continue;
    const at = ['items', String(index)];
    const there = await readOccupant(seen, held);
    const put = (expectedAssetUpdatedAt: string) => ({
      operation: 'replace',
      expectedPreviousAssetId: there.assetId,
      expectedAssetUpdatedAt,
    });
    objections.push(occupiedObjection(there, [...at, 'slot'], at, mayReplace ? put : null));
  }
  return objections;
}

/** An Asset that was replaced can't be changed any more. */
const replacedCode = 'asset.replaced';

/** The Asset was not replaced, and has the frame that is named. */
export async function checkAsset(
  { assetId, frame = null }: { readonly assetId: string; readonly frame?: number | null },
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const { replacedByAssetId, frames } = shownAssetOf(seen, assetId);
  if (replacedByAssetId) {
    const there = await readLastReplacement(seen, replacedByAssetId);
    const put = (expectedUpdatedAt: string) => ({ assetId: there.assetId, expectedUpdatedAt });
    return [replacedObjection(assetId, there, ['assetId'], [], put)];
  }
  if (frame === null || frames === undefined || frame < frames) return [];
  const has = frames === 1 ? 'is a still picture' : `has frames 0 to ${frames - 1}`;
  const message = `is ${frame}, and the Asset ${has}`;
  return [{ category: 'invalid_arguments', message, path: ['selectedSourceFrame'] }];
}

/** So many replacements of replacements are followed. */
const mostFollowed = 20;

/** The last of the chain of replacements that an Asset is in; null where it can't be read. */
async function readLastReplacement(seen: CheckContext, first: string): Promise<Occupant> {
  let assetId = first;
  for (let followed = 0; ; followed += 1) {
    const record = await readIfMay(seen, assetId);
    if (record === null) return { assetId, updatedAt: null };
    const { replacedByAssetId } = readShownAsset(record);
    if (!replacedByAssetId || followed === mostFollowed) return { assetId, updatedAt: revisionOf(record) };
    assetId = replacedByAssetId;
  }
}

/**
 * Reads the Asset that stands in a place. With its revision, which is only read where the list that named it does
 * not show it.
 */
async function readOccupant(seen: CheckContext, { assetId, updatedAt }: Occupant): Promise<Occupant> {
  if (updatedAt !== null) return { assetId, updatedAt };
  const record = await readIfMay(seen, assetId);
  return { assetId, updatedAt: record === null ? null : revisionOf(record) };
}

async function readIfMay({ owned, deadline }: CheckContext, assetId: string) {
  try {
    return await owned.readAsset(assetId, deadline);
  } catch (error) {
    // What stands there is known all the same.
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}

/**
 * The objection that something stands already in the place that is to be filled: it is replaced, not added to.
 * @param put what would be right, where the revision of what stands there is known
 */
function occupiedObjection(
  { assetId, updatedAt }: Occupant,
  path: readonly string[],
  at: readonly string[],
  put: ((updatedAt: string) => Readonly<Record<string, unknown>>) | null,
): Objection {
  const how = put === null ? '' : ': what stands there is replaced, not added to';
  return {
    category: 'conflict',
    code: 'slot.occupied',
    message: `is taken by Asset ${assetId}${revisionWords(updatedAt)}${how}`,
    path,
    at,
    occupant: { assetId, updatedAt },
    ...(updatedAt === null || put === null ? {} : { put: put(updatedAt) }),
  };
}

/** The objection that the Asset which is named was replaced by another one: it can't be changed any more. */
function replacedObjection(
  previous: string,
  { assetId, updatedAt }: Occupant,
  path: readonly string[],
  at: readonly string[],
  put: (updatedAt: string) => Readonly<Record<string, unknown>>,
): Objection {
  return {
    category: 'conflict',
    code: replacedCode,
    message: `names Asset ${previous}, which was replaced: Asset ${assetId}${revisionWords(updatedAt)} stands there now`,
    path,
    at,
    occupant: { assetId, updatedAt },
    ...(updatedAt === null ? {} : { put: put(updatedAt) }),
  };
}

function revisionWords(updatedAt: string | null): string {
  return updatedAt === null ? '' : ` (updatedAt ${updatedAt})`;
}
