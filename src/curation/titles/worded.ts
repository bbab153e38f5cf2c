import type { Sql } from '../../storage/libsql/database.ts';
import { codeOfKind, isPartKind } from './kinds.ts';
import { keysOfName } from './name-keys.ts';
import type { TitleRecord } from './record.ts';
import { latinTermsOf, termsOf } from './terms.ts';
import type { TitleReference } from './title.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A title with everything that it is found by. */
export interface Worded {
  readonly record: TitleRecord;
  readonly targets: readonly TitleReference[];
  readonly creatorRow: number | null;
}

// Words for what a title belongs to. A word of a name never has letters and digits both, so none is mistaken for one.

/** The word of the index that everything of one show has. */
export function wordOfShow(show: number): string {
  return `show${show}`;
}

/** The word of the index that a Set for this target has. */
export function wordOfTarget({ kind, id }: TitleReference): string {
  return `of${codeOfKind(kind)}x${Buffer.from(String(id)).toString('hex')}`;
}

/** The word of the index that a Set of the creator in this row has. */
export function wordOfCreator(row: number): string {
  return `by${row}`;
}

/** The word of the index that every title of a kind has. */
export function wordOfKind(kind: TitleRecord['kind']): string {
  return `is${codeOfKind(kind)}`;
}

/**
 * Adds the words of a row to the index. What is known by its number alone has no words: it is found by what it
 * belongs to.
 */
export function addWords(sql: Sql, worded: Worded, vocabulary: Vocabulary): void {
  const { record } = worded;
  const { terms, belongings } = wordsOf(worded);
  if (record.name === null && belongings.length === 0) return;
  sql.run(`INSERT OR REPLACE INTO ${tableOf(record)} (rowid, words) VALUES (?, CAST(? AS TEXT))`, [
    record.row,
    [...terms, ...belongings, wordOfKind(record.kind)].join(' '),
  ]);
  for (const key of keysOf(record)) {
    sql.run('INSERT OR IGNORE INTO name_key (key, title) VALUES (CAST(? AS TEXT), ?)', [key, record.row]);
  }
  for (const term of terms) vocabulary.count(term, 1);
}

/** Takes the words of a row out of the index. */
export function removeWords(sql: Sql, worded: Worded, vocabulary: Vocabulary): void {
  const { record } = worded;
  sql.run(`DELETE FROM ${tableOf(record)} WHERE rowid = ?`, [record.row]);
  for (const key of keysOf(record)) {
    sql.run('DELETE FROM name_key WHERE key = CAST(? AS TEXT) AND title = ?', [key, record.row]);
  }
  for (const term of wordsOf(worded).terms) vocabulary.count(term, -1);
}

function tableOf({ kind }: TitleRecord): 'part_words' | 'work_words' {
  return isPartKind(kind) ? 'part_words' : 'work_words';
}

function keysOf({ kind, name }: TitleRecord): string[] {
  return name === null || isPartKind(kind) ? [] : keysOfName(name);
}

function wordsOf({ record, targets, creatorRow }: Worded): { terms: Set<string>; belongings: string[] } {
  const { name, show } = record;
  return {
    terms: new Set(name === null ? [] : [...termsOf(name), ...latinTermsOf(name)]),
    belongings: [
      ...(show === null ? [] : [wordOfShow(show)]),
      ...targets.map(wordOfTarget),
      ...(creatorRow === null ? [] : [wordOfCreator(creatorRow)]),
    ],
  };
}
