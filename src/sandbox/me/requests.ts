import { z } from 'zod';
import { validate } from '../http.ts';

/*
 * All bodies and queries of protected operations. The interface document shows those of uploads, metadata edits
 * and whole Sets. The others are **assumed**, as docs/interface.md says, and are marked here.
 */

/** In lower case, so that one id has one spelling. */
const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'This must be a UUID.')
  .transform((id) => id.toLowerCase());
const id = z.int('This must be an integer.').nonnegative();
const idInQuery = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'This must be an integer.')
  .transform(Number);
const title = z
  .string()
  .max(200)
  .refine((text) => text.trim() !== '' && !/\p{Cc}/u.test(text), 'This must be one line, and not empty.');
const description = z
  .string()
  .max(2000)
  .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), 'This must be text.')
  .nullable();
/** `en`, `pt-BR`, `zh-Hant`. */
const languageCode = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'This must be a language code such as en or pt-BR.');
/** Compared to the letter. */
const revision = z.string().min(1).max(100);
/** Assumed: editions are numbered. */
const editionId = id.nullable();
/** Counted from 0. */
const frame = z.int('This must be an integer.').nonnegative();
const word = z.string().min(1);
/** A name that every file system and every header takes. */
const filename = z
  .string()
  .regex(/^(?!\.+$)(?! )[\x20-\x2e\x30-\x5b\x5d-\x7e]{1,255}(?<! )$/, 'This must be a plain file name.');

const placed = { itemId: uuid, position: frame, targetKind: word, targetId: id, slot: word };
const file = {
  filename,
  contentType: z.string(),
  contentLength: z.int().nonnegative(),
  selectedSourceFrame: frame.nullable(),
};

export const fileHeaders = z.object({
  'content-type': z.string(),
  'content-length': z.string().transform(Number),
  'x-upload-filename': filename,
  'x-upload-sha256': z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'This must be a SHA-256 in lowercase hex.')
    .exactOptional(),
});

/** Single-Asset upload. A Set or a group has its own target, which may be left out; a group takes a poster. */
export const uploadQuery = z.strictObject({
  operation: z.enum(['add', 'replace']),
  clientMutationId: uuid,
  slot: word.default('poster'),
  targetKind: word.exactOptional(),
  targetId: idInQuery.exactOptional(),
  languageCode: languageCode.exactOptional(),
  previousAssetId: uuid.exactOptional(),
});

export const itemQuery = z.strictObject({ itemId: uuid });

export const destinationQuery = z.strictObject({
  kind: z.enum(['talent_set', 'media_set', 'boxset']),
  family: z.enum(['media', 'game']).default('media'),
  q: z.string().max(200).default(''),
});

const assetEdit = {
  languageCode: languageCode.nullable().exactOptional(),
  editionId: editionId.exactOptional(),
};
export const metadataBody = z.strictObject({ expectedUpdatedAt: revision, ...assetEdit });

/** The kinds of works that have Sets. */
const entryKind = z.enum(['movie', 'show', 'collection', 'game']);

export const creationBody = z.strictObject({
  clientMutationId: uuid,
  setKind: z.literal('media_set'),
  entryTargetKind: entryKind,
  entryTargetId: id,
  titleBase: title,
  description,
  languageCode,
  editionId,
  finalised: z.boolean(),
  /** Assumed: a record of the upload destinations of the kind `boxset`. The Set becomes the last one in it. */
  destination: z.looseObject({ kind: z.string(), id }).nullable(),
  // Assumed: the document shows no limit for the files of a new Set.
  declaredFiles: z
    .array(z.strictObject({ ...placed, ...file }))
    .min(1)
    .max(1_000),
});

const itemOf = <Operation extends string>(operation: Operation) =>
  z.strictObject({
    ...placed,
    operation: z.literal(operation),
    // "Unused identity fields are null": they are never left out, but for the revision of an addition.
    existingAssetId: z.null(),
    expectedPreviousAssetId: z.null(),
    expectedAssetUpdatedAt: revision,
    declaredFile: z.null(),
  });
