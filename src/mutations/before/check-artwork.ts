import { isSameId } from '../../catalogue/records/members.ts';
import { revisionOf } from '../../catalogue/records/owned.ts';
import { ArtworkError } from '../../errors.ts';
import { mediaSetTargets } from '../../model/kinds.ts';
import { isSameTarget, keyOfTarget } from '../../model/target.ts';
import type { Objection, Occupant } from './objection.ts';
import {
  type CheckContext,
  readShownAsset,
  readShownSet,
  setKindIn,
  type ShownAsset,
  shownAssetInPlace,
  shownAssetOf,
  shownPosterOf,
  type ShownSet,
} from './shown-records.ts';
import {
  type EntityTarget,
  type FoundTargets,
  findTargets,
  isTargetWithin,
  objectionsToAbsent,
} from './targets.ts';

/** Where an upload goes, as its arguments name it. */
interface UploadPlace {
  readonly slot: string;
  readonly targetKind?: string | undefined;
  readonly targetId?: number | undefined;
  readonly previousAssetId?: string | undefined;
  readonly setId?: number | undefined;
  readonly groupId?: number | string | undefined;
}

/** The target exists and is the Set's, and what is said to stand in the place stands there; for an add: nothing. */
export async function checkUpload(place: UploadPlace, seen: CheckContext): Promise<readonly Objection[]> {
  const { slot, setId, groupId, previousAssetId } = place;
  const named = targetOfUpload(place);
  const set = setId === undefined ? null : readShownSet(seen.records.get(`Set ${setId}`));
  const target = named === null ? [] : await checkTarget(named, set, seen);
  if (target.some(({ doubtful }) => doubtful !== true)) return target;
  if (previousAssetId !== undefined)
    return [...target, ...(await checkPrevious(place, previousAssetId, seen))];
  const there = await whatStands(place, named, set, seen);
  if (there === null) return target;
  const put = (expectedUpdatedAt: string) => ({
    operation: 'replace',
    previousAssetId: there.assetId,
    expectedUpdatedAt,
  });
  const of = groupId === undefined ? `${slot}` : 'poster';
  const objection = occupiedObjection(there, ['slot'], [], put);
  return [{ ...objection, message: `${of} ${objection.message}` }];
}

function targetOfUpload({ targetKind: kind, targetId: id }: UploadPlace): EntityTarget | null {
  return kind === undefined || id === undefined ? null : { kind, id };
}

async function checkTarget(
  target: EntityTarget,
  set: ShownSet | null,
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const found = await findTargets(seen.catalogue, [target], seen.deadline);
  const absent = objectionsToAbsent([{ ...target, path: ['targetId'] }], found);
  return absent.length > 0 || set === null ? absent : objectionsOutsideSet(target, set, found, []);
}

async function whatStands(
  { slot, groupId }: UploadPlace,
  named: EntityTarget | null,
  set: ShownSet | null,
  seen: CheckContext,
) {
  if (groupId !== undefined) {
    const poster = shownPosterOf(seen.records.get(`group ${groupId}`));
    if (!poster) return null;
    return readOccupant(seen, { assetId: poster.id, updatedAt: poster.updatedAt ?? null });
  }
  if (set === null) return null;
  const target = named ?? set.target ?? null;
  const occupant = target === null ? undefined : shownAssetInPlace(set, target, slot);
  return occupant === undefined ? null : readOccupant(seen, occupant);
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

/** One item of an edit or an assignment, as far as its place and its Asset are concerned. */
interface CheckedItem {
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
    const target = { kind: item.targetKind, id: item.targetId };
    const at = ['items', String(index)];
    const outside = objectionsOutsideSet(target, set, seen.targets ?? new Map(), at);
    objections.push(...outside);
    if (outside.some(({ doubtful }) => doubtful !== true)) continue;
    objections.push(...(await checkPlace({ item, set, target, at, seen })));
  }
  return objections;
}

/** An item of a call, beside the Set as it is. */
interface PlacedItem {
  readonly item: CheckedItem;
  readonly set: ShownSet;
  readonly target: EntityTarget;
  /** Where it stands in the arguments. */
  readonly at: readonly string[];
  readonly seen: CheckContext;
}

