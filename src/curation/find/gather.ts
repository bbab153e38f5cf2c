import type { Transaction } from '../../store/libsql.ts';
import type { SpokenPart } from './asked.ts';
import { usesOf, wordOfCreator, wordOfKind, wordOfShow, wordOfTarget } from './index-words.ts';
import { columns, listBy, recordsBy, type TitleRecord, titleRecordOf } from './record.ts';
import { initialsMark, keyOfTerms, latinTermsOf, longestKey, termsOf } from './terms.ts';
import { codeOfKind, isPartKind, type TitleKind } from './title-index.ts';

/** For each word of what is asked the words of names that it may be; a text is what FTS5 matches. */
export type Groups = readonly (readonly string[])[];

/** So many of one kind of question are looked at: what is said exactly is found by its key, however many are like it. */
const most = 60;
/** And so many are read at most, to be compared with the words that were not asked for. */
const mostCompared = 200;
/** What it costs to read a row and compare it, in entries of the lists of words. */
const costOfRow = 600;
/** About so many seasons, episodes and Sets belong to one work. */
const usuallyBelonging = 60;
/** Spans of what is asked that may be a whole name. */
const mostSpans = 120;

export type Table = 'work_words' | 'part_words';

export interface Anchor {
  readonly record: TitleRecord;
  /** Which words of what is asked are its name. */
  readonly from: number;
  readonly to: number;
}

/** Finds what may be meant, without judging it; each question is one statement and bounded. */
export class Gathering {
  readonly #sql: Transaction;
  /** Of this kind alone, or of any. */
  readonly #kind: TitleKind | null;
  readonly records = new Map<number, TitleRecord>();
  /** What was asked before, with other words left out, is not asked again. */
  readonly #asked = new Map<string, TitleRecord[]>();
  /** In how many names a word stands. */
  readonly #uses = new Map<string, number>();
  #titles: number | null = null;

  constructor(sql: Transaction, kind: TitleKind | null) {
    this.#sql = sql;
    this.#kind = kind;
  }

