import { findTargets, issueOfTarget, type RequestedPlace } from './targets.ts';
import type { Objection } from './objection.ts';
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
  shownPosterOf,
  readShownSet,
  type ShownAsset,
  type ShownSet,
  type ShownTarget,
} from './shown-records.ts';
import { objectionsOutsideSet } from './within-set.ts';

/** Where an upload goes, as its arguments name it. */
export interface UploadPlace {
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
  const named = targetOf(place);
  const set = setId === undefined ? null : readShownSet(seen.records.get(`Set ${setId}`));
  const target = named === null ? [] : await checkTarget({ ...named, slot }, set, seen);
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

function targetOf({ targetKind, targetId }: UploadPlace): { targetKind: string; targetId: number } | null {
  return targetKind === undefined || targetId === undefined ? null : { targetKind, targetId };
}

async function checkTarget(
  place: Omit<RequestedPlace, 'at'>,
  set: ShownSet | null,
  seen: CheckContext,
): Promise<readonly Objection[]> {
  const { targetKind: kind, targetId: id } = place;
  const found = await findTargets(seen.catalogue, [{ kind, id }], seen.call);
  const issues = issueOfTarget({ ...place, at: [] }, found, null, seen.catalogue);
  if (issues.length > 0) {
    return issues.map(({ message, path }) => ({
      category: 'invalid_arguments',
      message: `names nothing: ${message}`,
      path,
    }));
  }
  return set === null ? [] : objectionsOutsideSet({ kind, id }, set, found, []);
}

async function whatStands(
  { slot, groupId }: UploadPlace,
  named: { targetKind: string; targetId: number } | null,
  set: ShownSet | null,
  seen: CheckContext,
) {
  if (groupId !== undefined) {
    const poster = shownPosterOf(seen.records.get(`group ${groupId}`));
    if (!poster) return null;
    return readOccupant(seen, { assetId: poster.id, updatedAt: poster.updatedAt ?? null });
  }
  if (set === null) return null;
  const target: ShownTarget | null =
    named === null ? (set.target ?? null) : { kind: named.targetKind, id: named.targetId };
  const lease = target === null ? undefined : shownAssetInPlace(set, target, slot);
  return lease === undefined ? null : readOccupant(seen, lease);
}

async function checkPrevious(place: UploadPlace, previousAssetId: string, seen: CheckContext) {
  const asset = shownAssetOf(seen, previousAssetId);
  if (asset.replacedByAssetId) {
    const there = await readLastReplacement(seen, asset.replacedByAssetId);
    const put = (expectedUpdatedAt: string) => ({ previousAssetId: there.assetId, expectedUpdatedAt });
    return [replacedObjection(previousAssetId, there, ['previousAssetId'], [], put)];
  }
  return elsewhere(place, previousAssetId, asset);
}

/** A replacement takes the place of what it replaces. */
function elsewhere(place: UploadPlace, id: string, asset: ShownAsset): readonly Objection[] {
  const { slot, target, setId } = asset;
  const named = targetOf(place);
  const others = [
    slot !== undefined && slot !== place.slot,
    target && named !== null && (target.kind !== named.targetKind || target.id !== named.targetId),
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
