import { z } from 'zod';
import { path, type ServicePath } from '../call.ts';
import { anyList, each, flag, id, listOf, number, recordOf, text } from './members.ts';

// What public reads return (interface document, Resources). A field means the same in each kind that has it, so that one
// schema reads all entities, and one all Sets. Dates (`YYYY-MM-DD`) and timestamps (ISO 8601) are texts here: they are
// only shown and compared.

type PathOf = (id: number | string) => ServicePath;

/** The metadata entities, and where each is read. */
export const entities = {
  show: (id) => path`/shows/${id}`,
  season: (id) => path`/seasons/${id}`,
  episode: (id) => path`/episodes/${id}`,
  movie: (id) => path`/movies/${id}`,
  collection: (id) => path`/collections/${id}`,
  game: (id) => path`/games/${id}`,
  company: (id) => path`/companies/${id}`,
  network: (id) => path`/networks/${id}`,
  person: (id) => path`/people/${id}`,
  category: (id) => path`/categories/${id}`,
} as const satisfies Readonly<Record<string, PathOf>>;

export type EntityKind = keyof typeof entities;

const reference = { id, ...each(text, 'kind', 'title') };
const numbered = { seasonNumber: number, episodeNumber: number };

export const entityRecord = z.looseObject({
  id,
  ...each(text, 'kind', 'title', 'name', 'overview', 'tagline', 'status', 'summary', 'storyline', 'gameType'),
  ...each(text, 'description', 'homepage', 'headquartersCountry', 'originCountry', 'group'),
  ...each(text, 'biography', 'birthday', 'deathday', 'placeOfBirth', 'knownForDepartment'),
  ...each(text, 'airDate', 'firstAirDate', 'lastAirDate', 'releaseDate'),
  ...each(text, 'firstReleaseDate', 'latestReleaseDate'),
  ...each(number, 'year', 'numberOfSeasons', 'numberOfEpisodes', 'runtimeMinutes'),
  ...numbered,
  filmedForImax: flag,
  /** By slot: absolute URLs, or null. */
  metadataImages: z.record(z.string(), text).nullish().catch(null),
  /** Lists by slot. Their elements' shape is not shown. */
  assets: z.record(z.string(), anyList).nullish().catch(null),
  ...each(recordOf(reference), 'show', 'collection'),
  season: recordOf({ ...reference, seasonNumber: number }),
  /** Number 0 holds the specials. */
  seasons: listOf({ ...reference, ...numbered, airDate: text }),
  episodes: listOf({ ...reference, ...numbered, airDate: text }),
  movies: listOf({ ...reference, releaseDate: text }),
  relatedGames: listOf({ ...reference, firstReleaseDate: text }),
  /** A show's alone: no other entity lists its Sets. */
  sets: listOf({ id, ...each(text, 'createdBy', 'title', 'dateUpdated') }),
  developers: listOf(each(text, 'name', 'role')),
  platforms: listOf(each(text, 'name', 'abbreviation')),
  ...each(anyList, 'publishers', 'engines', 'genres'),
});

/** An entity's record, as the service showed it. */
export type Entity = z.infer<typeof entityRecord>;

/** The Sets and groups, and where each is read. */
export const sets = {
  show_set: (id) => path`/show-set/${id}`,
  movie_set: (id) => path`/movie-set/${id}`,
  collection_set: (id) => path`/collection-set/${id}`,
  game_set: (id) => path`/game-set/${id}`,
  brand_set: (id) => path`/brand-set/${id}`,
  boxset: (id) => path`/boxsets/${id}`,
  loadout: (id) => path`/loadouts/${id}`,
} as const satisfies Readonly<Record<string, PathOf>>;

export type SetKind = keyof typeof sets;

// Root-relative paths, resolved against the asset origin, or null.
const screenSlots = each(text, 'poster', 'backdrop', 'logo', 'squareArt', 'thumb');
const gameSlots = each(text, 'cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon');
const work = { id, title: text, year: number };
const brands = listOf({ id, ...each(text, 'name', 'poster', 'thumb', 'logo') });

export const setRecord = z.looseObject({
  id,
  ...each(text, 'title', 'description', 'createdBy', 'dateCreated', 'dateUpdated', 'language', 'edition'),
  ...each(recordOf({ id, title: text }), 'boxset', 'loadout'),
  movie: recordOf({ ...work, ...screenSlots }),
  show: recordOf({
    ...work,
    ...screenSlots,
    seasons: listOf({
      id,
      seasonNumber: number,
      ...each(text, 'poster', 'backdrop'),
      episodes: listOf({ id, episodeNumber: number, titlecard: text }),
    }),
  }),
  game: recordOf({ ...work, ...gameSlots }),
  collection: recordOf({ id, title: text, ...screenSlots, movies: listOf({ ...work, ...screenSlots }) }),
  networks: brands,
  companies: brands,
  /** Of a group. */
  poster: text,
  /** Of a group: show Sets and movie Sets of a Boxset, Game Sets of a Loadout. */
  sets: listOf({
    id,
    ...each(text, 'kind', 'title', 'createdBy', 'dateUpdated'),
    ...each(recordOf(work), 'show', 'movie', 'game'),
  }),
});

/** The record of a Set or group, as the service showed it. */
export type AnySet = z.infer<typeof setRecord>;

const feedRecords = {
  assets: {
    path: path`/feeds/assets`,
    schema: z.looseObject({
      ...each(text, 'assetId', 'kind', 'slot', 'changeType', 'changedAt', 'previousAssetId'),
      target: recordOf({ id, kind: text }),
      replacements: listOf(each(text, 'previousAssetId', 'newAssetId', 'changedAt')),
    }),
  },
  sets: {
    path: path`/feeds/sets`,
    schema: z.looseObject({ setId: id, ...each(text, 'kind', 'changeType', 'changedAt') }),
  },
} as const;

export type FeedName = keyof typeof feedRecords;
export type FeedItem<Feed extends FeedName = FeedName> = z.infer<(typeof feedRecords)[Feed]['schema']>;

/** The two activity feeds (interface document, Events), by the last word of their path. */
export const feeds: {
  readonly [Feed in FeedName]: { readonly path: ServicePath; readonly schema: z.ZodType<FeedItem<Feed>> };
} = feedRecords;

/** Its pages carry no snapshot and may shift. */
export const episodesIndex = {
  path: path`/episodes`,
  schema: z.looseObject({
    id,
    title: text,
    year: number,
    ...numbered,
    show: recordOf(reference),
    season: recordOf({ ...reference, seasonNumber: number }),
  }),
} as const;
export type IndexedEpisode = z.infer<typeof episodesIndex.schema>;

/** Interface document, Feed and index page metadata. The episodes index has no `snapshot`. */
export const pageMetadata = z.looseObject({
  ...each(text, 'snapshot', 'nextPage'),
  ...each(number, 'page', 'totalPages'),
});
export type PageMetadata = z.infer<typeof pageMetadata>;

/** A record that the service has just shown, parsed and cleaned, and where it was read (interface document, Endpoints). */
export type CatalogueReading =
  | { readonly of: 'entity'; readonly kind: EntityKind; readonly record: Entity }
  | { readonly of: 'set'; readonly kind: SetKind; readonly record: AnySet }
  | { readonly of: 'episodes'; readonly items: readonly IndexedEpisode[] }
  | { readonly of: 'feed'; readonly items: readonly FeedItem[] };
