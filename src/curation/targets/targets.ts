import type { EntityKind } from '../../catalogue/records/kinds.ts';

/** What a picture can be for, as the interface document names it (Resources). */
export type TargetKind = EntityKind;

export interface PlanTarget {
  readonly kind: TargetKind;
  readonly id: number;
  /** Other people's writing; empty where the catalogue shows none. */
  readonly title: string;
}

/** What files can name by its title: a show, a film, a collection, a game. */
export interface Work extends PlanTarget {
  /** Of its first date; null where there is none. */
  readonly year: number | null;
  /** When a film is released, `YYYY-MM-DD`, where that is known. */
  readonly releaseDate?: string | null;
}

export interface EpisodeTarget extends PlanTarget {
  readonly kind: 'episode';
  /** Null where the catalogue shows none: then only its title can name it. */
  readonly number: number | null;
  /** `YYYY-MM-DD`. */
  readonly airDate: string | null;
  readonly season: number | null;
}

export interface SeasonTarget extends PlanTarget {
  readonly kind: 'season';
  /** 0 holds the specials. */
  readonly number: number | null;
  readonly episodes: readonly EpisodeTarget[];
}

/** All that files of one folder may be for: nothing else is ever matched. */
export interface PlanTargets {
  /** What the folder is for: `entryTargetKind` and `entryTargetId`. */
  readonly entry: Work;
  /** Of a show, in the catalogue's order; of a season itself. */
  readonly seasons: readonly SeasonTarget[];
  /** Of a collection. */
  readonly movies: readonly Work[];
}
