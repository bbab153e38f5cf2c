import type { Caller } from '../access/caller.ts';
import { assetPath } from '../public/pictures.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import type { OwnedAsset, PublicationStatus, SetAsset } from './assumed.ts';
import { ownedRow } from './owned.ts';

/** @throws ProtectedError 404 or 403. */
export function readOwnedAsset(database: Database, caller: Caller, id: string, now: Date): OwnedAsset {
  const asset = ownedRow(database, caller, 'asset', id.toLowerCase());
  const file = database.first('SELECT * FROM asset_files WHERE asset_id = ?', asset.text('id'));
  const replacement = database.first('SELECT id FROM assets WHERE replaces = ?', asset.text('id'));
  return {
    ...listedAsset(asset, now),
    kind: 'asset',
    setId: asset.integerOrNull('set_id'),
    contentType: `image/${asset.text('format')}`,
    frames: file?.integer('frames') ?? 1,
    selectedSourceFrame: file?.integerOrNull('selected_frame') ?? null,
    previousAssetId: asset.textOrNull('replaces'),
    replacedByAssetId: replacement?.text('id') ?? null,
    dateCreated: asset.text('created_at'),
  };
}

/** A row of `assets` as a Set or group lists it. */
export function listedAsset(asset: Row, now: Date): SetAsset {
  return {
    id: asset.text('id'),
    slot: asset.text('slot'),
    target: { id: asset.integer('target_id'), kind: asset.text('target_kind') },
    path: assetPath(asset.text('id'), asset.text('format')),
    languageCode: asset.textOrNull('language_code'),
    editionId: asset.integerOrNull('edition_id'),
    width: asset.integer('width'),
    height: asset.integer('height'),
    updatedAt: asset.text('updated_at'),
    publicationStatus: publicationStatus(asset, now),
  };
}

/** Whether public reads have caught up with a row of `assets`, `sets` or `groups`. */
export function publicationStatus(row: Row, now: Date): PublicationStatus {
  return row.text('public_from') <= now.toISOString() ? 'succeeded' : 'pending';
}
