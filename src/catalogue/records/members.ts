import { z } from 'zod';

// What the interface document calls a type is what it was when its samples were taken: every field may be
// missing or null, every list of words may grow, and fields that it does not name are kept.

/** A number that may arrive as a string of digits. Other strings are kept: an id is only handed on. */
export const id = z
  .union([z.number(), z.string()])
  .transform((value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value))
  .nullish();

/** A count, a year, a number in a series. */
export const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
  ])
  .nullish();

export const text = z.string().nullish();
export const flag = z.boolean().nullish();
/** `YYYY-MM-DD`; not checked, since it is only shown and compared. */
export const date = text;
/** ISO 8601 UTC. */
export const timestamp = text;
/** A root-relative path, resolved against the asset origin. */
export const assetPath = text;

/** The schema of a list that a record may leave out. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).nullish();
}

/** The schema of named groups of Assets. Their elements' shape is not shown, so they stay unknown. */
export function assetGroups<Group extends string>(...groups: readonly Group[]) {
  return z.looseObject(members(groups, z.array(z.unknown()).nullish())).nullish();
}

/** The schema of a record's images: absolute URLs, or null. */
export function metadataImages<Member extends string>(...names: readonly Member[]) {
  return z.looseObject(members(names, text)).nullish();
}

/** The schema of a Set's root-relative Asset paths, one per slot, or null where the Set has none. */
export function assetPaths<Slot extends string>(...slots: readonly Slot[]) {
  return members(slots, assetPath);
}

function members<Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** `{id, kind, title}`, as entities refer to each other. */
export const titledReference = z.looseObject({ id, kind: text, title: text });

/** `{id, title}` of the Boxset or Loadout that a Set is in. */
export const groupReference = z.looseObject({ id, title: text });

/** Fields that every Set and group has. */
export const setFields = {
  id,
  title: text,
  description: text,
  createdBy: text,
  dateCreated: timestamp,
  dateUpdated: timestamp,
};

// Where the interface document does not show a field's name, the names that its other records use are tried
// in turn. What is found nowhere is null, and null never stands for success.

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The first of these members that is text with anything in it. */
export function textAt(record: JsonRecord, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** The first of these members that is a word with anything in it, such as a status. */
export function wordAt(record: JsonRecord, ...names: readonly string[]): string | null {
  const word = textAt(record, ...names);
  return word === null ? null : boundWord(word);
}

/**
 * Whether a number of JSON can be an id. One beyond the safe integers was rounded when it was read: it names another
 * record than the service did.
 */
export function isNumericId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The first of these members that can be an id, as text: ids arrive as numbers and as strings. */
export function idAt(record: JsonRecord, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name];
    if (isNumericId(value)) return String(value);
    const id = typeof value === 'string' ? boundedId(value) : null;
    if (id !== null) return id;
  }
  return null;
}

/** Whether two ids are one: they come as numbers and as text, and UUIDs in either case. */
export function isSameId(one: string | number, other: string | number): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

