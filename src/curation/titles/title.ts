/** What the index holds, in the words that calls and answers use: entities, Sets and groups, creators and own Assets. */
export const titleKinds = [
  'show',
  'season',
  'episode',
  'movie',
  'collection',
  'game',
  'company',
  'network',
  'person',
  'category',
  'movie_set',
  'show_set',
  'game_set',
  'collection_set',
  'brand_set',
  'talent_set',
  'category_set',
  'boxset',
  'loadout',
  'creator',
  'asset',
] as const;

export type TitleKind = (typeof titleKinds)[number];

/** An entity, Set or group by its number, a creator by name, an Asset by its UUID. */
export type TitleId = number | string;

export interface TitleReference {
  readonly kind: TitleKind;
  readonly id: TitleId;
}

/**
 * What one record has shown of a title. What is left out is not known, and takes away nothing that is.
 * Names are other people's writing: cleaned, one line, 500 characters at most.
 */
export interface Sighting extends TitleReference {
  readonly name?: string | undefined;
  readonly year?: number | undefined;
  /** First aired or released, `YYYY-MM-DD`. */
  readonly date?: string | undefined;
  /** Of a season or an episode: the show's id. */
  readonly show?: number | undefined;
  /** Of a season or an episode; 0 for specials. */
  readonly season?: number | undefined;
  readonly episode?: number | undefined;
  /** Of a Set: who made it. */
  readonly creator?: string | undefined;
  /** Of a Set or an Asset: what it is for; of a group: what its Sets are for. All that there are, the first the chief one. */
  readonly targets?: readonly TitleReference[] | undefined;
  readonly slot?: string | undefined;
  readonly language?: string | undefined;
  /** ISO 8601, when the service says that a Set was last changed. */
  readonly updated?: string | undefined;
  /** The `ARTWORK_USER` whose own it is: others are not shown it. */
  readonly owner?: string | undefined;
  /** The record itself was read, not one that mentions it. */
  readonly whole?: boolean | undefined;
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
