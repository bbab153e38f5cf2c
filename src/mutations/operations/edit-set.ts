import { z } from 'zod';
import { setMetadataChanges } from '../../catalogue/assumed.ts';
import type { NeededScopes, OAuthScope } from '../../catalogue/authorization.ts';
import { path } from '../../catalogue/call.ts';
import {
  assetId,
  assetRevision,
  description,
  filePath,
  givenFieldsOf,
  itemId,
  type JsonObject,
  jsonRequest,
  metadataChanges,
  position,
  selectedSourceFrame,
  setId,
  slot,
  sparseFields,
  targetId,
  targetKind,
  title,
} from '../../catalogue/request.ts';
import { ArtworkError } from '../../errors.ts';
import { checkFreePlaces } from '../before/check-artwork.ts';
import { assetGuard, type Guard } from '../before/guard.ts';
import type { MutationPlace } from '../mutation.ts';
import { declaredFile } from '../submission.ts';
import {
  checkArguments,
  type DistinctValue,
  defineArguments,
  distinctItemIdsOf,
  distinctItemValuesOf,
  ownedRevision,
  requireDistinctItems,
  requireServiceRevision,
  withItemIds,
} from './arguments.ts';
import { assetAsItIs, shownOf } from './earlier.ts';
import { defineOperation } from './operation.ts';

/** Items in one grouped Set edit (interface document, Limits). */
export const mostItems = 300;

/**
 * The error of more items than one grouped edit takes (interface document, Limits), and how to make several of it.
 * Each part depends on the one before: its completion gives the Set another revision.
 */
function tooManyItemsError(items: number, hasMetadata: boolean): ArtworkError {
  const parts = Array.from({ length: Math.ceil(items / mostItems) }, (_, part) => ({
    from: part * mostItems,
    to: Math.min((part + 1) * mostItems, items) - 1,
    ...(hasMetadata ? { metadata: part === 0 } : {}),
  }));
  const words = parts.map(({ from, to }) => `items ${from} to ${to}`).join(', then ');
  const metadata = hasMetadata ? ' The metadata goes with the first alone.' : '';
  const message = `One edit takes ${mostItems} items, and these are ${items}: make ${parts.length} edits of it, one after the other: ${words}. Each has an id of its own; the first takes the Set's revision as it is, each later one the updatedAt that the one before left.${metadata}`;
  return new ArtworkError('invalid_arguments', message, {
    details: { mostItems, items, parts },
    issues: [{ code: 'too_many_items', message: `at most ${mostItems}`, path: ['items'] }],
    next: {
      tool: 'new_mutation_ids',
      arguments: { count: Math.min(50, parts.length) },
      why: 'One id for each part.',
      doNot: 'start a part before the one before has ended',
    },
  });
}

/** @param file the file by its path, as a call names it, or by what it is, as the ledger keeps it */
function withFiles<File extends z.ZodType>(file: File) {
  const place = {
    targetKind,
    targetId,
    slot,
    itemId: itemId.optional(),
    position: position.optional(),
  };
  const announced = { file, selectedSourceFrame: selectedSourceFrame.nullable().default(null) };
  const replaced = { expectedPreviousAssetId: assetId, expectedAssetUpdatedAt: assetRevision };
  const existing = { existingAssetId: assetId, expectedAssetUpdatedAt: assetRevision };
  const item = z.discriminatedUnion('operation', [
    z.strictObject({ operation: z.literal('add'), ...place, ...announced }),
    z.strictObject({ operation: z.literal('replace'), ...place, ...announced, ...replaced }),
    z.strictObject({ operation: z.literal('assign'), ...place, ...existing }),
    z
      .strictObject({ operation: z.literal('asset_metadata'), ...place, ...existing, ...metadataChanges })
      .refine(
        (edit) => Object.keys(givenFieldsOf(metadataChanges, edit)).length > 0,
        `changes nothing: give ${Object.keys(metadataChanges).join(' or ')}`,
      ),
  ]);
  return defineArguments({
    setId,
    setKind: z.enum(['media_set', 'talent_set', 'brand_set', 'category_set']),
    metadata: z
      .strictObject({
        titleBase: title.optional(),
        description: description.optional(),
        ...metadataChanges,
        finalised: z.boolean().optional(),
      })
      .default({}),
    items: z.array(item).default([]),
  });
}

const call = withFiles(filePath);
const called = call
  .refine(
    ({ metadata, items }) => items.length > 0 || Object.keys(sparseFields(metadata)).length > 0,
    'they change nothing; give metadata, items or planId',
  )
  .transform((args) => ({ ...args, items: withItemIds(args.clientMutationId, args.items) }))
  .superRefine(({ items }, context) => requireDistinctItems(items.map(taken), context, 'items'));
const meant = withFiles(declaredFile).transform((args) => ({
  ...args,
  metadata: sparseFields(args.metadata),
  items: withItemIds(args.clientMutationId, args.items),
}));

type CalledItem = z.output<typeof called>['items'][number];
type Meant = z.output<typeof meant>;
type Item = Meant['items'][number];

const tooMany = z.looseObject({
  items: z.array(z.unknown()).min(mostItems + 1),
  metadata: z.unknown().optional(),
});

/**
 * Grouped Set edit (interface document). Its identity is in the admission, which may be sent again to the
 * letter; what follows is known by the submission's id and the items'.
 */
