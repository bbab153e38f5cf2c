import type { Row, Sql } from '../../storage/libsql/database.ts';
import { IndexDamaged } from './index-file.ts';
import { codeOfKind, kindOfCode, type TitleId, type TitleKind, type TitleReference } from './title-index.ts';

/** A title as its row holds it. */
export interface TitleRecord {
  /** Of the row, in this file only. */
  readonly row: number;
  readonly kind: TitleKind;
  readonly id: TitleId;
  readonly name: string | null;
  readonly year: number | null;
  readonly date: string | null;
  readonly show: number | null;
  readonly season: number | null;
  readonly episode: number | null;
  readonly creator: string | null;
  readonly slot: string | null;
  readonly language: string | null;
  readonly updated: string | null;
  readonly owner: string | null;
  /** Whether public reads have shown it. */
  readonly isPublic: boolean;
  /** ms */
  readonly seen: number;
  /** ms; null: its own record was never read. */
  readonly read: number | null;
}

export const columns =
  'title.id, title.kind, title.ref, title.name, title.year, title.date, title.show, title.season, title.episode, title.creator, title.slot, title.language, title.updated, title.owner, title.public, title.seen, title.read';

/** Rows come as one text each way: a text in a parameter would be a BLOB, and a row of many columns costs as many crossings. */
export const jsonColumn = `json_array(${columns})`;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON list in a row of the index.
 * @param query that answers `found`, one BLOB of a JSON list
 */
export function jsonListOf(row: Row | null): unknown[] {
  const found = row?.found;
  if (!Buffer.isBuffer(found)) throw new IndexDamaged('An answer of the index is no text.');
  try {
    const list: unknown = JSON.parse(utf8.decode(found));
    if (Array.isArray(list)) return list;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw new IndexDamaged('An answer of the index is not what was written.');
}

/** All rows that a query with the columns of `asJson` finds, in its order. */
export function recordsBy(sql: Sql, query: string, parameters: readonly unknown[]): TitleRecord[] {
  return jsonListOf(sql.row(query, [JSON.stringify(parameters)])).map(titleRecordOf);
}

/** A title's row of the index, from the list of its columns. */
export function titleRecordOf(value: unknown): TitleRecord {
  const cells: unknown[] = Array.isArray(value) ? value : [];
  const [
    row,
    code,
    id,
    name,
    year,
    date,
    show,
    season,
    episode,
    creator,
    slot,
    language,
    updated,
    owner,
    open,
    seen,
    read,
  ] = cells;
  const kind = kindOfCode(code);
  if (kind === null || !isWhole(row) || !isWhole(seen) || !(isWhole(id) || typeof id === 'string')) {
    throw new IndexDamaged('A row of the index is not what was written.');
  }
  return {
    row,
    kind,
    id,
    name: text(name),
    year: whole(year),
    date: text(date),
    show: whole(show),
    season: whole(season),
    episode: whole(episode),
    creator: text(creator),
    slot: text(slot),
    language: text(language),
    updated: text(updated),
    owner: text(owner),
    isPublic: open === 1,
    seen,
    read: whole(read),
  };
}

/**
 * Adds a title's row to the index, or writes over it.
 * @returns its number
 */
export function putRecord(sql: Sql, record: Omit<TitleRecord, 'row'>): number {
  const cells = [
    codeOfKind(record.kind),
    record.id,
    record.name,
    record.year,
    record.date,
    record.show,
    record.season,
    record.episode,
    record.creator,
    record.slot,
    record.language,
    record.updated,
    record.owner,
    record.isPublic ? 1 : 0,
    record.seen,
    record.read,
  ];
  const written = sql.row(put, [JSON.stringify(cells)]);
  if (!isWhole(written?.id)) throw new IndexDamaged('A row was written and has no number.');
  return written.id;
}

const names = columns.replaceAll('title.', '').split(', ').slice(1);
const put = `
  INSERT INTO title (${names.join(', ')})
  SELECT ${names.map((_, at) => `j ->> ${at}`).join(', ')} FROM (SELECT CAST(? AS TEXT) AS j) WHERE true
  ON CONFLICT (kind, ref) DO UPDATE SET ${names
    .slice(2)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}
  RETURNING id`;

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function whole(value: unknown): number | null {
  return isWhole(value) ? value : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The title that a row of the index refers to by its kind's code and its id; none where that is no such pair. */
export function titleReferenceOf(value: unknown): TitleReference[] {
  const [code, id]: unknown[] = Array.isArray(value) ? value : [];
  const kind = kindOfCode(code);
  return kind === null || (typeof id !== 'number' && typeof id !== 'string') ? [] : [{ kind, id }];
}
