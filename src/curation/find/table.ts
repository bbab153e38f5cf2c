import { createHash } from 'node:crypto';
import { isSetKind } from '../../model/kinds.ts';
import type { SqlRow } from '../../store/sql.ts';
import { keyOf, otherTermsOf, termsOf } from './terms.ts';
import { isTitleKind, readKinds, type Sighting, type TitleKind, type TitleReference } from './titles.ts';

/** Whether a row is a work's, as an index of the table has it. */
export const ofWorks = `kind IN (${readKinds.map((kind) => `'${kind}'`).join()})`;

const fts = (options: string) => `USING fts5(terms, content = '', detail = none, ${options}
    tokenize = "ascii tokenchars '_'")`;

/**
 * Titles, and what they are found by: terms of works, terms of what is in works, and for slips the trigrams of words.
 * `due`: a work is to be read, since it changed then, ms, or at 0 since it never was.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS title (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref NOT NULL, name TEXT, key INTEGER,
    year INTEGER, show INTEGER, season INTEGER, episode INTEGER, creator TEXT, targets TEXT, updated TEXT,
    read INTEGER, due INTEGER);
  CREATE UNIQUE INDEX IF NOT EXISTS title_named ON title (kind, ref);
  CREATE INDEX IF NOT EXISTS title_keyed ON title (key) WHERE key IS NOT NULL;
  CREATE INDEX IF NOT EXISTS title_work ON title (key) WHERE ${ofWorks};
  CREATE INDEX IF NOT EXISTS title_numbered ON title (show, season, episode) WHERE show IS NOT NULL;
  CREATE INDEX IF NOT EXISTS title_due ON title (due) WHERE due IS NOT NULL;
  CREATE VIRTUAL TABLE IF NOT EXISTS works ${fts('contentless_delete = 1,')};
  CREATE VIRTUAL TABLE IF NOT EXISTS parts ${fts('contentless_delete = 1,')};
  CREATE TABLE IF NOT EXISTS word (id INTEGER PRIMARY KEY, text NOT NULL UNIQUE);
  CREATE VIRTUAL TABLE IF NOT EXISTS slips ${fts('columnsize = 0,')};
  CREATE TABLE IF NOT EXISTS named (kind TEXT PRIMARY KEY, count INTEGER NOT NULL);
  CREATE TRIGGER IF NOT EXISTS title_made AFTER INSERT ON title WHEN new.name IS NOT NULL BEGIN
    INSERT INTO named VALUES (new.kind, 1) ON CONFLICT (kind) DO UPDATE SET count = count + 1; END;
  CREATE TRIGGER IF NOT EXISTS title_told AFTER UPDATE OF name ON title
    WHEN old.name IS NULL AND new.name IS NOT NULL BEGIN
    INSERT INTO named VALUES (new.kind, 1) ON CONFLICT (kind) DO UPDATE SET count = count + 1; END;
  CREATE TRIGGER IF NOT EXISTS title_gone AFTER DELETE ON title WHEN old.name IS NOT NULL BEGIN
    UPDATE named SET count = count - 1 WHERE kind = old.kind; END;
  CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

export interface Entry extends TitleReference {
  readonly row: number;
  readonly name: string | null;
  readonly year: number | null;
  readonly show: number | null;
  readonly season: number | null;
  readonly episode: number | null;
  readonly creator: string | null;
  readonly targets: readonly TitleReference[];
  readonly updated: string | null;
}

export const columns = 'id, kind, ref, name, year, show, season, episode, creator, targets, updated';

export function entryIn(row: SqlRow): Entry | null {
  const kind = textOf(row.kind) ?? '';
  const name = textOf(row.name);
  const id = kind === 'creator' ? name : numberOf(row.ref);
  if (!isTitleKind(kind) || id === null) return null;
  return {
    ...{ row: numberOf(row.id) ?? 0, kind, id, name, year: numberOf(row.year), show: numberOf(row.show) },
    ...{ season: numberOf(row.season), episode: numberOf(row.episode), creator: textOf(row.creator) },
    ...{ targets: targetsIn(textOf(row.targets) ?? ''), updated: textOf(row.updated) },
  };
}

/** How the file names a title within its kind: creators are told apart by their letters alone. */
export function refOf({ kind, id }: TitleReference): number | string {
  return kind === 'creator' ? keyOf(termsOf(String(id))) || String(id) : Number(id);
}

export function targetsText({ targets = [] }: Sighting): string | null {
  return targets.map(({ kind, id }) => `${kind}:${id}`).join(' ') || null;
}

function targetsIn(text: string): TitleReference[] {
  return text.split(' ').flatMap((one) => {
    const [kind = '', id] = one.split(':');
    return isTitleKind(kind) ? [{ kind, id: Number(id) }] : [];
  });
}

/** Where the terms of a title stand: what may be a part of others apart from works. Seasons are found by number. */
export function tableOf(kind: TitleKind): 'works' | 'parts' | null {
  if (kind === 'season') return null;
  return kind === 'episode' || isSetKind(kind) ? 'parts' : 'works';
}

/** All that a title is found by. */
export function indexedTerms(entry: Entry): string[] {
  const { kind, name, show, creator, targets } = entry;
  const names = name === null ? [] : [...termsOf(name), ...otherTermsOf(name, tableOf(kind) === 'works')];
  const its = [...(show === null ? [] : [{ kind: 'show', id: show } as const]), ...targets];
  return [
    ...new Set([
      ...names,
      ofKind(kind),
      ...(isSetKind(kind) ? [ofKind('set')] : []),
      ...its.map(ofTarget),
      ...(creator === null ? [] : [ofCreator(creator)]),
    ]),
  ];
}

/** `set`: Sets and groups of all kinds. */
export const ofKind = (kind: TitleKind | 'set'): string => `_k${kind}`;
export const ofTarget = ({ kind, id }: TitleReference): string => `_t${kind}${id}`;
export const ofCreator = (name: string): string => `_c${hashOf(keyOf(termsOf(name)))}`;

/** Of what all spellings of a name share: 32 bits, so that it may be another name's. */
export function hashOf(key: string): number {
  return createHash('sha1').update(key).digest().readUInt32LE(0);
}

/** The parts of three letters that a word has, its ends among them. */
export function trigramsOf(word: string): string[] {
  const padded = `_${word}_`;
  return [...new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)))];
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
