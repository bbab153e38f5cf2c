/**
 * File names as people have them, each with what a careful curator would make of it: what the folder matcher of
 * `plan_set` is measured by. Records carry the members of the interface document (Resources and their fields).
 */

/** `YYYY-MM-DD`. */
export type IsoDate = string;

export interface EpisodeRecord {
  readonly id: number;
  readonly episodeNumber: number;
  readonly title: string | null;
  readonly airDate: IsoDate | null;
}

export interface SeasonRecord {
  readonly id: number;
  /** 0 for specials. */
  readonly seasonNumber: number;
  readonly title: string | null;
  readonly airDate: IsoDate | null;
  readonly episodes: readonly EpisodeRecord[];
}

export interface ShowRecord {
  readonly kind: 'show';
  readonly id: number;
  readonly title: string;
  readonly year: number | null;
  readonly seasons: readonly SeasonRecord[];
}

export interface MovieRecord {
  readonly kind: 'movie';
  readonly id: number;
  readonly title: string;
  readonly releaseDate: IsoDate | null;
}

export interface CollectionRecord {
  readonly kind: 'collection';
  readonly id: number;
  readonly title: string;
  readonly movies: readonly MovieRecord[];
}

export interface GameRecord {
  readonly kind: 'game';
  readonly id: number;
  readonly title: string;
  readonly firstReleaseDate: IsoDate | null;
}

/** What the folder is for: all that the catalogue knows of it, and nothing else. */
export type Context = ShowRecord | MovieRecord | CollectionRecord | GameRecord;

export type TargetKind = Context['kind'] | 'season' | 'episode';

/** Where a file belongs. Ids are unique for their kind only: a season and an episode may have the same. */
export interface Place {
  readonly targetKind: TargetKind;
  readonly targetId: number;
  readonly slot: string;
}

export type Reason =
  /** It names another show, film or game, or this one with another year. */
  | 'other_work'
  | 'no_such_season'
  | 'no_such_episode'
  | 'no_such_film'
  /** What it names has no place for such artwork: a banner, a season's logo. */
  | 'no_slot'
  /** It is a picture, and could be for anything. */
  | 'says_nothing';

/**
 * What is right for a name. `match` stands only where a careful curator would be sure; a matcher that falls
 * short of it loses recall. A match anywhere else, or of another place, is wrong.
 *
 * `ambiguous` holds what the curator would be asked about. It has one place where only that one comes to mind
 * and yet is not sure, and where several files of the folder are for that place.
 * `unmatched` says why; a matcher may use words of its own. `ignored` is what no curator means by artwork.
 */
export type Expectation =
  | { readonly match: Place }
  | { readonly ambiguous: readonly Place[] }
  | { readonly unmatched: Reason }
  | { readonly ignored: true };

export interface NamedFile {
  /** The manner of naming that it is an example of. */
  readonly naming: string;
  readonly context: Context;
  /** Relative to the folder, with `/` on every platform. */
  readonly path: string;
  /** The other files of the folder. Mostly there are none: a name has to speak for itself. */
  readonly beside: readonly string[];
  readonly expected: Expectation;
}
