import { canBeMisspelt, soundOf } from '../../model/names/likeness.ts';
import type { Transaction } from '../../store/libsql.ts';
import { listBy, type TitleRecord } from './record.ts';
import { keysOfName, latinTermsOf, termsOf } from './terms.ts';
import { codeOfKind, isPartKind, type TitleReference } from './title-index.ts';

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
export function addWords(sql: Transaction, worded: Worded, vocabulary: Vocabulary): void {
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
export function removeWords(sql: Transaction, worded: Worded, vocabulary: Vocabulary): void {
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

/** How often words stand in names; written once for all that a transaction has learnt. */
export class Vocabulary {
  readonly #sql: Transaction;
  readonly #more = new Map<string, number>();

  constructor(sql: Transaction) {
    this.#sql = sql;
  }

  count(word: string, more: number): void {
    this.#more.set(word, (this.#more.get(word) ?? 0) + more);
  }

  write(): void {
    const changed = [...this.#more].filter(([, more]) => more !== 0);
    if (changed.length === 0) return;
    const counts = JSON.stringify(changed);
    // Those that are new now, before all are written.
    const fresh = listBy(
      this.#sql,
      'each.value ->> 0',
      `json_each(CAST(? AS TEXT)) AS each WHERE NOT EXISTS (SELECT 1 FROM word WHERE text = each.value ->> 0)`,
      [counts],
    );
    this.#sql.run(
      `INSERT INTO word (text, uses) SELECT value ->> 0, value ->> 1 FROM json_each(CAST(? AS TEXT)) WHERE true
       ON CONFLICT (text) DO UPDATE SET uses = max(0, uses + excluded.uses)`,
      [counts],
    );
    const spelt = fresh.flatMap(([word]) =>
      typeof word === 'string' ? spellingsOf(word).map((key) => [key, word]) : [],
    );
    this.#sql.run(
      `INSERT OR IGNORE INTO spelling (key, word)
       SELECT each.value ->> 0, word.id FROM json_each(CAST(? AS TEXT)) AS each, word WHERE word.text = each.value ->> 1`,
      [JSON.stringify(spelt)],
    );
    this.#more.clear();
  }
}

/** How many names have each of the words, for those that any has. */
export function usesOf(sql: Transaction, words: readonly string[]): Map<string, number> {
  const from = 'json_each(CAST(? AS TEXT)) AS each CROSS JOIN word ON text = each.value';
  return new Map(wordsBy(sql, from, [JSON.stringify([...new Set(words)])]));
}

/** Words that some name has, with how many have them, among the rows of `from`. */
export function wordsBy(sql: Transaction, from: string, parameters: readonly string[]): [string, number][] {
  return listBy(sql, 'text, uses', `${from} WHERE uses > 0`, parameters).flatMap(
    ([word, uses]): [string, number][] =>
      typeof word === 'string' && typeof uses === 'number' ? [[word, uses]] : [],
  );
}

/** Marks the keys that are sounds: no word begins with it. */
const soundMark = '~';

/** What a word of the index is found by besides itself: with one letter left out, and by its sound. */
function spellingsOf(word: string): string[] {
  if (!canBeMisspelt(word)) return [];
  return [...new Set([...withoutOne(word), soundMark + soundOf(word)])];
}

/** What a mistyped word may be found by: with up to two letters left out, as it is, and by its sound. */
export function guessesOf(word: string): string[] {
  if (!canBeMisspelt(word)) return [];
  const once = withoutOne(word);
  const twice = word.length >= 7 ? once.flatMap(withoutOne) : [];
  return [...new Set([word, ...once, ...twice, soundMark + soundOf(word)])];
}

function withoutOne(word: string): string[] {
  return Array.from({ length: word.length }, (_, at) => word.slice(0, at) + word.slice(at + 1));
}