async function checkPlace(placed: PlacedItem): Promise<readonly Objection[]> {
  const { item, set, target, at, seen } = placed;
  const occupant = shownAssetInPlace(set, target, item.slot);
  const { assetId } = item;
  if (assetId === null) {
    if (occupant === undefined) return [];
    const there = await readOccupant(seen, occupant);
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
  const isThere = occupant !== undefined && isSameId(occupant.assetId, assetId);
  if (asset.replacedByAssetId || (item.operation !== 'assign' && occupant !== undefined && !isThere)) {
    const own = placeOf(set, assetId);
    if (!asset.replacedByAssetId && own !== null) return [otherPlace(own, assetId, name, at)];
    const there =
      occupant !== undefined && !isThere
        ? await readOccupant(seen, occupant)
        : await readLastReplacement(seen, asset.replacedByAssetId ?? assetId);
    if (item.operation === 'assign') return [putBackObjection(assetId, there, [...at, name])];
    return [replacedObjection(assetId, there, [...at, name], at, replacement(name, there))];
  }
  if (item.operation === 'assign') return checkAssigned(placed, assetId, asset, occupant);
  return isThere ? [] : checkHeld(placed, assetId, asset, name);
}

function replacement(name: 'expectedPreviousAssetId' | 'existingAssetId', { assetId }: Occupant) {
  return (expectedAssetUpdatedAt: string) => ({ [name]: assetId, expectedAssetUpdatedAt });
}

/** An Asset that was replaced can't be changed any more. */
export const replacedCode = 'asset.replaced';

/** What was replaced never stands alone again: only its picture can be put back, as a file. */
function putBackObjection(assetId: string, { assetId: now, updatedAt }: Occupant, path: string[]): Objection {
  const revision = updatedAt === null ? '' : ` and expectedUpdatedAt ${updatedAt}`;
  return {
    category: 'conflict',
    code: replacedCode,
    message: `names Asset ${assetId}, which was replaced and can't be assigned any more: Asset ${now} stands there now`,
    path,
    next: {
      tool: 'view_artwork',
      arguments: { items: [{ assetId }] },
      why: `It shows the picture that was replaced. To have it back, its file is uploaded again: a person names the file, or saves the picture below an upload folder; then upload_asset with operation replace, previousAssetId ${now}${revision} puts it there.`,
    },
  };
}

/** The Asset of a replacement or an edit is the Set's, in the place that the item names. */
function checkHeld(
  { set, at }: PlacedItem,
  assetId: string,
  asset: ShownAsset,
  name: string,
): readonly Objection[] {
  if (set.assets === undefined) return [];
  const place = placeOf(set, assetId);
  if (place !== null) return [otherPlace(place, assetId, name, at)];
  const where = typeof asset.setId === 'number' ? `is in the Set ${asset.setId}` : 'is not in this Set';
  return [{ category: 'invalid_arguments', message: `${where} (Asset ${assetId})`, path: [...at, name] }];
}

/** Only what stands alone is assigned, where nothing stands; that it is the place that it was made for is not said. */
async function checkAssigned(
  { item, at, seen }: PlacedItem,
  assetId: string,
  { setId, target, slot }: ShownAsset,
  occupant: Occupant | undefined,
): Promise<readonly Objection[]> {
  const path = [...at, 'existingAssetId'];
  const other: Objection[] = [];
  if (typeof setId === 'number') {
    const message = `is Asset ${assetId}, which is in the Set ${setId} already: only what stands alone is assigned`;
    return [{ category: 'conflict', message, path }];
  }
  if (target && slot !== undefined) {
    const fits = isSameTarget(target, { kind: item.targetKind, id: item.targetId }) && slot === item.slot;
    if (!fits)
      other.push({ ...otherPlace({ target, slot }, assetId, 'existingAssetId', at), doubtful: true });
  }
  if (occupant === undefined) return other;
  return [...other, occupiedObjection(await readOccupant(seen, occupant), [...at, 'slot'], at, null)];
}

function placeOf({ assets }: ShownSet, assetId: string): { target: EntityTarget; slot: string } | null {
  return assets?.find((one) => isSameId(one.assetId, assetId)) ?? null;
}

function otherPlace(
  { target, slot }: { readonly target: EntityTarget; readonly slot: string },
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

/** A Set holds pictures of its own target and of what belongs to it; a Brand Set of its networks and companies. */
function objectionsOutsideSet(
  target: EntityTarget,
  set: ShownSet,
  found: FoundTargets,
  at: readonly string[],
): readonly Objection[] {
  const objection = (message: string): readonly Objection[] => [
    { category: 'invalid_arguments', message, path: [...at, 'targetId'] },
  ];
  if (set.target) {
    const known = found.get(keyOfTarget(target)) ?? { show: null, collection: null };
    if (isTargetWithin(target, known, set.target)) return [];
    const { kind, id } = set.target;
    const own = objection(`is ${target.kind} ${target.id}, which does not belong to the Set's ${kind} ${id}`);
    return mediaSetTargets.some((one) => one === kind) ? own : own.map((one) => ({ ...one, doubtful: true }));
  }
  const { networks, companies } = set;
  if (networks === undefined || companies === undefined) return [];
  const members = [
    ...networks.map(({ id }) => ({ kind: 'network', id })),
    ...companies.map(({ id }) => ({ kind: 'company', id })),
  ];
  if (members.some((member) => isSameTarget(member, target))) return [];
  const names = members.map(({ kind, id }) => `${kind} ${id}`).join(', ');
  return objection(`is ${target.kind} ${target.id}, and the Set is of ${names}`);
}
