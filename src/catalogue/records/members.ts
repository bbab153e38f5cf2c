import { z } from 'zod';

// The leaves of all records. What the interface document calls a type is what it was when its samples were taken: every
// field may be missing or null, and one of another type counts as null; every list of words may grow, and fields that
// the document does not name are kept. So a record is parsed once, and never fails.

/** A number that may arrive as a string of digits. Other strings are kept: an id is only handed on. */
export const id = z
  .union([z.number(), z.string()])
  .transform((value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value))
  .nullish()
  .catch(null);

const digits = z.string().regex(/^-?\d{1,15}$/);
/** A count, a year, a number in a series. */
export const number = z
  .union([z.number(), digits.transform(Number)])
  .nullish()
  .catch(null);
export const text = z.string().nullish().catch(null);
export const flag = z.boolean().nullish().catch(null);
/** A list whose elements' shape is not shown. */
export const anyList = z.array(z.unknown()).nullish().catch(null);

/** A record in another one. */
export function recordOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape).nullish().catch(null);
}

/** A list of records; elements that are none are left out. */
export function listOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const element = z.looseObject(shape);
  return anyList.transform((list) => (list ? list.filter(isRecord).map((one) => element.parse(one)) : list));
}

/** The same leaf under each of these names. */
export function each<Leaf extends z.ZodType, Name extends string>(leaf: Leaf, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, leaf])) as Record<Name, Leaf>;
}

// Where the interface document does not show a field's name, the names that its other records use are tried in turn.
// What is found nowhere is null, and null never stands for success.

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, whose members can be read. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member, or an empty record. */
export function recordAt(record: JsonRecord, name: string): JsonRecord {
  const value = record[name];
  return isRecord(value) ? value : {};
}

/** The records in the list of this name; none where it is no list. */
export function listAt(record: JsonRecord, name: string): JsonRecord[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** `data` where it is a record, else the answer itself; an empty record for anything else. */
export function dataOf(body: unknown): JsonRecord {
  if (!isRecord(body)) return {};
  return isRecord(body.data) ? body.data : body;
}

/** The first of these members that is text with anything in it. */
export function textAt(record: JsonRecord, ...names: readonly string[]): string | null {
  const values = names.map((name) => record[name]);
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? null;
}

/** A few words at most: what is longer is a text, which would stand as ours in a sentence that names the word. */
const likeWord = /^[\p{L}\p{M}\p{N}]+(?:[ _.:/-][\p{L}\p{M}\p{N}]+){0,4}$/u;
const longestWord = 100;

/** The first of these members that is a word with anything in it, such as a status. One that is a text is unreadable. */
export function wordAt(record: JsonRecord, ...names: readonly string[]): string | null {
  const word = textAt(record, ...names);
  if (word === null) return null;
  return likeWord.test(word) && word.length <= longestWord ? word : 'unreadable';
}

/** Longest of a revision and of an id, in characters: what is longer is none, since a part of it is another one. */
const longestId = 200;

/** An id or a revision that is compared and sent back; null for what can be neither. */
export function boundedId(text: string): string | null {
  return text === '' || text.length > longestId ? null : text;
}

/** The first of these members that can be an id, as text: ids arrive as numbers and as strings. */
export function idAt(record: JsonRecord, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name];
    // One beyond the safe integers was rounded when it was read: it names another record than the service did.
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value);
    const id = typeof value === 'string' ? boundedId(value) : null;
    if (id !== null) return id;
  }
  return null;
}

/** The identity that a record names, to be compared with ours: one that can be no id is another's. */
export function identityAt(record: JsonRecord, name: string): string | null {
  const value = record[name];
  return typeof value === 'number' ? String(value) : wordAt(record, name);
}

/** Whether two ids are one: they come as numbers and as text, and UUIDs in either case. */
export function isSameId(one: string | number, other: string | number): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

/** `updatedAt` where it can be a revision; what is too long for one counts as none shown. */
export function revisionAt({ updatedAt }: JsonRecord): string | null {
  return typeof updatedAt === 'string' ? boundedId(updatedAt) : null;
}

/** Interface document, States: publicationStatus. The service's own word in the first record that has one. */
export function publicationIn(...records: readonly JsonRecord[]): string | null {
  return records.map((record) => wordAt(record, 'publicationStatus')).find((word) => word !== null) ?? null;
}

/**
 * Interface document, States: Upload processingStatus. `unknown` is every other word, and none: neither an end nor
 * success.
 */
export type ProcessingState = 'processing' | 'succeeded' | 'failed' | 'unknown';

/** How far the service has processed what a record stands for. A success that comes with an error is none. */
export function processingState(word: string | null, hasError: boolean): ProcessingState {
  if (word === 'processing' || word === 'failed') return word;
  return word === 'succeeded' && !hasError ? word : 'unknown';
}

// Whatever the service says is bounded before it is kept or shown: an answer may hold megabytes where the interface
// document shows a word.

/** The text, or its beginning and an ellipsis; never half a character. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const longestText = 300;

/** What is kept of a record, to be shown. Characters of JSON. */
const longestKept = 6000;

/** A record in so many characters of JSON: itself where it is short enough, else those members that fit, short ones first. */
export function boundRecord(record: JsonRecord, longest = longestKept): JsonRecord {
  if (JSON.stringify(record).length <= longest) return record;
  let left = longest;
  const kept = Object.entries(record)
    .map(([name, value]) => [name, typeof value === 'string' ? cutText(value, longestText) : value] as const)
    .map((member) => ({ member, size: JSON.stringify(member).length }))
    .sort((one, other) => one.size - other.size)
    .filter(({ size }) => {
      left -= size;
      return left >= 0;
    });
  return Object.fromEntries(kept.map(({ member }) => member));
}
