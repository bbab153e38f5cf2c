import { z } from 'zod';
import {
  description,
  editionId,
  frame,
  languageCode,
  resourceId,
  revision,
  title,
  uuid,
} from '../me/fields.ts';
import { destinationRecord, setMetadata } from './assumed.ts';

/** The bodies of submissions (the interface document, Media Set creation and Grouped Set edit). */

/** "Items in one grouped Set edit: up to 300". */
export const maxItems = 300;

/** Assumed: the document shows no limit for the files of a creation. */
const maxDeclaredFiles = 1_000;

const file = {
  filename: z.string(),
  contentType: z.string(),
  contentLength: z.int().nonnegative(),
  selectedSourceFrame: frame.nullable(),
};

const place = {
  itemId: uuid,
  position: z.int().nonnegative(),
  targetKind: z.string().min(1),
  targetId: resourceId,
  slot: z.string().min(1),
};

export const creationBody = z.strictObject({
  clientMutationId: uuid,
  setKind: z.literal('media_set'),
  entryTargetKind: z.string().min(1),
  entryTargetId: resourceId,
  titleBase: title,
  description,
  languageCode,
  editionId,
  finalised: z.boolean(),
  destination: destinationRecord.nullable(),
  declaredFiles: z
    .array(z.strictObject({ ...place, ...file }))
    .min(1)
    .max(maxDeclaredFiles),
});

const noFile = { declaredFile: z.null() };
const declaredFile = { declaredFile: z.strictObject(file) };
// "Unused identity fields are null": they must be present.
const unused = { existingAssetId: z.null(), expectedPreviousAssetId: z.null() };

const item = z.discriminatedUnion('operation', [
  z.strictObject({
    ...place,
    ...unused,
    ...declaredFile,
    operation: z.literal('add'),
    expectedAssetUpdatedAt: z.null().default(null),
  }),
  z.strictObject({
    ...place,
    ...unused,
    ...declaredFile,
    operation: z.literal('replace'),
    expectedPreviousAssetId: uuid,
    expectedAssetUpdatedAt: revision,
  }),
  z.strictObject({
    ...place,
    ...unused,
    ...noFile,
    operation: z.literal('assign'),
    existingAssetId: uuid,
    expectedAssetUpdatedAt: revision,
  }),
  z
    .strictObject({
      ...place,
      ...unused,
      ...noFile,
      operation: z.literal('asset_metadata'),
      existingAssetId: uuid,
      expectedAssetUpdatedAt: revision,
      languageCode: languageCode.nullable().exactOptional(),
      editionId: editionId.exactOptional(),
    })
    .refine(
      (one) => one.languageCode !== undefined || one.editionId !== undefined,
      'Send languageCode or editionId: there is nothing to change.',
    ),
]);

export const editBody = z.strictObject({
  clientMutationId: uuid,
  setId: resourceId,
  setKind: z.enum(['media_set', 'talent_set', 'brand_set', 'category_set']),
  expectedUpdatedAt: revision,
  ...setMetadata.shape,
  metadata: setMetadata.exactOptional(),
  // The length is checked later, with its own error: see `maxItems`.
  items: z.array(item),
});

export const completionBody = z.strictObject({});

export type SetMetadata = z.infer<typeof setMetadata>;
export type DeclaredFileFields = Pick<
  z.infer<typeof creationBody>['declaredFiles'][number],
  'filename' | 'contentType' | 'contentLength' | 'selectedSourceFrame'
>;

/** One item of a submission; a creation's files are items that add. */
export type Item = z.infer<typeof item>;

export type CreationAdmission = Omit<z.infer<typeof creationBody>, 'declaredFiles'>;

export interface EditAdmission {
  readonly clientMutationId: string;
  readonly setId: number;
  readonly setKind: z.infer<typeof editBody>['setKind'];
  readonly expectedUpdatedAt: string;
  readonly metadata: SetMetadata;
}
