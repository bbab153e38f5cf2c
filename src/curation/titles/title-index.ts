import type { Seen, Sighting, TitleId, TitleKind, TitleReference } from './title.ts';

/** What is asked: at least one of the words, the creator and the target. */
export interface TitleQuestion {
  readonly query?: string | undefined;
  /** A kind, or any Set or group. */
  readonly kind?: TitleKind | 'set' | undefined;
  readonly createdBy?: string | undefined;
  readonly target?: TitleReference | undefined;
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

/** A title that is known by its id alone, or whose own record was not read since a moment. */
export interface Due extends TitleReference {
  readonly name: string | null;
  /** When its own record was last read, ms; null for never. */
  readonly readAt: number | null;
}

/**
 * Everything that went by of one service, to be found by name (a file of its own below ARTWORK_HOME, which several
 * processes may use at once). It is a cache: a damaged file is set aside and begun anew.
 * Rejections are ArtworkErrors of the store: store_full, store_busy, store_unsupported, store_unreadable.
 */
export interface TitleIndex {
  /** Keeps what was seen, and with the last of it a note; written when it resolves. */
  learn(sightings: readonly Sighting[], note?: Note): Promise<void>;
  /** The catalogue does not have it any more: it is found no longer. */
  forget(gone: TitleReference): Promise<void>;
  search(question: TitleQuestion): Promise<Findings>;
  /** Ids of a kind that begin with these digits, ascending. */
  idsFrom(kind: TitleKind, digits: string, limit: number): Promise<readonly number[]>;
  seen(): Promise<Seen>;
  /** Whether it has reached its bound: of titles that it does not have, only an account's own are still added. */
  isFull(): Promise<boolean>;
  /** Where a damaged file was set aside in the last day, ISO 8601, else null. */
  rebuilt(): Promise<string | null>;

  // For what reads the catalogue on its own, to fill the index.

  /** Those of a kind that a reading has to go to: never read themselves first, then those that were not read since `readBefore` (ms), by id. */
  due(kind: TitleKind, readBefore: number, limit: number, only?: DueOnly): Promise<readonly Due[]>;
  /** How many of all these there are, one that is in two of them counted once. */
  countDue(wanted: readonly (readonly [TitleKind, DueOnly])[], readBefore: number): Promise<number>;
  /** What the reader of the catalogue has noted under a name, such as where it goes on. */
  note(name: string): Promise<string | null>;
  /** Null takes it away. */
  setNote(name: string, value: string | null): Promise<void>;
  /**
   * One of all processes on this machine may hold a name for a time, and prolong it.
   * @param insteadOf one that surely holds nothing any more
   * @returns whether `holder` has it now
   */
  hold(name: string, holder: string, forMs: number, insteadOf?: string): Promise<boolean>;
  /** Who held it last, though the time may be over. */
  holderOf(name: string): Promise<string | null>;
  /** A whole reading of the catalogue has ended at this moment (ms); null: it has to be begun anew. */
  setComplete(at: number | null): Promise<void>;
  close(): Promise<void>;
}
