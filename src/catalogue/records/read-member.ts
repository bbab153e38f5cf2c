import { isRecord } from '../refusal.ts';

// Where the interface document does not show a field's name, the names that its other records use are tried
// in turn. What is found nowhere is null, and null never stands for success.

export type Json = Readonly<Record<string, unknown>>;

/** The first of these members that is text with anything in it. */
export function textAt(record: Json, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** The first of these members that can be an id, as text: ids arrive as numbers and as strings. */
export function idAt(record: Json, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** The member, or an empty record. */
export function recordAt(record: Json, name: string): Json {
  const value = record[name];
  return isRecord(value) ? value : {};
}

/** `data` where it is a record, else the answer itself; an empty record for anything else. */
export function dataOf(body: unknown): Json {
  if (!isRecord(body)) return {};
  return isRecord(body.data) ? body.data : body;
}
