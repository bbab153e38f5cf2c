import { z } from 'zod';
import { path } from '../path.ts';
import { assetId, editionId, expectedUpdatedAt, languageCode } from './fields.ts';
import { type JsonRequest, jsonRequest } from './request.ts';
import { sparse } from './sparse.ts';

export const assetMetadataEdit = z
  .strictObject({
    assetId,
    expectedUpdatedAt,
    languageCode: languageCode.nullable().optional(),
    editionId: editionId.optional(),
  })
  .refine(
    (edit) => edit.languageCode !== undefined || edit.editionId !== undefined,
    'they change nothing; give languageCode or editionId',
  );

export type AssetMetadataEdit = z.output<typeof assetMetadataEdit>;

/** Interface document, Asset metadata edit: only what changes is sent. The wire shows no identity for it. */
export function editAssetMetadataRequest(edit: AssetMetadataEdit): JsonRequest {
  const { languageCode, editionId } = edit;
  return jsonRequest(
    path`/me/assets/${edit.assetId}/metadata`,
    { expectedUpdatedAt: edit.expectedUpdatedAt, ...sparse({ languageCode, editionId }) },
    { needed: { allOf: ['assets:write'] }, identity: 'none' },
  );
}
