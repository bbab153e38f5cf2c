import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { type AssetEdit, editAsset } from '../artwork/assets.ts';
import type { Answer } from '../http.ts';
import type { Database } from '../store/database.ts';
import { publicationStatus } from './assets.ts';
import { type MutationReceipt, previewBody } from './assumed.ts';
import { checked } from './checked.ts';
import { currentAsset, type Holder, placeOf, touchHolder } from './current-asset.ts';
import { requireEdition } from './edition.ts';
import { recordEffect } from './effects.ts';
import { editionId, languageCode, revision } from './fields.ts';
import { mutate } from './mutate.ts';
import type { OwnerSide } from './owner-side.ts';
import { refused } from './protected-error.ts';

/** Sparse: what is omitted stays; null clears. */
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

interface AssetReceipt extends MutationReceipt {
  readonly assetId: string;
  readonly holder: Holder | null;
}

/** POST /me/assets/{assetId}/metadata (the interface document, Asset metadata edit). */
export function editMetadata(side: OwnerSide, caller: Caller, assetId: string, given: unknown): Answer {
  const { expectedUpdatedAt, ...edit } = checked(metadataBody, given);
  const asks = { assetId, expectedUpdatedAt, ...edit };
  return mutate(side, caller, {
    operation: 'asset.metadata',
    clientMutationId: null,
    asks,
    success: 200,
    apply(now): AssetReceipt & AssetEdit {
      const receipt = change(side, caller, assetId, expectedUpdatedAt, edit, now, {
        operation: 'asset.metadata',
        clientMutationId: null,
      });
      return { ...receipt, ...edit };
    },
  });
}

/** POST /me/assets/{assetId}/preview (the interface document, Preview frame; its body is assumed). */
export function selectPreview(side: OwnerSide, caller: Caller, assetId: string, given: unknown): Answer {
  const { clientMutationId, expectedUpdatedAt, selectedSourceFrame } = checked(previewBody, given);
  const identity = { operation: 'asset.preview', clientMutationId };
  return mutate(side, caller, {
    ...identity,
    asks: { assetId, expectedUpdatedAt, selectedSourceFrame },
    success: 200,
    apply(now): AssetReceipt & { selectedSourceFrame: number } {
      const receipt = change(side, caller, assetId, expectedUpdatedAt, {}, now, identity);
      requireFrame(side.database, receipt.assetId, selectedSourceFrame);
      side.database.run(
        'UPDATE asset_files SET selected_frame = ? WHERE asset_id = ?',
        selectedSourceFrame,
        receipt.assetId,
      );
      return { ...receipt, selectedSourceFrame };
    },
  });
}

function change(
  { database }: OwnerSide,
  caller: Caller,
  assetId: string,
  expectedUpdatedAt: string,
  edit: AssetEdit,
  now: Date,
  identity: { readonly operation: string; readonly clientMutationId: string | null },
): AssetReceipt {
  const asset = currentAsset(database, caller, assetId.toLowerCase(), expectedUpdatedAt);
  const id = asset.text('id');
  const at = now.toISOString();
  if (typeof edit.editionId === 'number') requireEdition(database, edit.editionId);
  const updatedAt = editAsset(database, id, edit, at);
  const holder = touchHolder(database, placeOf(asset), at, at);
  recordEffect(database, caller, { ...identity, resource: { kind: 'asset', id } }, at);
  return {
    ...identity,
    assetId: id,
    updatedAt,
    publicationStatus: publicationStatus(asset, now),
    holder,
  };
}

function requireFrame(database: Database, assetId: string, selected: number): void {
  const at = ['selectedSourceFrame'];
  const frames =
    database.first('SELECT frames FROM asset_files WHERE asset_id = ?', assetId)?.integer('frames') ?? 1;
  if (frames === 1) throw refused(422, 'asset.preview.not_animated', 'The Asset is a still picture.', at);
  if (selected >= frames) {
    const message = `The Asset has the frames 0 to ${frames - 1}.`;
    throw refused(422, 'asset.preview.frame_range', message, at, { frames });
  }
}
