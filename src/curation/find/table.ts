import { isSetKind } from '../../model/kinds.ts';
import {
  isTitleKind,
  readKinds,
  type Sighting,
  type TitleKind,
  type TitleReference,
} from '../../model/sightings.ts';
import type { Transaction } from '../../store/libsql.ts';
import type { SqlRow } from '../../store/sql.ts';
import { abbreviationsOf, keyOf, termsOf } from './terms.ts';
import type { TitleFacts } from './titles.ts';

/** Whether a row is a work's, as an index of the table has it. */
export const ofWorks = `kind IN (${readKinds.map((kind) => `'${kind}'`).join()})`;

/** Whether a work is to be read: it never was, or has changed since. */
export const isDue = `(${ofWorks} AND (read IS NULL OR changed > read))`;

const facts = 'name year show season episode creator targets updated read'.split(' ');
/** The database writes a number that has no type as eight bytes. */
const numbers = 'year INTEGER, show INTEGER, season INTEGER, episode INTEGER, read INTEGER';
const fts = (options: string) => `USING fts5(terms, content = '', detail = none, ${options},
    tokenize = "ascii tokenchars '_'")`;

/** Where the terms of a title stand: what may be a part of others apart from works. Seasons are found by number. */
export type TermTable = 'works' | 'parts';

/**
 * Titles, and what they are found by: terms of works, terms of what is in works, and for slips the grams of words.
 * `read`, `changed`: when a record was read, and when a feed says that it changed, ms. `named`: titles with a name.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS title (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref INTEGER NOT NULL,
    ${numbers}, changed INTEGER NOT NULL, name TEXT, creator TEXT, targets TEXT, updated TEXT);
  CREATE UNIQUE INDEX IF NOT EXISTS title_named ON title (kind, ref);
  CREATE INDEX IF NOT EXISTS title_numbered ON title (show, season, episode) WHERE show IS NOT NULL;
  CREATE INDEX IF NOT EXISTS title_due ON title (changed) WHERE ${isDue};
  CREATE VIRTUAL TABLE IF NOT EXISTS works ${fts('contentless_delete = 1')};
  CREATE VIRTUAL TABLE IF NOT EXISTS parts ${fts('contentless_delete = 1')};
  CREATE TABLE IF NOT EXISTS word (id INTEGER PRIMARY KEY, text NOT NULL UNIQUE);
  CREATE VIRTUAL TABLE IF NOT EXISTS slips ${fts('columnsize = 0')};
  CREATE TABLE IF NOT EXISTS named (kind TEXT PRIMARY KEY, count INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS reader (one INTEGER PRIMARY KEY, holder TEXT, last INTEGER, count INTEGER);
  CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

export interface Entry extends TitleFacts {
  readonly row: number;
  readonly show: number | null;
  readonly targets: readonly TitleReference[];
}

export const columns = `id, kind, ref, changed, ${facts.join()}`;

export function entryIn(row: SqlRow): Entry | null {
  const [kind, name] = [textOf(row.kind) ?? '', textOf(row.name)];
  const id = kind === 'creator' ? name : numberOf(row.ref);
  if (!isTitleKind(kind) || id === null) return null;
  const targets = (textOf(row.targets) ?? '').split(' ').flatMap((one) => {
    const [of = '', its] = one.split(':');
    return isTitleKind(of) ? [{ kind: of, id: Number(its) }] : [];
  });
  return {
    ...{ row: numberOf(row.id) ?? 0, kind, id, name, year: numberOf(row.year), show: numberOf(row.show) },
    ...{ season: numberOf(row.season), episode: numberOf(row.episode), creator: textOf(row.creator) },
    ...{ targets, updated: textOf(row.updated) },
  };
}

// A sighting without a fact leaves the fact that is stored.
const remember = `INSERT INTO title (kind, ref, changed, ${facts.join()})
  VALUES (?, ?, ?, ${facts.map(() => '?').join()}) ON CONFLICT (kind, ref) DO UPDATE SET
  changed = max(excluded.changed, changed),
  ${facts.map((fact) => `${fact} = coalesce(excluded.${fact}, ${fact})`).join()} RETURNING ${columns}`;

/**
 * @param known words that the file has for slips
 * @returns the words of this title that it has now too
 */