export const editSet = defineOperation({
  name: 'edit_set',
  arguments: call,
  meant,
  run: {
    by: 'submission',
    kind: 'edit',
    plan(given) {
      const many = tooMany.safeParse(given);
      if (many.success) throw tooManyItemsError(many.data.items.length, many.data.metadata !== undefined);
      const args = checkArguments(called, given);
      return {
        entry: null,
        places: args.items.map((item, index) => ({ ...item, at: ['items', String(index)] })),
        files: args.items.flatMap((item, index) =>
          'file' in item
            ? [
                {
                  ...{ file: item.file, slot: item.slot, frame: item.selectedSourceFrame },
                  at: ['items', String(index), 'file'],
                },
              ]
            : [],
        ),
        declare(files) {
          const queue = files.values();
          const items = args.items.map((item) =>
            'file' in item ? { ...item, file: queue.next().value } : item,
          );
          return { ...args, items };
        },
      };
    },
    items: ({ items }) => items.map((item) => ('file' in item ? item : { ...item, file: null })),
    request({ clientMutationId, setId, setKind, expectedUpdatedAt, metadata, items }) {
      const body = {
        clientMutationId,
        setId,
        setKind,
        expectedUpdatedAt: requireServiceRevision(expectedUpdatedAt),
        ...setMetadataChanges(metadata),
        items: items.map(itemBody),
      };
      return jsonRequest(path`/me/sets/${setId}/updates`, body, 'documented');
    },
  },
  revision: ownedRevision('set', 'setId'),
  saved: 'set',
  needed: scopesOf,
  target: ({ setId: id, setKind: kind, metadata, items }) => ({
    kind,
    id,
    ...(metadata.titleBase === undefined ? {} : { newTitle: metadata.titleBase }),
    items: items.length,
    metadata: Object.keys(metadata),
  }),
  guards: ({ items }) => items.flatMap(assetGuards),
  places: ({ setId, metadata, items }) => [
    ...(Object.keys(metadata).length === 0 ? [] : [{ in: 'set metadata', setId } as const]),
    ...items.flatMap((item) => placesOf(setId, item)),
  ],
  earlier({ setId, metadata, items }, records) {
    const set = records.get(`Set ${setId}`);
    const changed = shownOf(set, Object.keys(metadata));
    const assets = items.flatMap((item) => {
      const asset = assetOf(item);
      return asset === null ? [] : [{ itemId: item.itemId, ...assetAsItIs(records, asset) }];
    });
    return {
      ...(Object.keys(changed).length === 0 ? {} : { metadata: changed }),
      ...(assets.length === 0 ? {} : { items: assets }),
    };
  },
  check: ({ setId, items }, seen) =>
    checkFreePlaces(
      setId,
      items.map((item) => (item.operation === 'add' ? item : null)),
      true,
      seen,
    ),
});

/** Interface document, Grouped Set edit: what the admission needs, for the operations of its items. */
function scopesOf({ items }: Meant): NeededScopes {
  const operations = new Set(items.map(({ operation }) => operation));
  const scopes: OAuthScope[] = [];
  if (operations.has('add') || operations.has('asset_metadata')) scopes.push('assets:write');
  if (operations.has('replace')) scopes.push('assets:replace');
  return { allOf: ['sets:write', ...scopes] };
}

/** Every item has every identity field; those that its operation does not use are null. */
function itemBody(item: Item, index: number): JsonObject {
  const { itemId, position, targetKind, targetId, slot, operation } = item;
  const revisionAt = ['items', String(index), 'expectedAssetUpdatedAt'];
  return {
    itemId,
    position,
    targetKind,
    targetId,
    slot,
    operation,
    declaredFile: 'file' in item ? declaredFileOf(item) : null,
    expectedPreviousAssetId: operation === 'replace' ? item.expectedPreviousAssetId : null,
    existingAssetId: 'existingAssetId' in item ? item.existingAssetId : null,
    expectedAssetUpdatedAt:
      operation === 'add' ? null : requireServiceRevision(item.expectedAssetUpdatedAt, revisionAt),
    ...(operation === 'asset_metadata' ? givenFieldsOf(metadataChanges, item) : {}),
  };
}

function declaredFileOf({ file, selectedSourceFrame }: Extract<Item, { file: unknown }>): JsonObject {
  const { sha256: _, ...declared } = file;
  return { ...declared, selectedSourceFrame };
}

/** Beside the Set's, the revision of every Asset that an item depends on. */
function assetGuards(item: Item): Guard[] {
  const asset = assetOf(item);
  if (asset === null || item.operation === 'add') return [];
  return [{ ...assetGuard(asset, item.expectedAssetUpdatedAt), onWire: 'alone' }];
}

function assetOf(item: CalledItem | Item): string | null {
  switch (item.operation) {
    case 'add':
      return null;
    case 'replace':
      return item.expectedPreviousAssetId;
    case 'assign':
    case 'asset_metadata':
      return item.existingAssetId;
  }
}

/** An Asset has one item; its metadata may be edited where something else is put in no slot. */
function taken(item: CalledItem): DistinctValue[] {
  const own = item.operation === 'asset_metadata' ? distinctItemIdsOf(item) : distinctItemValuesOf(item);
  const asset = assetOf(item);
  return asset === null ? own : [...own, { name: 'existingAssetId', value: asset.toLowerCase() }];
}

function placesOf(setId: number, item: Item): MutationPlace[] {
  const { targetKind: kind, targetId: id, slot } = item;
  const asset = assetOf(item);
  const place: MutationPlace = { in: 'set', setId, target: { kind, id }, slot };
  return asset === null ? [place] : [place, { in: 'asset', assetId: asset }];
}
