import { asToken, boundRecord, boundWord } from '../bounded.ts';
import { isRecord } from '../refusal.ts';

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
    const id = typeof value === 'string' ? asToken(value) : null;
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
  return typeof updatedAt === 'string' ? asToken(updatedAt) : null;
}

/** What is kept of a record, to be shown. Characters of JSON. */
const longestKept = 6000;

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
