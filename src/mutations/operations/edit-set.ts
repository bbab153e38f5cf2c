import { z } from 'zod';
import {
  mostItems,
  editSetRequest as request,
  setEdit,
  setEditScopes,
  setMetadata,
} from '../../catalogue/requests/edit-set.ts';
import {
  assetId,
  editionId,
  itemId,
  languageCode,
  setId,
  slot,
  targetId,
  targetKind,
} from '../../catalogue/requests/fields.ts';
import { sparse } from '../../catalogue/requests/sparse.ts';
import { checkItems } from '../checks/check-items.ts';
import type { Mutation } from '../mutation.ts';
import { type Declared, declaredFile } from '../declared.ts';
import { lookUpSubmission } from './find-submission.ts';
import type { SubmissionPlan, InspectedFile } from './submission-plan.ts';
import {
  withPositions,
  requireDistinct,
  type DistinctValue,
  distinctValuesOf,
  distinctIds,
} from './positions.ts';
import { checked, guarded, intentOf } from './checked.ts';
import { tooManyItems } from './split-edit.ts';
import { type Guard, assetGuard, setGuard } from '../checks/guard.ts';

const set = {
  ...guarded,
  setId,
  setKind: z.enum(['media_set', 'talent_set', 'brand_set', 'category_set']),
  metadata: setMetadata.default({}),
};

const place = {
  itemId: itemId.optional(),
  position: z.int().min(0).optional(),
  targetKind,
  targetId,
  slot,
};

const revision = z.string().min(1);
const replaced = { expectedPreviousAssetId: assetId, expectedAssetUpdatedAt: revision };
const existing = { ...place, existingAssetId: assetId, expectedAssetUpdatedAt: revision };
const assign = z.strictObject({ operation: z.literal('assign'), ...existing });
const assetMetadata = z
  .strictObject({
    operation: z.literal('asset_metadata'),
    ...existing,
    languageCode: languageCode.nullable().optional(),
    editionId: editionId.optional(),
  })
  .refine(
    (edit) => edit.languageCode !== undefined || edit.editionId !== undefined,
    'changes nothing: give languageCode or editionId',
  );

const path = { file: z.string().min(1) };
const named = z
  .strictObject({
    ...set,
    items: z
      .array(
        z.discriminatedUnion('operation', [
          z.strictObject({ operation: z.literal('add'), ...place, ...path }),
          z.strictObject({ operation: z.literal('replace'), ...place, ...path, ...replaced }),
          assign,
          assetMetadata,
        ]),
      )
      .default([]),
  })
  .refine(
    ({ metadata, items }) => items.length > 0 || Object.keys(sparse(metadata)).length > 0,
    'they change nothing; give metadata or items',
  )
  .transform((args) => ({ ...args, items: withPositions(args.clientMutationId, args.items) }))
  .superRefine(({ items }, context) => requireDistinct(items.map(taken), context, 'items'));

const bytes = { file: declaredFile };
const seen = z
  .strictObject({
    ...set,
    items: z.array(
      z.discriminatedUnion('operation', [
        z.strictObject({ operation: z.literal('add'), ...place, ...bytes }),
        z.strictObject({ operation: z.literal('replace'), ...place, ...bytes, ...replaced }),
        assign,
        assetMetadata,
      ]),
    ),
  })
  .transform((args) => ({ ...args, items: withPositions(args.clientMutationId, args.items) }));

type NamedItem = z.output<typeof named>['items'][number];
type SeenItem = z.output<typeof seen>['items'][number];

const tooMany = z.looseObject({
  items: z.array(z.unknown()).min(mostItems + 1),
  metadata: z.unknown().optional(),
});

/** What can be told before a file is opened. @throws ArtworkError `invalid_arguments` */
export function planSetEdit(given: object): SubmissionPlan {
  const many = tooMany.safeParse(given);
  if (many.success) throw tooManyItems(many.data.items.length, many.data.metadata !== undefined);
  const args = checked(named, given);
  return {
    entry: null,
    places: args.items.map((item, index) => ({ ...item, at: ['items', String(index)] })),
    files: args.items.flatMap((item, index) =>
      'file' in item ? [{ file: item.file, slot: item.slot, at: ['items', String(index), 'file'] }] : [],
    ),
    declare(files) {
      const queue = files.values();
      const items = args.items.map((item) => ('file' in item ? { ...item, file: nextOf(queue) } : item));
      return editSet({ ...args, items });
    },
  };
}

function nextOf(queue: Iterator<InspectedFile>): object {
  const next = queue.next();
  if (next.done === true) throw new TypeError('A file was not looked at.');
  const { filename, contentType, contentLength, sha256 } = next.value;
  return { filename, contentType, contentLength, sha256 };
}

/**
 * Grouped Set edit (interface document). Its identity is in the admission, which may be sent again to the
 * letter; what follows is known by the submission's id and the items'.
 */
export function editSet(given: object): Mutation {
  const args = checked(seen, given);
  const { clientMutationId, expectedUpdatedAt, setId: id, setKind, items } = args;
  const metadata = sparse(args.metadata);
  const intent = intentOf({ ...args, metadata });
  const declared: Declared = {
    kind: 'edit',
    items: items.map((item) => ('file' in item ? item : { ...item, file: null })),
  };
  return {
    operation: 'edit_set',
    clientMutationId,
    expectedUpdatedAt,
    target: {
      kind: setKind,
      id,
      ...(metadata.titleBase === undefined ? {} : { newTitle: metadata.titleBase }),
      items: items.length,
      metadata: Object.keys(metadata),
    },
    intent,
    needed: setEditScopes(items),
    guards: [setGuard(id, expectedUpdatedAt), ...assetGuards(items)],
    looksBy: 'lookup',
    saved: 'set',
    places: [
      ...(Object.keys(metadata).length === 0 ? [] : [`set ${id} metadata`]),
      ...items.flatMap((item) => placesOf(id, item)),
    ],
    bytes: null,
    declared,
    check: (seen) =>
      checkItems(
        {
          setId: id,
          setKind,
          items: items.map((item) => ({
            operation: item.operation,
            targetKind: item.targetKind,
            targetId: item.targetId,
            slot: item.slot,
            assetId: assetOf(item),
          })),
        },
        seen,
      ),
    request: () => request(checked(setEdit, { ...args, metadata, items: items.map(wireItem) })),
    again: () => null,
    find: (look) => lookUpSubmission(declared, clientMutationId, look),
  };
}

function wireItem(item: SeenItem): object {
  if (!('file' in item)) return item;
  const { sha256: _, ...file } = item.file;
  return { ...item, file, selectedSourceFrame: null };
}

/** Beside the Set's, the revision of every Asset that an item depends on. */
function assetGuards(items: readonly SeenItem[]): Guard[] {
  return items.flatMap((item) => {
    const asset = assetOf(item);
    if (asset === null || item.operation === 'add') return [];
    return [{ ...assetGuard(asset, item.expectedAssetUpdatedAt), alsoOnWire: true }];
  });
}

function assetOf(item: NamedItem | SeenItem): string | null {
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
function taken(item: NamedItem): DistinctValue[] {
  const own = item.operation === 'asset_metadata' ? distinctIds(item) : distinctValuesOf(item);
  const asset = assetOf(item);
  return asset === null ? own : [...own, { name: 'existingAssetId', value: asset.toLowerCase() }];
}

function placesOf(id: number, item: SeenItem): string[] {
  const { targetKind: kind, targetId: target, slot: of } = item;
  const asset = assetOf(item);
  return [`set ${id}/${kind} ${target}/${of}`, ...(asset === null ? [] : [`asset ${asset}`])];
}
