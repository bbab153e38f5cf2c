import { z } from 'zod';
import type { StreamBody } from '../http/exchange.ts';
import type { Query, ServicePath } from './call.ts';
import type { SendRequest } from './send.ts';

/** A request that changes something, as it is kept and shown: without its authorization. */
interface RequestLine {
  readonly method: 'POST';
  /** Below `{base_url}`. */
  readonly path: ServicePath;
  readonly query: Query;
  /** As the interface document names them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** With a JSON body, its members in the document's order. */
export interface JsonRequest extends RequestLine {
  readonly body: { readonly kind: 'json'; readonly value: JsonObject };
}

/** With a file's bytes as its body. */
export interface FileRequest extends RequestLine {
  readonly body: { readonly kind: 'file'; readonly bytes: number };
}

export function jsonRequest(path: ServicePath, value: JsonObject): JsonRequest {
  const headers = { 'Content-Type': 'application/json' };
  return { method: 'POST', path, query: {}, headers, body: { kind: 'json', value } };
}

/** A file as it was announced, all else in the query (interface document, Single-Asset upload and the submissions). */
export function fileRequest(path: ServicePath, query: Query, file: UploadFile): FileRequest {
  const headers = {
    'Content-Type': file.contentType,
    'Content-Length': String(file.contentLength),
    'X-Upload-Filename': file.filename,
  };
  return { method: 'POST', path, query, headers, body: { kind: 'file', bytes: file.contentLength } };
}

/** The bytes that go over the wire: a request that is to be repeated to the letter is repeated with these. */
export function jsonBytes({ body }: JsonRequest): Buffer {
  return Buffer.from(JSON.stringify(body.value));
}

/** A request as the sender takes it, with the account's token, and with the bytes of its body or of the file. */
export function sendable(request: RequestLine, bearer: string, body: Buffer | StreamBody): SendRequest {
  // Its length is set by the sender from the body itself.
  const { 'Content-Length': _, ...headers } = request.headers;
  return { path: request.path, query: request.query, headers, body, bearer };
}

/** A request as a dry run shows it: the JSON, or how many bytes of a file. */
export interface ShownRequest extends RequestLine {
  readonly body: JsonObject | { readonly bytesOfFile: number };
}

export function showRequest({ body, ...line }: JsonRequest | FileRequest): ShownRequest {
  return { ...line, body: body.kind === 'json' ? body.value : { bytesOfFile: body.bytes } };
}

// The fields that requests are made from, which are also the arguments of the tools that send them. What is an open list
// of words in the interface document (slots, kinds) stays open here; what it shows the form of is held to that form.
// `means` says what a word stands for: a tool takes other spellings of it.

/** Ours: RFC 9562, and in lower case, so that one id has one spelling on the wire and in every store. */
export const clientMutationId = z.uuid().toLowerCase().brand<'ClientMutationId'>();
export type ClientMutationId = z.output<typeof clientMutationId>;

export const itemId = z.uuid().toLowerCase().brand<'ItemId'>();
export type ItemId = z.output<typeof itemId>;

/** The service's: a UUID in form, of whatever version, kept as the service spells it. */
export const assetId = z.guid().brand<'AssetId'>();

export const setId = z.int().min(0).brand<'SetId'>();

/** Whether a group's id is a number, as its public one is, is not shown. */
export const groupId = z.union([z.int().min(0), z.string().min(1).max(200)]).brand<'GroupId'>();

/** The service's, of no shown form. */
export const submissionId = z.string().min(1).max(200).brand<'SubmissionId'>();
export type SubmissionId = z.output<typeof submissionId>;

/** An open word of the document's: a slot, a kind, a language code. */
const word = () => z.string().regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, 'is not a word of at most 100 characters');

export const slot = word().meta({ means: 'slot of its target' });
/** A metadata entity's kind. */
export const targetKind = word().meta({ means: 'kind of entity' });
/** A kind where the document leaves open what a target can be: in a group, in a grouping Set. */
export const openKind = word().meta({ means: 'kind' });
/** Metadata entity ids are integers. */
export const targetId = z.int().min(0);
export const targetIds = z.array(targetId).max(500);
export const setIds = z.array(setId).max(1_000);
/** Of a relationship, which people can have to each other: a person's id may be a name, of digits too. */
export const relatedKind = word();
export const relatedId = z.union([targetId, z.string().min(1).max(200)]).meta({ means: 'id or name' });