  /** Works and creators whose whole name, a part of it or its initials are some of the words, the longest first. */
  byName(said: readonly SpokenPart[], isGuessed: boolean): Anchor[] {
    const spans = new Map<string, { from: number; to: number }>();
    const add = (key: string, from: number, to: number) => {
      if (key !== '' && !spans.has(key) && spans.size < mostSpans * 2)
        spans.set(key.slice(0, longestKey), { from, to });
    };
    for (let length = said.length; length > 0; length -= 1) {
      for (let from = 0; from + length <= said.length && spans.size < mostSpans; from += 1) {
        const terms = said.slice(from, from + length).map(({ term }) => term);
        add(keyOfTerms(terms), from, from + length);
        const letters = terms.join('');
        if (length < 3 && /^\p{L}{2,8}\d{0,2}$/u.test(letters))
          add(initialsMark + letters, from, from + length);
      }
    }
    for (const [at, { term }] of said.entries()) {
      if (!isGuessed) continue;
      for (const key of withoutInner(term)) add(initialsMark + key, at, at + 1);
    }
    const found = listBy(
      this.#sql,
      `key, ${columns}`,
      `(SELECT name_key.key, name_key.title AS row FROM json_each(CAST(? AS TEXT)) AS each
        CROSS JOIN name_key ON name_key.key = each.value
        LIMIT 200) CROSS JOIN title ON title.id = row`,
      [JSON.stringify([...spans.keys()])],
    );
    const anchors = found.flatMap(([key, ...cells]): Anchor[] => {
      const span = typeof key === 'string' ? spans.get(key) : undefined;
      return span === undefined ? [] : [{ record: this.#add(titleRecordOf(cells)), ...span }];
    });
    return anchors.sort((one, other) => other.to - other.from - (one.to - one.from));
  }

  /** Those that have a word of each group, works and parts apart. */
  byWords(
    groups: Groups,
    belonging: Groups = [],
    tables: readonly Table[] = ['work_words', 'part_words'],
    limit = most,
  ): TitleRecord[] {
    const counts = this.#countsOf(groups);
    if (groups.length + belonging.length === 0 || Math.min(...counts) === 0) return [];
    return tables
      .filter((table) => this.#kind === null || isPartKind(this.#kind) === (table === 'part_words'))
      .flatMap((table) => {
        const question = `${table} ${limit} ${JSON.stringify([groups, belonging])}`;
        const known = this.#asked.get(question);
        if (known !== undefined) return known;
        const found = this.#keep(this.#withAll(table, groups, counts, belonging, limit));
        this.#asked.set(question, found);
        return found;
      });
  }

  /** The first rows that have a word of each group: those of a few rare groups, compared with the others. */
  #withAll(
    table: Table,
    groups: Groups,
    counts: readonly number[],
    belonging: Groups,
    limit: number,
  ): TitleRecord[] {
    const some = this.#cheapest(groups, counts, belonging.length > 0, limit);
    if (some !== null) {
      const found = this.#matching(table, [...some, ...belonging], false, mostCompared);
      // Where there are more, those that have all may be behind them.
      if (found.length < mostCompared) {
        const isOfKind = ({ kind }: TitleRecord) => this.#kind === null || kind === this.#kind;
        return found.filter((record) => isOfKind(record) && hasAll(record, groups)).slice(0, limit);
      }
    }
    return this.#matching(table, [...groups, ...belonging], true, limit);
  }

  #matching(table: Table, groups: Groups, isOfKind: boolean, limit: number): TitleRecord[] {
    const words = groups.map(orOf);
    if (isOfKind && this.#kind !== null) words.push(quoted(wordOfKind(this.#kind)));
    const rows = `SELECT rowid AS row FROM ${table} WHERE ${table} MATCH (SELECT CAST(? AS TEXT) ->> 0)`;
    return recordsBy(this.#sql, `(${rows} LIMIT ${limit}) CROSS JOIN title ON title.id = row`, [
      words.join(' AND '),
    ]);
  }

  /**
   * Which groups to ask for, so that what has a word of each can be compared with the others: a word that every tenth
   * name has is a list of a hundred thousand, which takes longer than to read and compare the few that a rare word
   * leaves. Null: all of them, where that is as cheap.
   */
  #cheapest(groups: Groups, counts: readonly number[], isBelonging: boolean, limit: number): Groups | null {
    this.#titles ??= titlesIn(this.#sql);
    const all = Math.max(this.#titles, ...counts, 1);
    const order = groups.map((_, at) => at).sort((one, other) => (counts[one] ?? 0) - (counts[other] ?? 0));
    let listed = 0;
    let left = isBelonging ? usuallyBelonging : all;
    let best = { cost: Number.POSITIVE_INFINITY, length: 0 };
    for (let length = isBelonging ? 0 : 1; length <= order.length; length += 1) {
      const count = counts[order[length - 1] ?? -1] ?? 0;
      listed += length === 0 ? 0 : count;
      left *= length === 0 ? 1 : count / all;
      const cost = listed + costOfRow * left;
      if (left <= mostCompared / 2 && cost < best.cost) best = { cost, length };
    }
    // All together stop at the first ones, where they leave many.
    const whole = (listed + (this.#kind === null ? 0 : all / 2)) * Math.min(1, limit / left);
    if (whole + costOfRow * Math.min(left, limit) <= best.cost) return null;
    return order.slice(0, best.length).flatMap((at) => groups.slice(at, at + 1));
  }

  /** How many names have a word of each group, at most. */
  #countsOf(groups: Groups): number[] {
    const unknown = groups.flat().flatMap((one) => one.split(' ').filter((word) => !this.#uses.has(word)));
    if (unknown.length > 0) {
      const uses = usesOf(this.#sql, unknown);
      for (const word of unknown) this.#uses.set(word, uses.get(word) ?? 0);
    }
    // A text of several words stands in no more names than its rarest word.
    const most = (one: string) => Math.min(...one.split(' ').map((word) => this.#uses.get(word) ?? 0));
    return groups.map((group) => group.reduce((sum, one) => sum + most(one), 0));
  }

  /** What belongs to all of the records, with a word of each group in its own name: Sets, and episodes of a show. */
  belongingTo(records: readonly TitleRecord[], groups: Groups): void {
    this.byWords(groups, records.map(wordsOfBelonging), ['part_words']);
  }

  setsOf(record: TitleRecord): void {
    const words = record.kind === 'creator' ? wordOfCreator(record.row) : wordOfTarget(record);
    this.byWords([], [[words]], ['part_words']);
  }

  /** A season, an episode of it, or its last one; all seasons or episodes of a show where no number is given. */
  numbered(show: number, season: number | null, episode: number | 'last' | null): TitleRecord[] {
    const isLast = episode === 'last';
    const ofSeason = season === null ? '' : 'AND season = j ->> 1';
    const which =
      episode === null
        ? `AND kind = ${codeOfKind('season')}`
        : isLast
          ? `AND kind = ${codeOfKind('episode')} AND season > 0`
          : 'AND episode = j ->> 2';
    const order = isLast
      ? 'ORDER BY season DESC, episode DESC LIMIT 1'
      : `ORDER BY season, episode LIMIT ${most}`;
    return this.#ofShow(`${ofSeason} ${which} ${order}`, [show, season, isLast ? null : episode]);
  }

  /** Episodes of a show in their order. */
  episodesOf(show: number): void {
    this.#ofShow(`AND kind = ${codeOfKind('episode')} ORDER BY season, episode LIMIT 200`, [show]);
  }

  #ofShow(which: string, parameters: readonly unknown[]): TitleRecord[] {
    const rows = 'SELECT title.id AS row FROM title, (SELECT CAST(? AS TEXT) AS j) WHERE show = j ->> 0';
    return this.#keep(
      recordsBy(this.#sql, `(${rows} ${which}) CROSS JOIN title ON title.id = row`, parameters),
    );
  }

  #keep(records: readonly TitleRecord[]): TitleRecord[] {
    return records.map((record) => this.#add(record));
  }

  #add(record: TitleRecord): TitleRecord {
    this.records.set(record.row, record);
    return record;
  }
}

/** How many titles have a name. */
function titlesIn(sql: Transaction): number {
  const row = sql.row('SELECT sum(named) AS titles FROM tally', []);
  return typeof row?.titles === 'number' ? row.titles : 0;
}

function wordsOfBelonging(record: TitleRecord): string[] {
  if (record.kind === 'creator') return [wordOfCreator(record.row)];
  const isShow = record.kind === 'show' && typeof record.id === 'number';
  return [wordOfTarget(record), ...(isShow ? [wordOfShow(Number(record.id))] : [])];
}

/** Whether its own name has a word of each group. */
function hasAll({ name }: TitleRecord, groups: Groups): boolean {
  const terms = new Set(name === null ? [] : [...termsOf(name), ...latinTermsOf(name)]);
  return groups.every((group) => group.some((one) => one.split(' ').every((word) => terms.has(word))));
}

function orOf(group: readonly string[]): string {
  return `(${group
    .map((one) => one.split(' ').map(quoted).join(' AND '))
    .map((one) => `(${one})`)
    .join(' OR ')})`;
}

/** A word of ours has no quotation mark. */
function quoted(word: string): string {
  return `"${word}"`;
}

/** bsg stands for a name of two words that has an s within the first: bg. */
function withoutInner(term: string): string[] {
  if (!/^\p{L}{3,5}$/u.test(term)) return [];
  return Array.from({ length: term.length - 1 }, (_, at) => term.slice(0, at + 1) + term.slice(at + 2));
}
