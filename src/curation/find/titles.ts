import type { TitleKind, TitleReference } from '../../model/sightings.ts';

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

/** The facts of a title. A fact is null where no record has shown it. */
export interface TitleFacts extends TitleReference {
  /** Null where only its number was seen, as of episodes in Sets. */
  readonly name: string | null;
  readonly year: number | null;
  readonly season: number | null;
  readonly episode: number | null;
  readonly creator: string | null;
  readonly updated: string | null;
}

export interface Hit extends TitleFacts {
  readonly show: { readonly id: number; readonly name: string | null } | null;
  readonly target: (TitleReference & { readonly name: string | null }) | null;
  /** 1 for exactly what was asked; below 0.6 it only resembles it. */
  readonly likeness: number;
}

export interface Findings {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** How many are like it, among those that were looked at. */
  readonly total: number;
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
