import { addAsset, type NewAsset, replaceAsset } from '../artwork/assets.ts';
import type { Caller } from '../me/authorize.ts';
import { type ProtectedContext, publicFrom } from '../me/context.ts';
import { recordEffect } from '../me/mutation.ts';
import { type AssetHolder, updateHolderRevision } from '../me/owned.ts';
import { insert } from '../store/database.ts';
import type { DeclaredFile } from './file-headers.ts';
import type { InspectedPicture } from './inspect.ts';
import type { Placement } from './placement.ts';

/** A file that was received, inspected and stored. */
export interface ReceivedPicture {
  readonly assetId: string;
  /** Key among the stored pictures. */
  readonly key: string;
  readonly declared: Pick<DeclaredFile, 'filename' | 'contentType' | 'contentLength'>;
  readonly sha256: string;
  readonly inspected: InspectedPicture;
  /** The frame that was named with the file; null for none. */
  readonly selectedFrame: number | null;
}

/**
 * Saves a picture as an Asset. Call it in a transaction, after `findPlacement` in the same one;
 * `updatePlacementHolder` gives the Set or group its new revision.
 */
export function saveAsset(
  context: ProtectedContext,
  caller: Caller,
  picture: ReceivedPicture,
  placement: Placement,
  now: Date,
  clientMutationId: string | null,
): void {
  const { database } = context;
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
    publicFrom: publicFrom(context, now),
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

/** Gives the Set or group of a new Asset its new revision. */
export function updatePlacementHolder(
  context: ProtectedContext,
  placement: Placement,
  now: Date,
): AssetHolder | null {
  const { setId, target } = placement;
  const place = { setId, targetKind: target.kind, targetId: target.id };
  return updateHolderRevision(context.database, place, now.toISOString(), publicFrom(context, now));
}
