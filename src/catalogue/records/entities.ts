import { z } from 'zod';
import { path } from '../call.ts';
import {
  assetGroups,
  date,
  flag,
  id,
  listOf,
  metadataImages,
  number,
  text,
  timestamp,
  titledReference,
} from './members.ts';

/** The metadata entities (interface document, Resources), by kind. */
export const entityRecords = {
  /** Interface document, Resources: Show. The only entity that lists its Sets. */
  show: {
    path: (showId: number | string) => path`/shows/${showId}`,
    schema: z.looseObject({
      id,
      kind: text,
      title: text,
      overview: text,
      tagline: text,
      status: text,
      year: number,
      firstAirDate: date,
      lastAirDate: date,
      numberOfSeasons: number,
      numberOfEpisodes: number,
      metadataImages: metadataImages('poster', 'backdrop', 'logo'),
      assets: assetGroups('posters', 'backdrops', 'logos', 'squareArts', 'thumbs'),
      seasons: listOf(z.looseObject({ id, kind: text, title: text, seasonNumber: number, airDate: date })),
      sets: listOf(z.looseObject({ id, createdBy: text, title: text, dateUpdated: timestamp })),
    }),
  },
  /** Interface document, Resources: Season. Number 0 holds the specials. */
  season: {
    path: (seasonId: number | string) => path`/seasons/${seasonId}`,
    schema: z.looseObject({
      id,
      kind: text,
      title: text,
      seasonNumber: number,
      airDate: date,
      metadataImages: metadataImages('poster'),
      assets: assetGroups('posters', 'backdrops'),
      show: titledReference.nullish(),
      episodes: listOf(z.looseObject({ id, kind: text, title: text, episodeNumber: number, airDate: date })),
    }),
  },
  /** Interface document, Resources: Episode. */
  episode: {
    path: (episodeId: number | string) => path`/episodes/${episodeId}`,
    schema: z.looseObject({
      id,
      kind: text,
      title: text,
      seasonNumber: number,
      episodeNumber: number,
      airDate: date,
      show: titledReference.nullish(),
      season: titledReference.extend({ seasonNumber: number }).nullish(),
      assets: assetGroups('titlecards'),
    }),
  },
  /** Interface document, Resources: Movie. */
  movie: {
    path: (movieId: number | string) => path`/movies/${movieId}`,
    schema: z.looseObject({
      id,
      kind: text,
      title: text,
      overview: text,
      tagline: text,
      status: text,
      releaseDate: date,
      runtimeMinutes: number,
      filmedForImax: flag,
      metadataImages: metadataImages('poster', 'backdrop', 'logo'),
      assets: assetGroups('posters', 'backdrops', 'logos', 'squareArts', 'thumbs'),
      collection: titledReference.nullish(),
    }),
  },
  /** Interface document, Resources: Collection. */
  collection: {
    path: (collectionId: number | string) => path`/collections/${collectionId}`,
    schema: z.looseObject({
      id,
      kind: text,
      title: text,
      overview: text,
      firstReleaseDate: date,
      latestReleaseDate: date,
      metadataImages: metadataImages('poster', 'backdrop', 'logo'),
      assets: assetGroups('posters', 'backdrops', 'logos', 'squareArts'),
      movies: listOf(z.looseObject({ id, kind: text, title: text, releaseDate: date })),
    }),
  },
  /** Interface document, Resources: Game. The shape of `engines` is not shown. */
  game: {
    path: (gameId: number | string) => path`/games/${gameId}`,
    schema: z.looseObject({
      id,
      kind: text,
      title: text,
      summary: text,
      storyline: text,
      gameType: text,
      firstReleaseDate: date,
      metadataImages: metadataImages('poster', 'backdrop', 'logo'),
      assets: assetGroups('covers', 'heroes', 'logos', 'wideCovers', 'backgrounds', 'squareCovers', 'icons'),
      developers: listOf(z.looseObject({ name: text, role: text })),
      publishers: listOf(z.string()),
      engines: listOf(z.unknown()),
      genres: listOf(z.string()),
      platforms: listOf(z.looseObject({ name: text, abbreviation: text })),
      relatedGames: listOf(z.looseObject({ id, kind: text, title: text, firstReleaseDate: date })),
    }),
  },
  /** Interface document, Resources: Company. The shape of a `parentCompany` is not shown. */
  company: {
    path: (companyId: number | string) => path`/companies/${companyId}`,
    schema: z.looseObject({
      id,
      kind: text,
      name: text,
      description: text,
      homepage: text,
      headquartersCountry: text,
      originCountry: text,
      metadataImages: metadataImages('logo'),
      assets: assetGroups('posters', 'thumbs', 'logos'),
      parentCompany: z.unknown().optional(),
    }),
  },
  /** Interface document, Resources: Network. */
  network: {
    path: (networkId: number | string) => path`/networks/${networkId}`,
    schema: z.looseObject({
      id,
      kind: text,
      name: text,
      homepage: text,
      originCountry: text,
      metadataImages: metadataImages('logo'),
      assets: assetGroups('posters', 'thumbs', 'logos'),
    }),
  },
  /** Interface document, Resources: Person. */
  person: {
    path: (personId: number | string) => path`/people/${personId}`,
    schema: z.looseObject({
      id,
      kind: text,
      name: text,
      biography: text,
      birthday: date,
      deathday: date,
      placeOfBirth: text,
      knownForDepartment: text,
      homepage: text,
      metadataImages: metadataImages('profile'),
      assets: assetGroups('posters'),
    }),
  },
  /** Interface document, Resources: Category. */
  category: {
    path: (categoryId: number | string) => path`/categories/${categoryId}`,
    schema: z.looseObject({
      id,
      kind: text,
      name: text,
      description: text,
      group: text,
      assets: assetGroups('posters', 'thumbs'),
    }),
  },
} as const;

/** Interface document, Feed and index page metadata. The episodes index has no `snapshot`. */
export const pageMetadata = z
  .looseObject({ snapshot: text, page: number, totalPages: number, nextPage: text })
  .nullish();

export type PageMetadata = NonNullable<z.infer<typeof pageMetadata>>;

const replacement = z.looseObject({ previousAssetId: text, newAssetId: text, changedAt: timestamp });

/** Interface document, Resources: Asset feed item. */
export const assetFeed = {
  path: path`/feeds/assets`,
  schema: z.looseObject({
    assetId: text,
    kind: text,
    slot: text,
    target: z.looseObject({ id, kind: text }).nullish(),
    changeType: text,
    changedAt: timestamp,
    previousAssetId: text,
    replacements: listOf(replacement),
  }),
} as const;

/** Interface document, Resources: Set feed item. */
export const setFeed = {
  path: path`/feeds/sets`,
  schema: z.looseObject({ setId: id, kind: text, changeType: text, changedAt: timestamp }),
} as const;

/** Interface document, Resources: Episodes index item. Its pages carry no snapshot and may shift. */
export const episodesIndex = {
  path: path`/episodes`,
  schema: z.looseObject({
    id,
    title: text,
    year: number,
    seasonNumber: number,
    episodeNumber: number,
    show: titledReference.nullish(),
    season: titledReference.extend({ seasonNumber: number }).nullish(),
  }),
} as const;
