import { z } from 'zod';
import type { Transaction } from '../../store/libsql.ts';
import { IndexDamaged } from './index-file.ts';
import { codeOfKind, kindOfCode, titleKinds, type TitleReference } from './title-index.ts';

const text = z.string().nullable().catch(null);
const whole = z.int().nullable().catch(null);

const titleRecord = z.object({
  /** Of the row, in this file only. */
  row: z.int(),
  kind: z.unknown().transform(kindOfCode).pipe(z.enum(titleKinds)),
  id: z.union([z.int(), z.string()]),
  name: text,
  year: whole,
  date: text,
  show: whole,
  season: whole,
  episode: whole,
  creator: text,
  slot: text,
  language: text,
  updated: text,
  /** A record of the account's own, not one that such a record names. */
  isOwn: z.unknown().transform((own) => own === 1),
  /** ms */
  seen: z.int(),
  /** ms; null: its own record was never read. */
  read: whole,
  /** ms, when a feed says that it was changed since its record was read; null: no feed does. */
  changed: whole,
});

/** A title as its row holds it. */
export type TitleRecord = Readonly<z.output<typeof titleRecord>>;

const members = titleRecord.keyof().options;
/** The columns that are called otherwise. */
const renamed: Readonly<Partial<Record<keyof TitleRecord, string>>> = {
  row: 'id',
  id: 'ref',
  isOwn: 'own',
};
const names = members.map((member) => renamed[member] ?? member);

/** All columns of a title, in the order of its members. */
export const columns = names.map((name) => `title.${name}`).join(', ');

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * These columns of all rows that `from` has. They come as one text: each text by itself would be a BLOB, and a row of
 * many columns costs as many crossings.
 */
export function listBy(
  sql: Transaction,
  selected: string,
  from: string,
  parameters: Parameters<Transaction['row']>[1] = [],
): unknown[][] {
  const query = `SELECT CAST(json_group_array(json_array(${selected})) AS BLOB) AS found FROM ${from}`;
  const found = sql.row(query, parameters)?.found;
  if (!Buffer.isBuffer(found)) throw new IndexDamaged('An answer of the index is no text.');
  try {
    const list: unknown = JSON.parse(utf8.decode(found));
    if (Array.isArray(list) && list.every(Array.isArray)) return list;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw new IndexDamaged('An answer of the index is not what was written.');
}

/** The titles of all rows that `from` has, in its order; the parameters are one JSON list. */
export function recordsBy(sql: Transaction, from: string, parameters: readonly unknown[]): TitleRecord[] {
  return listBy(sql, columns, from, [JSON.stringify(parameters)]).map(titleRecordOf);
}

/** A title's row of the index, from the list of its columns. */
export function titleRecordOf(cells: readonly unknown[]): TitleRecord {
  const row: { [member: string]: unknown } = {};
  for (const [at, member] of members.entries()) row[member] = cells[at];
  const parsed = titleRecord.safeParse(row);
  if (parsed.success) return parsed.data;
  throw new IndexDamaged('A row of the index is not what was written.');
}

/**
 * Adds a title's row to the index, or writes over it.
 * @returns its number
 */
export function putRecord(sql: Transaction, record: Omit<TitleRecord, 'row'>): number {
  const cells = { ...record, row: null, kind: codeOfKind(record.kind), isOwn: record.isOwn ? 1 : 0 };
  const written = sql.row(put, [JSON.stringify(members.slice(1).map((member) => cells[member]))]);
  if (typeof written?.id !== 'number') throw new IndexDamaged('A row was written and has no number.');
  return written.id;
}

const written = names.slice(1);
const put = `
  INSERT INTO title (${written.join(', ')})
  SELECT ${written.map((_, at) => `j ->> ${at}`).join(', ')} FROM (SELECT CAST(? AS TEXT) AS j) WHERE true
  ON CONFLICT (kind, ref) DO UPDATE SET ${written
    .slice(2)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}
  RETURNING id`;

/** The title that a row of the index refers to by its kind's code and its id; none where that is no such pair. */
export function titleReferenceOf([code, id]: readonly unknown[]): TitleReference[] {
  const kind = kindOfCode(code);
  return kind === null || (typeof id !== 'number' && typeof id !== 'string') ? [] : [{ kind, id }];
}