/** A BCP 47 tag that begins with an ISO 639 code. */
export const languageCode = z
  .string()
  .min(1)
  .max(35)
  .refine(isLanguageTag, 'must be a language tag such as "en" or "pt-BR"');
export const editionId = z.union([z.string().min(1).max(200), z.int()]).nullable();

/** Of an edit, which leaves what is left out as it is: null clears it. */
export const languageChange = languageCode.nullable().optional().describe('"none" clears it');
export const editionChange = editionId.optional();
/** What can be changed of an Asset's metadata, in an edit of its own or of its Set, and of a Set's. */
export const metadataChanges = { languageCode: languageChange, editionId: editionChange };

export const title = z.string().min(1).max(500);
export const description = z.string().max(5_000).nullable();

/** Of an item, from 0. */
export const position = z.int().min(0);
/** The revision of an Asset that an item depends on. */
export const assetRevision = z.string().min(1).max(500);
/** A picture's frame to take, counted by the service. */
export const selectedSourceFrame = z.int().min(0);

/** A JSON object, of whatever members. */
export const jsonObject = z.record(z.string(), z.unknown()).pipe(z.record(z.string(), z.json()));
export type JsonObject = z.output<typeof jsonObject>;

/**
 * What a caller who knows the service better adds to an assumed body; it can't override a named field. The ledger keeps
 * 40 levels of a call: what it did not keep it could neither compare nor send again.
 */
export const extra = z
  .record(z.string(), z.unknown())
  .refine((members) => isWithin(members, 20), 'is nested more than 20 levels deep')
  .pipe(jsonObject)
  .optional()
  .meta({
    description:
      "further members of the body, which the service's document does not show; they override none",
    brief: 'more for the body',
  });

/** Codes of ISO 639 are written in lower case. */
function isLanguageTag(text: string): boolean {
  if (!/^[a-z]{2,3}(-|$)/.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch (error) {
    // Thrown for what has not the form of a tag.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}

/** Where a file lies: an absolute path or a `file:` URI. */
export const filePath = z.string().min(1).max(4_096);

// Printable ASCII, without what a header, a path, a shell or a percent-decoding server would read as more
// than a letter, and without the white space at the ends that every HTTP parser takes away.
const safe = /^(?! )[\x20-\x7e]{1,200}(?<! )$/;
const risky = /["%*/:;<>?\\|]/;

/** A file name that stands in `X-Upload-Filename` as it is declared: how others are encoded is not shown. */
export const uploadFilename = z
  .string()
  .refine(
    (name) => safe.test(name) && !risky.test(name) && !/^\.|\.$/.test(name),
    'can not stand in a header as it is',
  )
  .brand<'UploadFilename'>();

/** A file as it is announced. */
export const uploadFile = z.strictObject({
  filename: uploadFilename,
  /** Media type of what the file really is. */
  contentType: z.string().regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/, 'is not a media type'),
  /** Bytes. */
  contentLength: z.int().min(1),
});
export type UploadFile = z.output<typeof uploadFile>;

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower-case hexadecimal');

type Sparse<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** What is given of the members that a shape names. */
export function givenFieldsOf<Name extends string, Members extends { readonly [Each in Name]?: unknown }>(
  shape: Readonly<Record<Name, unknown>>,
  members: Members,
): Sparse<Pick<Members, Name>> {
  const named = Object.entries(members).filter(([name]) => Object.hasOwn(shape, name));
  return sparseFields(Object.fromEntries(named) as Pick<Members, Name>);
}

/**
 * The members of a request's body that have a value. Only what is given: a member that is left out stays as it is
 * on the service, null is a value.
 */
export function sparseFields<Members extends object>(members: Members): Sparse<Members> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Sparse<Members>;
}
