import type { SqlRow, SqlValue } from '../../store/sql.ts';
import type { Compared } from './score.ts';
import { columns, type Entry, entryIn, hashOf, ofWorks } from './table.ts';
import { keyOf, termsOf } from './terms.ts';
import type { TitleReference } from './titles.ts';

export type Rows = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

/** Of several terms one has to be there. */
export type Group = readonly string[];

/** Names of this many things that a title is for are compared. */
const mostTargets = 4;
const mostKeyed = 30;
const mostNumbered = 40;

/** What was looked up for one question, with the names of what it belongs to. */
export class Candidates {
  readonly entries = new Map<number, Entry>();
  readonly #rows: Rows;
  readonly #names = new Map<string, string | null>();
  readonly #terms = new Map<string, readonly string[]>();
  /** The last episodes of what was asked for. */
  readonly #lasts = new Set<number>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async #select(where: string, ...values: readonly SqlValue[]): Promise<Entry[]> {
    const found = await this.#rows(`SELECT ${columns} FROM title WHERE ${where}`, ...values);
    const read = found.map(entryIn).filter((entry) => entry !== null);
    for (const entry of read) this.entries.set(entry.row, entry);
    return read;
  }

  /** Those that have a term of each group. */
  match(table: 'works' | 'parts', groups: readonly Group[], most: number): Promise<Entry[]> {
    // Terms are letters, figures and pictograms, and "_" before one of ours: none can end a quotation.
    const text = groups.map((group) => `(${group.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ');
    return this.#select(`id IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ? LIMIT ${most})`, text);
  }

  /** Titles that are the words, however they are separated; and works that are some that follow each other. */
  async keyed(words: readonly string[]): Promise<void> {
    const parts = words.flatMap((_, from) =>
      words.slice(from).map((__, length) => hashOf(keyOf(words.slice(from, from + length + 1)))),
    );
    await this.#select(`key = ? LIMIT ${mostKeyed}`, hashOf(keyOf(words)));
    const isPart = `key IN (${[...new Set(parts)].join()}) AND ${ofWorks}`;
    // Of many keys SQLite would rather look through all works.
    const works = `SELECT id FROM title INDEXED BY title_work WHERE ${isPart} LIMIT ${mostKeyed}`;
    await this.#select(`id IN (${works})`);
  }

  /** What a show has under a number. */
  async numbered(show: number, season: number | null, episode: number | 'last' | null): Promise<void> {
    const ofSeason = season === null ? '' : `AND season = ${season}`;
    if (episode === 'last') {
      const order = 'ORDER BY season DESC, episode DESC LIMIT 1';
      const last = await this.#select(`show = ? AND episode IS NOT NULL ${ofSeason} ${order}`, show);
      for (const { row } of last) this.#lasts.add(row);
    } else if (episode !== null) {
      await this.#select(`show = ? AND episode = ? ${ofSeason} LIMIT ${mostNumbered}`, show, episode);
    } else if (season !== null) {
      await this.#select(`show = ? AND season = ? AND kind = 'season'`, show, season);
    }
  }

  /** Reads the names of shows for their episodes, and of what Sets are for. */
  async learnNames(): Promise<void> {
    const wanted = new Map<string, number[]>();
    for (const entry of this.entries.values()) {
      for (const belongs of belongsTo(entry)) {
        if (this.#names.has(nameOf(belongs))) continue;
        this.#names.set(nameOf(belongs), null);
        wanted.set(belongs.kind, [...(wanted.get(belongs.kind) ?? []), Number(belongs.id)]);
      }
    }
    for (const [kind, ids] of wanted) {
      const all = `kind = ? AND ref IN (${ids.join()})`;
      const found = await this.#rows(`SELECT ${columns} FROM title WHERE ${all}`, kind);
      for (const entry of found.map(entryIn)) if (entry !== null) this.#names.set(nameOf(entry), entry.name);
    }
  }

  nameOf(title: TitleReference): string | null {
    return this.#names.get(nameOf(title)) ?? null;
  }

  compared(entry: Entry): Compared {
    const around = [...belongsTo(entry).map((one) => this.nameOf(one)), entry.creator];
    return {
      ...entry,
      isLast: this.#lasts.has(entry.row),
      name: entry.name === null || entry.kind === 'season' ? [] : this.#termsOf(entry.name),
      around: around.flatMap((name) => (name === null ? [] : [this.#termsOf(name)])),
    };
  }

  #termsOf(name: string): readonly string[] {
    const terms = this.#terms.get(name) ?? termsOf(name);
    this.#terms.set(name, terms);
    return terms;
  }
}

function belongsTo({ show, targets }: Entry): TitleReference[] {
  const its = targets.slice(0, mostTargets);
  return show === null ? its : [{ kind: 'show', id: show }, ...its];
}

function nameOf({ kind, id }: TitleReference): string {
  return `${kind} ${id}`;
}
