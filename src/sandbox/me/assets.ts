import { z } from 'zod';
import { type AssetEdit, editAsset } from '../artwork/assets.ts';
import type { Answer } from '../http.ts';
import { assetPath } from '../public/pictures.ts';
import type { Database, Row } from '../store/database.ts';
import {
  type MutationResult,
  type OwnedAsset,
  previewBody,
  type PublicationStatus,
  type SetAsset,
} from './assumed.ts';
import type { Caller } from './authorize.ts';
import type { ProtectedContext } from './context.ts';
import { editionId, languageCode, revision } from './fields.ts';
import { mutate } from './mutation.ts';
import {
  type AssetHolder,
  currentAsset,
  locationOf,
  ownedRow,
  requireEdition,
  updateHolderRevision,
} from './owned.ts';
import { refusal } from './protected-error.ts';
import { validate } from './request.ts';

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

/** Whether public reads show a row of `assets`, `sets` or `groups` already. */
export function publicationStatus(row: Row, now: Date): PublicationStatus {
  return row.text('public_from') <= now.toISOString() ? 'succeeded' : 'pending';
}

/** Omitted fields stay; null clears. */
const metadataBody = z
  .strictObject({
    expectedUpdatedAt: revision,
    languageCode: languageCode.nullable().exactOptional(),
    editionId: editionId.exactOptional(),
  })
  .refine(
    (body) => body.languageCode !== undefined || body.editionId !== undefined,
    'Send languageCode or editionId: there is nothing to change.',
  );

interface AssetReceipt extends MutationResult {
  readonly assetId: string;
  readonly holder: AssetHolder | null;
}

/** POST /me/assets/{assetId}/metadata (the interface document, Asset metadata edit). */
export function editMetadata(
  context: ProtectedContext,
  caller: Caller,
  assetId: string,
  given: unknown,
): Answer {
  const { expectedUpdatedAt, ...edit } = validate(metadataBody, given);
  return mutate(context, caller, {
    operation: 'asset.metadata',
    clientMutationId: null,
    parameters: { assetId, expectedUpdatedAt, ...edit },
    success: 200,
    apply(now, record): AssetReceipt & AssetEdit {
      const asset = currentAsset(context.database, caller, assetId.toLowerCase(), expectedUpdatedAt);
      if (typeof edit.editionId === 'number') requireEdition(context.database, edit.editionId);
      record({ kind: 'asset', id: asset.text('id') });
      return { ...applyAssetEdit(context, asset, edit, now), ...edit };
    },
  });
}

/** POST /me/assets/{assetId}/preview (the interface document, Preview frame; its body is assumed). */
export function selectPreview(
  context: ProtectedContext,
  caller: Caller,
  assetId: string,
  given: unknown,
): Answer {
  const { clientMutationId, expectedUpdatedAt, selectedSourceFrame } = validate(previewBody, given);
  const { database } = context;
  return mutate(context, caller, {
    operation: 'asset.preview',
    clientMutationId,
    parameters: { assetId, expectedUpdatedAt, selectedSourceFrame },
    success: 200,
    apply(now, record): AssetReceipt & { selectedSourceFrame: number } {
      const asset = currentAsset(database, caller, assetId.toLowerCase(), expectedUpdatedAt);
      const id = asset.text('id');
      requireFrame(database, id, selectedSourceFrame);
      database.run('UPDATE asset_files SET selected_frame = ? WHERE asset_id = ?', selectedSourceFrame, id);
      record({ kind: 'asset', id });
      return { ...applyAssetEdit(context, asset, {}, now), selectedSourceFrame };
    },
  });
}

function applyAssetEdit(
  { database }: ProtectedContext,
  asset: Row,
  edit: AssetEdit,
  now: Date,
): AssetReceipt {
  const id = asset.text('id');
  const at = now.toISOString();
  const updatedAt = editAsset(database, id, edit, at);
  const holder = updateHolderRevision(database, locationOf(asset), at, at);
  return { assetId: id, updatedAt, publicationStatus: publicationStatus(asset, now), holder };
}

function requireFrame(database: Database, assetId: string, selected: number): void {
  const at = ['selectedSourceFrame'];
  const frames =
    database.first('SELECT frames FROM asset_files WHERE asset_id = ?', assetId)?.integer('frames') ?? 1;
  if (frames === 1) throw refusal(422, 'asset.preview.not_animated', 'The Asset is a still picture.', at);
  if (selected >= frames) {
    const message = `The Asset has the frames 0 to ${frames - 1}.`;
    throw refusal(422, 'asset.preview.frame_range', message, at, { frames });
  }
}