export function rememberTitle(
  transaction: Transaction,
  seen: Sighting,
  now: number,
  known: ReadonlySet<string>,
): string[] {
  // The file tells creators apart by their letters alone; the word keeps a name of figures from being a number.
  const ref = seen.kind === 'creator' ? `by ${keyOf(termsOf(`${seen.id}`)) || seen.id}` : seen.id;
  const place = [seen.kind, ref] as const;
  const [row] = transaction.rows(`SELECT ${columns} FROM title WHERE kind = ? AND ref = ?`, place);
  const before = row === undefined ? null : entryIn(row);
  const { kind, year, show, season, episode, targets = [], updated, changed = 0 } = seen;
  const name = (kind === 'creator' ? String(seen.id) : seen.name) || null;
  const its = targets.map((target) => `${target.kind}:${target.id}`).join(' ') || null;
  const read = seen.whole === true ? now : null;
  const said = [name, year, show, season, episode, seen.creator || null, its, updated, read];
  // A page names its shows over and over.
  const isKnown = facts.every((fact, at) => said[at] == null || said[at] === row?.[fact]);
  if (row !== undefined && isKnown && changed <= (numberOf(row.changed) ?? 0)) return [];
  const [made] = transaction.rows(remember, [...place, changed, ...said.map((each) => each ?? null)]);
  const after = made === undefined ? null : entryIn(made);
  if (after === null) return [];
  if (after.name !== null && (before?.name ?? null) === null) transaction.run(countNamed, [kind]);
  const [table, terms] = [tableOf(kind), indexedTerms(after)];
  if (table === null || (before !== null && indexedTerms(before).join() === terms.join())) return [];
  if (before !== null) transaction.run(`DELETE FROM ${table} WHERE rowid = ?`, [after.row]);
  transaction.run(`INSERT INTO ${table} (rowid, terms) VALUES (?, ?)`, [after.row, terms.join(' ')]);
  const words = terms.filter((term) => misspelt.test(term) && !known.has(term));
  for (const word of words) rememberWord(transaction, word);
  return words;
}

const countNamed = 'INSERT INTO named VALUES (?, 1) ON CONFLICT (kind) DO UPDATE SET count = count + 1';

function tableOf(kind: TitleKind): TermTable | null {
  if (kind === 'season') return null;
  return kind === 'episode' || isSetKind(kind) ? 'parts' : 'works';
}

/** All that a title is found by. */
function indexedTerms({ kind, name, show, creator, targets }: Entry): string[] {
  const words = termsOf(name ?? '');
  const isWork = tableOf(kind) === 'works' && words.length > 0;
  const its = [...(show === null ? [] : [{ kind: 'show', id: show } as const]), ...targets];
  return [
    ...new Set([
      ...words,
      ...(isWork ? [asWhole(words), ...abbreviationsOf(name ?? '').map(asAbbreviation)] : []),
      ofKind(kind),
      ...(isSetKind(kind) ? [ofKind('set')] : []),
      ...its.map(ofTarget),
      ...(creator === null ? [] : [ofCreator(creator)]),
    ]),
  ];
}

export const asAbbreviation = (letters: string): string => `_i${letters}`;
/** `set`: Sets and groups of all kinds. */
export const ofKind = (kind: TitleKind | 'set'): string => `_k${kind}`;
export const ofTarget = ({ kind, id }: TitleReference): string => `_t${kind}${id}`;
export const ofCreator = (name: string): string => `_c${keyOf(termsOf(name))}`;
/** Of a work: its whole name, however its words are separated. */
export const asWhole = (words: readonly string[]): string => `_n${keyOf(words)}`;

/** Words that people misspell: figures and signs are what they are. */
export const misspelt = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]{4,24}$/u;

function rememberWord(transaction: Transaction, word: string): void {
  const [made] = transaction.rows('INSERT OR IGNORE INTO word (text) VALUES (?) RETURNING id', [word]);
  if (made === undefined) return;
  const grams = [3, 4].flatMap((size) => gramsOf(word, size)).join(' ');
  transaction.run('INSERT INTO slips (rowid, terms) VALUES (?, ?)', [numberOf(made.id), grams]);
}

/** The grams to look for where a word may have a slip. One slip leaves one of them whole: of three letters, in longer words of four. */
export function slipsOf(word: string): string[] {
  return gramsOf(word, word.length <= 6 ? 3 : 4);
}

/** The parts of so many letters that a word has, its ends among them. */
function gramsOf(word: string, size: number): string[] {
  const padded = `_${word}_`;
  const parts = Array.from({ length: padded.length - size + 1 }, (_, at) => padded.slice(at, at + size));
  return [...new Set(parts)];
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
