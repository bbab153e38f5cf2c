import { z } from 'zod';
import type { OAuthScope } from '../../catalogue/authorization.ts';
import { path } from '../../catalogue/call.ts';
import {
  assetId,
  assetRevision,
  description,
  filePath,
  givenFieldsOf,
  type JsonObject,
  jsonRequest,
  metadataChanges,
  selectedSourceFrame,
  setId,
  sparseFields,
  title,
} from '../../catalogue/request.ts';
import { declaredFile, defineArguments, requireServiceRevision } from './arguments.ts';
import {
  assetOf,
  declarationOf,
  declaredItem,
  keyOfAsset,
  keyOfBytes,
  keyOfPlaceIn,
  numbered,
  placed,
  placementsOf,
  requireDistinct,
} from './items.ts';
import { defineOperation } from './operation.ts';
import { type Guard, revisionOfOwned, shownAmong } from './revisions.ts';

/** Items in one grouped Set edit (interface document, Limits). */
export const mostItems = 300;

/** @param file by its path, as a call names it, or by what it is, as the ledger keeps it */
function withFiles<File extends z.ZodType>(file: File) {
  const frame = selectedSourceFrame.nullable().default(null);
  const announced = { file, selectedSourceFrame: frame };
  const replaced = { expectedPreviousAssetId: assetId, expectedAssetUpdatedAt: assetRevision };
  const existing = { existingAssetId: assetId, expectedAssetUpdatedAt: assetRevision };
  const item = z.discriminatedUnion('operation', [
    z.strictObject({ operation: z.literal('add'), ...placed, ...announced }),
    z.strictObject({ operation: z.literal('replace'), ...placed, ...announced, ...replaced }),
    z.strictObject({ operation: z.literal('assign'), ...placed, ...existing }),
    z
      .strictObject({ operation: z.literal('asset_metadata'), ...placed, ...existing, ...metadataChanges })
      .refine(
        (edit) => Object.keys(givenFieldsOf(metadataChanges, edit)).length > 0,
        `changes nothing: give ${Object.keys(metadataChanges).join(' or ')}`,
      ),
  ]);
  const metadata = z.strictObject({
    titleBase: title.optional(),
    description: description.optional(),
    ...metadataChanges,
    finalised: z.boolean().optional(),
  });
  return defineArguments({
    setId,
    setKind: z.enum(['media_set', 'talent_set', 'brand_set', 'category_set']),
    metadata: metadata.default({}),
    items: z.array(item).max(mostItems).default([]),
  });
}

const call = withFiles(filePath);
const called = call
  .refine(
    ({ metadata, items }) => items.length > 0 || Object.keys(sparseFields(metadata)).length > 0,
    'they change nothing; give metadata, items or planId',
  )
  .transform((args) => ({ ...args, items: numbered(args.clientMutationId, args.items) }))
  .superRefine(({ items }, context) => requireDistinct('items', items, context));
const meant = withFiles(declaredFile).transform((args) => ({
  ...args,
  metadata: sparseFields(args.metadata),
  items: numbered(args.clientMutationId, args.items),
}));

type Item = z.output<typeof meant>['items'][number];

/**
 * Grouped Set edit (interface document). Its identity is in the admission, which may be sent again to the letter; the
 * service compares the revision of the Set and of each Asset that an item depends on.
 */
export const editSet = defineOperation({
  name: 'edit_set',
  sends: 'edit',
  arguments: call,
  called,
  meant,
  revision: revisionOfOwned('set', 'setId'),
  comparedOnWire: true,
  saved: 'set',
  needed({ items }) {
    const operations = new Set(items.map(({ operation }) => operation));
    const writes = operations.has('add') || operations.has('asset_metadata');
    const scopes: OAuthScope[] = writes ? ['assets:write'] : [];
    if (operations.has('replace')) scopes.push('assets:replace');
    return { allOf: ['sets:write', ...scopes] };
  },
  target: ({ setId: id, setKind: kind, metadata }) => ({
    ...{ kind, id },
    ...(metadata.titleBase === undefined ? {} : { newTitle: metadata.titleBase }),
  }),
  keys: ({ setId, metadata, items }) => [
    ...(Object.keys(metadata).length === 0 ? [] : [`set ${setId} metadata`]),
    ...items.flatMap((item) => {
      const asset = assetOf(item);
      const own = asset === null ? [] : [keyOfAsset(asset)];
      return [keyOfPlaceIn(setId, item), ...own, ...('file' in item ? [keyOfBytes(item)] : [])];
    }),
  ],
  // The admission carries them: they are read only where the service objects.
  guards: ({ items }) =>
    items.flatMap((item): Guard[] => {
      const id = assetOf(item);
      if (id === null || item.operation === 'add') return [];
      const about = { kind: 'asset', id };
      return [{ of: 'asset', about, expected: item.expectedAssetUpdatedAt, onWire: true }];
    }),
  places: ({ items }) => placementsOf(items),
  request({ clientMutationId, setId, setKind, expectedUpdatedAt, metadata, items }) {
    const body = {
      ...{ clientMutationId, setId, setKind },
      expectedUpdatedAt: requireServiceRevision(expectedUpdatedAt),
      // Where the "sparse metadata changes" stand is not shown. Assumed: here, as in the admission of a creation.
      ...metadata,
      items: items.map(itemBody),
    };
    return jsonRequest(path`/me/sets/${setId}/updates`, body);
  },
  items: ({ items }) => items.map(declaredItem),
  earlier: ({ metadata }, record) => shownAmong(record ?? {}, Object.keys(metadata)),
  // A picture that was replaced can't be put back.
  undo: ({ setId, setKind, items }, metadata) => (items.length > 0 ? null : { setId, setKind, metadata }),
});

/** Every item has every identity field; those that its operation does not use are null. */
function itemBody(item: Item, index: number): JsonObject {
  const { itemId, position, targetKind, targetId, slot, operation } = item;
  const revisionAt = ['items', String(index), 'expectedAssetUpdatedAt'];
  return {
    ...{ itemId, position, targetKind, targetId, slot, operation },
    declaredFile:
      'file' in item ? { ...declarationOf(item.file), selectedSourceFrame: item.selectedSourceFrame } : null,
    expectedPreviousAssetId: operation === 'replace' ? item.expectedPreviousAssetId : null,
    existingAssetId: 'existingAssetId' in item ? item.existingAssetId : null,
    expectedAssetUpdatedAt:
      operation === 'add' ? null : requireServiceRevision(item.expectedAssetUpdatedAt, revisionAt),
    ...(operation === 'asset_metadata' ? givenFieldsOf(metadataChanges, item) : {}),
  };
}
