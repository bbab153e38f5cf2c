import { z } from 'zod';
import { setMetadataChanges } from '../assumed.ts';
import { path } from '../path.ts';
import type { NeededScopes, OAuthScope } from '../scopes.ts';
import {
  assetId,
  clientMutationId,
  description,
  editionId,
  expectedUpdatedAt,
  itemId,
  type JsonObject,
  languageCode,
  selectedSourceFrame,
  setId,
  slot,
  targetId,
  targetKind,
  title,
} from './fields.ts';
import { distinctItems } from './items.ts';
import { type JsonRequest, jsonRequest } from './request.ts';
import { sparse } from './sparse.ts';
import { uploadFile } from './upload-file.ts';

const common = { itemId, position: z.int().min(0), targetKind, targetId, slot };
const withFile = { ...common, file: uploadFile, selectedSourceFrame: selectedSourceFrame.nullable() };
const existing = { ...common, existingAssetId: assetId, expectedAssetUpdatedAt: expectedUpdatedAt };

const item = z.discriminatedUnion('operation', [
  z.strictObject({ operation: z.literal('add'), ...withFile }),
  z.strictObject({
    operation: z.literal('replace'),
    ...withFile,
    expectedPreviousAssetId: assetId,
    expectedAssetUpdatedAt: expectedUpdatedAt,
  }),
  z.strictObject({ operation: z.literal('assign'), ...existing }),
  z
    .strictObject({
      operation: z.literal('asset_metadata'),
      ...existing,
      languageCode: languageCode.nullable().optional(),
      editionId: editionId.optional(),
    })
    .refine(
      (edit) => edit.languageCode !== undefined || edit.editionId !== undefined,
      'changes nothing: give languageCode or editionId',
    ),
]);

export type SetEditItem = z.output<typeof item>;

export const setMetadata = z.strictObject({
  titleBase: title.optional(),
  description: description.optional(),
  languageCode: languageCode.nullable().optional(),
  editionId: editionId.optional(),
  finalised: z.boolean().optional(),
});

/** Items in one grouped Set edit (interface document, Limits). */
export const mostItems = 300;

export const setEdit = z
  .strictObject({
    clientMutationId,
    setId,
    setKind: z.enum(['media_set', 'talent_set', 'brand_set', 'category_set']),
    expectedUpdatedAt,
    metadata: setMetadata,
    items: z.array(item).max(mostItems).superRefine(distinctItems),
  })
  .refine(
    ({ metadata, items }) => items.length > 0 || Object.keys(sparse(metadata)).length > 0,
    'changes nothing: give metadata or items',
  );

export type SetEdit = z.output<typeof setEdit>;

/**
 * Interface document, Grouped Set edit, admission. The body is frozen once it has been sent: its bytes are to be
 * kept, and a repetition sends them again.
 */
export function editSetRequest(edit: SetEdit): JsonRequest {
  return jsonRequest(
    path`/me/sets/${edit.setId}/updates`,
    {
      clientMutationId: edit.clientMutationId,
      setId: edit.setId,
      setKind: edit.setKind,
      expectedUpdatedAt: edit.expectedUpdatedAt,
      ...setMetadataChanges(sparse(edit.metadata)),
      items: edit.items.map(itemBody),
    },
    { needed: setEditScopes(edit.items), identity: 'documented' },
  );
}

/** Interface document, Grouped Set edit: what the admission needs, for the operations of its items. */
export function setEditScopes(items: readonly Pick<SetEditItem, 'operation'>[]): NeededScopes {
  const operations = new Set(items.map(({ operation }) => operation));
  const scopes: OAuthScope[] = [];
  if (operations.has('add') || operations.has('asset_metadata')) scopes.push('assets:write');
  if (operations.has('replace')) scopes.push('assets:replace');
  return { allOf: ['sets:write', ...scopes] };
}

/** Every item has every identity field; those that its operation does not use are null. */
function itemBody(item: SetEditItem): JsonObject {
  const { itemId, position, targetKind, targetId, slot, operation } = item;
  const head = { itemId, position, targetKind, targetId, slot, operation };
  switch (operation) {
    case 'add':
      return {
        ...head,
        declaredFile: declaredFile(item),
        expectedPreviousAssetId: null,
        existingAssetId: null,
        expectedAssetUpdatedAt: null,
      };
    case 'replace':
      return {
        ...head,
        declaredFile: declaredFile(item),
        expectedPreviousAssetId: item.expectedPreviousAssetId,
        existingAssetId: null,
        expectedAssetUpdatedAt: item.expectedAssetUpdatedAt,
      };
    case 'assign':
    case 'asset_metadata':
      return {
        ...head,
        declaredFile: null,
        expectedPreviousAssetId: null,
        existingAssetId: item.existingAssetId,
        expectedAssetUpdatedAt: item.expectedAssetUpdatedAt,
        ...(item.operation === 'asset_metadata'
          ? sparse({ languageCode: item.languageCode, editionId: item.editionId })
          : {}),
      };
  }
}

function declaredFile({ file, selectedSourceFrame }: Extract<SetEditItem, { file: unknown }>): JsonObject {
  const { filename, contentType, contentLength } = file;
  return { filename, contentType, contentLength, selectedSourceFrame };
}
