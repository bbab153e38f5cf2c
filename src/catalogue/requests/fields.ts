import { z } from 'zod';
import { type ServiceRevision, serviceRevision } from '../revision.ts';

// The types of what a request is made from. What is an open list of words in the interface document (slots,
// kinds, languages) stays open here; what it shows the form of is held to that form.

/** Ours: RFC 9562, and in lower case, so that one id has one spelling on the wire and in every store. */
export const clientMutationId = z.uuid().toLowerCase().brand<'ClientMutationId'>();
export type ClientMutationId = z.output<typeof clientMutationId>;

export const itemId = z.uuid().toLowerCase().brand<'ItemId'>();
export type ItemId = z.output<typeof itemId>;

/** The service's: a UUID in form, of whatever version, kept as the service spells it. */
export const assetId = z.guid().brand<'AssetId'>();
export type AssetId = z.output<typeof assetId>;

export const setId = z.int().min(0).brand<'SetId'>();
export type SetId = z.output<typeof setId>;

/** Whether a group's id is a number, as its public one is, is not shown. */
export const groupId = z.union([z.int().min(0), z.string().min(1).max(200)]).brand<'GroupId'>();
export type GroupId = z.output<typeof groupId>;

/** The service's, of no shown form. */
export const submissionId = z.string().min(1).max(200).brand<'SubmissionId'>();
export type SubmissionId = z.output<typeof submissionId>;

/** An open word of the document's: a slot, a kind, a language code. */
const word = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, 'is not a word of at most 100 characters');

export const slot = word;
export const targetKind = word;
/** Metadata entity ids are integers. */
export const targetId = z.int().min(0);
export const languageCode = word;
export const editionId = z.union([z.string().min(1).max(200), z.int()]).nullable();

export const title = z.string().min(1);
export const description = z.string().nullable();

/** One that only we know (a record without `updatedAt`) is refused: the service could never match it. */
export const expectedUpdatedAt = z.string().transform((value, context): ServiceRevision => {
  const revision = serviceRevision(value);
  if (revision !== null) return revision;
  context.addIssue({
    code: 'custom',
    message: 'is not a revision of the service, which is all it can compare',
  });
  return z.NEVER;
});

/** For bodies that are only assumed: a revision that the service could not match is null, and not sent. */
export const assumedRevision = z.string().min(1).transform(serviceRevision);

/** A picture's frame to take, counted by the service. */
export const selectedSourceFrame = z.int().min(0);

/** The ledger keeps 40 levels of a call: what it did not keep it could neither compare nor send again. */
const deepestExtra = 20;

/** What a caller who knows the service better adds to an assumed body. */
export const extra = z
  .record(z.string(), z.unknown())
  .refine((members) => isWithin(members, deepestExtra), `is nested more than ${deepestExtra} levels deep`)
  .pipe(z.record(z.string(), z.json()))
  .optional();

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}

/** A JSON object, of whatever members. */
export const jsonObject = z.record(z.string(), z.json());
export type JsonObject = z.output<typeof jsonObject>;