/** The identity that a record names, to be compared with ours: one that can be no id is another's. */
export function identityAt(record: JsonRecord, name: string): string | null {
  const value = record[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? boundWord(value) : null;
}

/** `updatedAt` where it can be a revision; what is too long for one counts as none shown. */
export function revisionAt(record: JsonRecord): string | null {
  const { updatedAt } = record;
  return typeof updatedAt === 'string' ? boundedId(updatedAt) : null;
}

/** What is kept of a record, to be shown. Characters of JSON. */
const longestKept = 6000;

/** The record of an answer, short enough to be kept. */
export function boundedRecordOf(record: JsonRecord): JsonRecord {
  return boundRecord(record, longestKept);
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

/** Interface document, States: publicationStatus. `unknown`: none was given, or another word. */
type PublicationState = 'not_required' | 'pending' | 'succeeded' | 'unknown';

export interface Publication {
  readonly publication: PublicationState;
  /** The service's own word. */
  readonly publicationStatus: string | null;
}

/** `publicationStatus` of a record, and whether public reads show it already. */
export function readPublication(...records: readonly JsonRecord[]): Publication {
  for (const record of records) {
    const publicationStatus = wordAt(record, 'publicationStatus');
    if (publicationStatus !== null) return { publication: stateOf(publicationStatus), publicationStatus };
  }
  return { publication: 'unknown', publicationStatus: null };
}

function stateOf(word: string): PublicationState {
  switch (word) {
    case 'not_required':
    case 'pending':
    case 'succeeded':
      return word;
    default:
      return 'unknown';
  }
}

/**
 * Interface document, States: Upload processingStatus. `unknown` is every other word, and none: neither an end
 * nor success.
 */
export type ProcessingState = 'processing' | 'succeeded' | 'failed' | 'unknown';

/** How far the service has processed what a record stands for. A success that comes with an error is none. */
export function processingState(word: string | null, hasError: boolean): ProcessingState {
  switch (word) {
    case 'processing':
    case 'failed':
      return word;
    case 'succeeded':
      return hasError ? 'unknown' : word;
    default:
      return 'unknown';
  }
}

/** Whether a value is a JSON object, whose members can be read. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Whatever the service says is bounded before it is kept or shown: an answer may hold megabytes where the
// interface document shows a word.

type Json = Readonly<Record<string, unknown>>;

/** Longest of a revision and of an id, in characters: what is longer is none, since a part of it is another one. */
const longestToken = 200;
/** Longest of a word such as a status. */
const longestWord = 100;

const longestText = 300;
const longestName = 100;
const mostMembers = 100;
const deepest = 12;

/** The text, or its beginning and an ellipsis; never half a character. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = longest - 1;
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`;
}

/** A few words at most: what is longer is a text, which would stand as ours in a sentence that names the word. */
const likeWord = /^[\p{L}\p{M}\p{N}]+(?:[ _.:/-][\p{L}\p{M}\p{N}]+){0,4}$/u;

/** A word such as a status, to be shown. One that was cut or that is a text is none that this program knows. */
function boundWord(word: string): string {
  return likeWord.test(word) ? cutText(word, longestWord) : 'unreadable';
}

/** An id or a revision that is compared and sent back; null for what can be neither. */
export function boundedId(text: string): string | null {
  return text === '' || text.length > longestToken ? null : text;
}

/**
 * A record in about so many characters of JSON: itself where it is short enough, else its short members first,
 * then what fits of the long ones.
 */
export function boundRecord(record: Json, budget: number): Json {
  return JSON.stringify(record).length <= budget ? record : shortened(record, { left: budget }, 0);
}

interface Room {
  left: number;
}

function bounded(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') {
    const text = cutText(value, longestText);
    room.left -= text.length + 3;
    return text;
  }
  if (typeof value !== 'object' || value === null) {
    room.left -= 8;
    return value;
  }
  if (depth === deepest) return null;
  if (!Array.isArray(value)) return shortened({ ...value }, room, depth);
  room.left -= 2;
  const kept: unknown[] = [];
  for (const element of value) {
    if (room.left <= 0 || kept.length === mostMembers) break;
    kept.push(bounded(element, room, depth + 1));
  }
  return kept;
}

function shortened(record: Json, room: Room, depth: number): Json {
  const names = Object.keys(record).filter((name) => name.length <= longestName);
  const kept: Record<string, unknown> = {};
  const take = (name: string, value: unknown) => {
    if (room.left <= 0) return;
    room.left -= name.length + 4;
    kept[name] = bounded(value, room, depth + 1);
  };
  const isShort = (value: unknown) =>
    typeof value === 'string' ? value.length <= longestToken : typeof value !== 'object' || value === null;
  const short = names.filter((name) => isShort(record[name]));
  const long = names.filter((name) => !isShort(record[name]));
  for (const name of [...short, ...long].slice(0, mostMembers)) take(name, record[name]);
  return kept;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