const declaredFile = z.strictObject(file);

const editItem = z.discriminatedUnion('operation', [
  itemOf('add').extend({ declaredFile, expectedAssetUpdatedAt: z.null().default(null) }),
  itemOf('replace').extend({ declaredFile, expectedPreviousAssetId: uuid }),
  itemOf('assign').extend({ existingAssetId: uuid }),
  itemOf('asset_metadata').extend({ existingAssetId: uuid, ...assetEdit }),
]);

/** "Items in one grouped Set edit: up to 300". */
const maxItems = 300;

/** Assumed: the changes of metadata are members of the body, with the names of a new Set. */
export const editBody = z.strictObject({
  clientMutationId: uuid,
  setId: id,
  setKind: z.enum(['media_set', 'talent_set', 'brand_set', 'category_set']),
  expectedUpdatedAt: revision,
  titleBase: title.exactOptional(),
  description: description.exactOptional(),
  languageCode: languageCode.nullable().exactOptional(),
  editionId: editionId.exactOptional(),
  finalised: z.boolean().exactOptional(),
  items: z.array(editItem).max(maxItems),
});

export const completionBody = z.strictObject({});

/** Assumed of the bodies that follow: unknown members are ignored, and `clientMutationId` may be left out. */
const identity = { clientMutationId: uuid.nullish().transform((given) => given ?? null) };

/** Assumed. */
export const previewBody = z.object({ ...identity, expectedUpdatedAt: revision, selectedSourceFrame: frame });

/** Assumed. */
export const newGroupBody = z.object({
  ...identity,
  kind: z.enum(['boxset', 'loadout']),
  title,
  description: description.default(null),
  languageCode: languageCode.nullable().default(null),
  setIds: z.array(id).max(500).default([]),
});

/** Assumed: what is left out stays; `setIds` is the whole membership in its order. */
export const groupEditBody = z.object({
  ...identity,
  expectedUpdatedAt: revision,
  title: title.exactOptional(),
  description: description.exactOptional(),
  languageCode: languageCode.nullable().exactOptional(),
  setIds: z.array(id).max(500).exactOptional(),
});

/** Assumed: a Talent Set is for a person, a Category Set for a category, a Brand Set for networks and companies. */
export const newGroupingSetBody = z.object({
  ...identity,
  setKind: z.enum(['talent_set', 'brand_set', 'category_set']),
  titleBase: title,
  entryTargetKind: z.string().nullish(),
  entryTargetId: id.nullish(),
  networkIds: z.array(id).max(100).default([]),
  companyIds: z.array(id).max(100).default([]),
  description: description.default(null),
  languageCode: languageCode.nullable().default(null),
  editionId: editionId.default(null),
});

/** Assumed: an item is what the `assign` of a grouped edit is. All are assigned, or none. */
export const assignmentBody = z.object({
  ...identity,
  expectedUpdatedAt: revision,
  items: z
    .array(z.object({ ...placed, existingAssetId: uuid, expectedAssetUpdatedAt: revision }))
    .min(1)
    .max(maxItems),
});

/** Assumed: the body says what shall be between two accounts; null is none. An account is named by id or by name. */
export const relationshipBody = z.object({
  ...identity,
  targetKind: z.literal('user'),
  targetId: z.union([id, word], { error: 'Give the id or the name of an account.' }),
  relationship: z.enum(['follow', 'hide']).nullable(),
});

export type EditItem = z.infer<typeof editItem>;
export type CreationBody = z.infer<typeof creationBody>;
export type EditBody = z.infer<typeof editBody>;

/** @throws Refusal 400 */
export function checkQuery<T>(schema: z.ZodType<T>, query: URLSearchParams): T {
  return validate(schema, Object.fromEntries(query));
}
