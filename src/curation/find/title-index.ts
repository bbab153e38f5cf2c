import {
  type AdmissionKind,
  allKinds,
  allSetKinds,
  isKind,
  isSetKind,
  type Kind,
  kinds,
  type SetKind,
  setKinds,
} from '../../model/kinds.ts';
import { isWorkKind } from '../../model/work.ts';
import type { Transaction } from '../../store/libsql.ts';

/** What is asked: at least one of the words, the creator and the target. */
export interface TitleQuestion {
  readonly query?: string | undefined;
  /** A kind, or any Set or group. */
  readonly kind?: TitleKind | 'set' | undefined;
  readonly createdBy?: string | undefined;
  readonly target?: TitleReference | undefined;
  /** These are left out, and not counted. */
  readonly without?: readonly TitleReference[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface Hit {
  readonly kind: TitleKind;
  readonly id: TitleId;
  /** Null where only its number was seen, as of episodes in Sets. */
  readonly name: string | null;
  readonly year: number | null;
  readonly date: string | null;
  readonly show: { readonly id: number; readonly name: string | null } | null;
  readonly season: number | null;
  readonly episode: number | null;
  readonly creator: string | null;
  readonly target: (TitleReference & { readonly name: string | null }) | null;
  readonly slot: string | null;
  readonly language: string | null;
  readonly updated: string | null;
  readonly isOwn: boolean;
  /** When a record last showed it, ISO 8601. */
  readonly seen: string;
  /** 1 for exactly what was asked; below 0.5 it only resembles it. */
  readonly likeness: number;
  /** It is called otherwise: what was said is only like a word of its name. */
  readonly isGuessed: boolean;
}

export interface Findings {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** How many are like it, among those that were looked at. */
  readonly total: number;
}

/** `unnamed`: only what is known by its id alone. */
export type DueOnly = 'unnamed' | 'unread';

/** What the reader of the catalogue keeps for itself. */
export interface Note {
  readonly name: string;
  readonly value: string;
}

/**
 * Everything that was read of one service, to be found by name (a file of its own below ARTWORK_HOME, which several
 * processes may use at once). It is a cache: a damaged file is set aside and begun anew.
 * Rejections are ArtworkErrors of the store: store_full, store_busy, store_unsupported, store_unreadable.
 */
export interface TitleIndex {
  /** Keeps what was seen, and with the last of it a note; written when it resolves. */
  learn(sightings: readonly Sighting[], note?: Note): Promise<void>;
  /** The catalogue does not have it any more: it is found no longer. */
  forget(gone: TitleReference): Promise<void>;
  search(question: TitleQuestion): Promise<Findings>;
  /** Reads these titles, as far as it has them, in any order. */
  find(titles: readonly TitleReference[]): Promise<readonly Hit[]>;
  /** Ids of a kind that begin with these digits, ascending. */
  idsFrom(kind: TitleKind, digits: string, limit: number): Promise<readonly number[]>;
  seen(): Promise<Seen>;
  /** Whether it has reached its bound: titles that it does not have are not added any more. */
  isFull(): Promise<boolean>;
  /** Where a damaged file was set aside in the last day, ISO 8601, else null. */
  rebuilt(): Promise<string | null>;

  // For what reads the catalogue on its own, to fill the index.

  /** What a feed has named since it was read itself, newest first. */
  changed(limit: number): Promise<readonly TitleReference[]>;
  /** Those of a kind that a reading has to go to: never read themselves first, then those that were not read since `readBefore` (ms), by id. */
  due(kind: TitleKind, readBefore: number, limit: number, only?: DueOnly): Promise<readonly TitleReference[]>;
  /** How many of all these there are, one that is in two of them counted once. */
  countDue(wanted: readonly (readonly [TitleKind, DueOnly])[], readBefore: number): Promise<number>;
  /** What the reader of the catalogue has noted under a name, such as where it goes on. */
  note(name: string): Promise<string | null>;
  /** Null takes it away. */
  setNote(name: string, value: string | null): Promise<void>;
  /** Sets a note as long as it is still `before`, whatever other processes do. Null: there is none. @returns whether it did */
  swapNote(name: string, before: string | null, after: string | null): Promise<boolean>;
  /** A whole reading of the catalogue has ended at this moment (ms); null: it has to be begun anew. */
  setComplete(at: number | null): Promise<void>;
  close(): Promise<void>;
}

/** Sets of the account's own that public reads have none of. */
type OwnSetKind = Exclude<AdmissionKind, 'media_set' | 'brand_set'>;
export type TitleSetKind = SetKind | OwnSetKind;

/** What the index holds, in the words that calls and answers use: entities, Sets and groups, creators and own Assets. */
export type TitleKind = Kind | TitleSetKind | 'creator' | 'asset';

/** As `storedAs` in the model's tables. */
const otherCodes: Readonly<Record<Exclude<TitleKind, Kind | SetKind>, number>> = {
  talent_set: 15,
  category_set: 16,
  creator: 19,
  asset: 20,
};

/** How the file writes a kind. */
export function codeOfKind(kind: TitleKind): number {
  if (isKind(kind)) return kinds[kind].storedAs;
  return isSetKind(kind) ? setKinds[kind].storedAs : otherCodes[kind];
}

export const titleKinds: readonly TitleKind[] = [
  ...allKinds,
  ...allSetKinds,
  ...(['talent_set', 'category_set', 'creator', 'asset'] as const),
].sort((one, other) => codeOfKind(one) - codeOfKind(other));

const kindsByCode: ReadonlyMap<unknown, TitleKind> = new Map(
  titleKinds.map((kind) => [codeOfKind(kind), kind]),
);

/** The kind that a code of the index stands for; null for none. */
export function kindOfCode(code: unknown): TitleKind | null {
  return kindsByCode.get(code) ?? null;
}

/** Whether a word is the kind of a Set or group, an account's own too. */
export function isTitleSetKind(kind: string): kind is TitleSetKind {
  return isSetKind(kind) || kind === 'talent_set' || kind === 'category_set';
}

export const titleSetKinds = titleKinds.filter(isTitleSetKind);

/** Whether titles of this kind belong to a work, as seasons, episodes, Assets and Sets do: they are found by that too. */
export function isPartKind(kind: TitleKind): boolean {
  return !isWorkKind(kind) && kind !== 'creator';
}

/** An entity, Set or group by its number, a creator by name, an Asset by its UUID. */
export type TitleId = number | string;

export interface TitleReference {
  readonly kind: TitleKind;
  readonly id: TitleId;
}

/**
 * What one record has shown of a title. What is left out or null is not known, and takes away nothing that is.
 * Names are other people's writing: cleaned, one line, 500 characters at most.
 */
export interface Sighting extends TitleReference {
  readonly name?: string | null | undefined;
  readonly year?: number | null | undefined;
  /** First aired or released, `YYYY-MM-DD`. */
  readonly date?: string | null | undefined;
  /** Of a season or an episode: the show's id. */
  readonly show?: number | null | undefined;
  /** Of a season or an episode; 0 for specials. */
  readonly season?: number | null | undefined;
  readonly episode?: number | null | undefined;
  /** Of a Set: who made it. */
  readonly creator?: string | null | undefined;
  /** Of a Set or an Asset: what it is for; of a group: what its Sets are for. All that there are, the first the chief one. */
  readonly targets?: readonly TitleReference[] | undefined;
  readonly slot?: string | null | undefined;
  readonly language?: string | null | undefined;
  /** ISO 8601, when the service says that a Set was last changed. */
  readonly updated?: string | null | undefined;
  /** A record of the account's own, from a protected read: only that account's part of the index learns it. */
  readonly isOwn?: boolean | undefined;
  /** The record itself was read, not one that mentions it. */
  readonly whole?: boolean | undefined;
  /** When a feed says that something of it was changed, ms; 0 where it doesn't say when. */
  readonly changed?: number | undefined;
}

/** How much the index has seen. */
export interface Seen {
  /** Everything with a name, of any kind. */
  readonly titles: number;
  readonly shows: number;
  readonly films: number;
  /** Whether one reading has been through the whole catalogue since the index was begun. */
  readonly complete: boolean;
  /** Of the whole reading where there was one, else of the latest record; ISO 8601, null for an empty index. */
  readonly asOf: string | null;
}

/** Whether titles of this kind are for targets, as Assets and Sets are. */
export function hasTargets(kind: TitleKind): boolean {
  return isTitleSetKind(kind) || kind === 'asset';
}

/** Bytes: room for some three million titles. The log beside the file and what is written last come on top. */
export const largestIndex = 1024 ** 3;

/**
 * Whether the index has reached its largest size. What is free within the file is used first, so it counts as room.
 */
export function isFull(sql: Transaction, largest: number): boolean {
  const row = sql.row(
    `SELECT (page_count - freelist_count) * page_size AS bytes
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    [],
  );
  return typeof row?.bytes === 'number' && row.bytes >= largest;
}

/** For a person, where `complete`: public reads have no list of films, games or people (interface document, Endpoints). */
export const listedWords =
  'the service lists its episodes and what changed lately. A film, game or person that nothing of this names is found by its id alone, and a Set where its show lists it or it was read.';

/** For a person, where `isFull`. */
export const fullWords =
  'The index of titles has its largest size, 1 GiB: what it does not know yet is no longer added. To have it begun anew, a person can remove the folder "titles" in the data directory (ARTWORK_HOME).';
