import type { Caller } from '../access/caller.ts';
import { addAsset, type NewAsset, replaceAsset } from '../artwork/assets.ts';
import { type Holder, touchHolder } from '../me/current-asset.ts';
import { recordEffect } from '../me/effects.ts';
import { type OwnerSide, publicFrom } from '../me/owner-side.ts';
import { insert } from '../store/insert.ts';
import type { DeclaredFile } from './declared-file.ts';
import type { Inspected } from './inspect.ts';
import type { Placement } from './placement.ts';

/** A file that has arrived, was looked at, and is kept. */
export interface Picture {
  readonly assetId: string;
  /** Key among the kept pictures. */
  readonly key: string;
  readonly declared: Pick<DeclaredFile, 'filename' | 'contentType' | 'contentLength'>;
  readonly sha256: string;
  readonly inspected: Inspected;
  /** The frame that was named with the file; null for none. */
  readonly selectedFrame: number | null;
}

/**
 * Saves a picture as an Asset in its place. To be called in a transaction, after `place` in the same one. What
 * holds the Asset is not told of it: see `touchHolder`.
 */
export function saveAsset(
  side: OwnerSide,
  caller: Caller,
  picture: Picture,
  placement: Placement,
  now: Date,
  clientMutationId: string | null,
): void {
  const { database } = side;
  const at = now.toISOString();
  const asset: NewAsset = {
    id: picture.assetId,
    slot: placement.slot,
    targetKind: placement.target.kind,
    targetId: placement.target.id,
    setId: placement.setId,
    ownerId: caller.accountId,
    languageCode: placement.languageCode,
    editionId: placement.editionId,
    format: picture.inspected.format,
    uploadedFile: picture.key,
    width: picture.inspected.width,
    height: picture.inspected.height,
    createdAt: at,
    publicFrom: publicFrom(side, now),
  };
  if (placement.previousAssetId === null) addAsset(database, asset);
  else replaceAsset(database, placement.previousAssetId, asset);
  insert(database, 'asset_files', {
    asset_id: asset.id,
    filename: picture.declared.filename,
    content_type: picture.declared.contentType,
    content_length: picture.declared.contentLength,
    sha256: picture.sha256,
    frames: picture.inspected.frames,
    selected_frame: picture.selectedFrame,
  });
  const operation = placement.previousAssetId === null ? 'asset.add' : 'asset.replace';
  recordEffect(
    database,
    caller,
    { operation, clientMutationId, resource: { kind: 'asset', id: asset.id } },
    at,
  );
}

/** Gives what holds a new Asset its new revision. */
export function touchPlace(side: OwnerSide, placement: Placement, now: Date): Holder | null {
  const { setId, target } = placement;
  const place = { setId, targetKind: target.kind, targetId: target.id };
  return touchHolder(side.database, place, now.toISOString(), publicFrom(side, now));
}
