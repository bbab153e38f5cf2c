import { boundedId, boundRecord, boundWord } from '../bounded.ts';
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

/** The first of these members that can be an id, as text: ids arrive as numbers and as strings. */
export function idAt(record: JsonRecord, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
    const id = typeof value === 'string' ? boundedId(value) : null;
    if (id !== null) return id;
  }
  return null;
}

/** The identity that a record names, to be compared with ours: one that is too long for an id is another's. */
export function identityAt(record: JsonRecord, name: string): string | null {
  const value = record[name];
  return typeof value === 'string' && value !== '' ? boundWord(value) : idAt(record, name);
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

/** `data` where it is a record, else the answer itself; an empty record for anything else. */
export function dataOf(body: unknown): JsonRecord {
  if (!isRecord(body)) return {};
  return isRecord(body.data) ? body.data : body;
}

/** Interface document, States: publicationStatus. `unknown`: none was given, or another word. */
export type PublicationState = 'not_required' | 'pending' | 'succeeded' | 'unknown';

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
