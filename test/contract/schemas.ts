import { z } from 'zod';

/*
 * The public records of the interface document, written down from it and from nothing else. Objects are
 * strict: every documented field must be there, and no other.
 */

/** A fact for which the document shows no null, and which a service may lack. */
const known = <T extends z.ZodType>(type: T) => type.nullable();

const integer = z.int();
const date = z.iso.date();
const timestamp = z.iso.datetime();
const uuid = z.uuid();
const url = z.url({ protocol: /^https?$/ });
const rootRelativePath = z.string().regex(/^\/(?!\/)\S+$/);
/** The document doesn't show the element of any `assets` array. */
const assets = <Name extends string>(...names: readonly Name[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.array(z.unknown())])));
const metadataImages = (...names: readonly string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, url.nullable()])));
const path = rootRelativePath.nullable();
const titled = (kind: string) => z.strictObject({ id: integer, kind: z.literal(kind), title: z.string() });
const seasonReference = z.strictObject({
  id: integer,
  kind: z.literal('season'),
  title: z.string(),
  seasonNumber: integer,
});

const show = z.strictObject({
  id: integer,
  kind: z.literal('show'),
  title: z.string(),
  overview: z.string(),
  tagline: z.string().nullable(),
  status: z.string(),
  year: known(integer),
  firstAirDate: known(date),
  lastAirDate: known(date),
  numberOfSeasons: integer,
  numberOfEpisodes: integer,
  metadataImages: metadataImages('poster', 'backdrop', 'logo'),
  assets: assets('posters', 'backdrops', 'logos', 'squareArts', 'thumbs'),
  seasons: z.array(
    z.strictObject({
      id: integer,
      kind: z.literal('season'),
      title: z.string(),
      seasonNumber: integer.nonnegative(),
      airDate: date.nullable(),
    }),
  ),
  sets: z.array(
    z.strictObject({
      id: integer,
      createdBy: z.string().nullable(),
      title: z.string(),
      dateUpdated: timestamp,
    }),
  ),
});

const season = z.strictObject({
  id: integer,
  kind: z.literal('season'),
  title: z.string(),
  seasonNumber: integer.nonnegative(),
  airDate: known(date),
  metadataImages: metadataImages('poster'),
  assets: assets('posters', 'backdrops'),
  show: titled('show'),
  episodes: z.array(
    z.strictObject({
      id: integer,
      kind: z.literal('episode'),
      title: z.string(),
      episodeNumber: integer.nonnegative(),
      airDate: known(date),
    }),
  ),
});

const episode = z.strictObject({
  id: integer,
  kind: z.literal('episode'),
  title: z.string(),
  seasonNumber: integer.nonnegative(),
  episodeNumber: integer.nonnegative(),
  airDate: known(date),
  show: titled('show'),
  season: seasonReference,
  assets: assets('titlecards'),
});

const movie = z.strictObject({
  id: integer,
  kind: z.literal('movie'),
  title: z.string(),
  overview: z.string(),
  tagline: known(z.string()),
  status: z.string(),
  releaseDate: known(date),
  runtimeMinutes: known(integer),
  filmedForImax: z.boolean(),
  metadataImages: metadataImages('poster', 'backdrop', 'logo'),
  assets: assets('posters', 'backdrops', 'logos', 'squareArts', 'thumbs'),
  collection: known(titled('collection')),
});

const collection = z.strictObject({
  id: integer,
  kind: z.literal('collection'),
  title: z.string(),
  overview: z.string(),
  firstReleaseDate: known(date),
  latestReleaseDate: known(date),
  metadataImages: metadataImages('poster', 'backdrop', 'logo'),
  assets: assets('posters', 'backdrops', 'logos', 'squareArts'),
  movies: z.array(
    z.strictObject({
      id: integer,
      kind: z.literal('movie'),
      title: z.string(),
      releaseDate: known(date),
    }),
  ),
});

const game = z.strictObject({
  id: integer,
  kind: z.literal('game'),
  title: z.string(),
  summary: z.string(),
  storyline: z.string().nullable(),
  gameType: z.string(),
  firstReleaseDate: known(date),
  metadataImages: metadataImages('poster', 'backdrop', 'logo'),
  assets: assets('covers', 'heroes', 'logos', 'wideCovers', 'backgrounds', 'squareCovers', 'icons'),
  developers: z.array(z.strictObject({ name: z.string(), role: z.string() })),
  publishers: z.array(z.string()),
  engines: z.array(z.unknown()),
  genres: z.array(z.string()),
  platforms: z.array(z.strictObject({ name: z.string(), abbreviation: z.string() })),
  relatedGames: z.array(
    z.strictObject({
      id: integer,
      kind: z.literal('game'),
      title: z.string(),
      firstReleaseDate: known(date),
    }),
  ),
});

const company = z.strictObject({
  id: integer,
  kind: z.literal('company'),
  name: z.string(),
  description: z.string(),
  homepage: known(url),
  headquartersCountry: known(z.string()),
  originCountry: known(z.string()),
  metadataImages: metadataImages('logo'),
  assets: assets('posters', 'thumbs', 'logos'),
  parentCompany: z.object({}).nullable(),
});

const network = z.strictObject({
  id: integer,
  kind: z.literal('network'),
  name: z.string(),
  homepage: known(url),
  originCountry: known(z.string()),
  metadataImages: metadataImages('logo'),
  assets: assets('posters', 'thumbs', 'logos'),
});

const person = z.strictObject({
  id: integer,
  kind: z.literal('person'),
  name: z.string(),
  biography: z.string(),
  birthday: known(date),
  deathday: date.nullable(),
  placeOfBirth: known(z.string()),
  knownForDepartment: known(z.string()),
  homepage: z.string().nullable(),
  metadataImages: metadataImages('profile'),
  assets: assets('posters'),
});

const category = z.strictObject({
  id: integer,
  kind: z.literal('category'),
  name: z.string(),
  description: z.string(),
  group: z.string(),
  assets: assets('posters', 'thumbs'),
});

const madeBy = {
  id: integer,
  title: z.string(),
  description: known(z.string()),
  createdBy: known(z.string()),
  dateCreated: timestamp,
  dateUpdated: timestamp,
};
const language = z.string().min(2);
const group = z.strictObject({ id: integer, title: z.string() }).nullable();
const work = { id: integer, title: z.string(), year: known(integer) };
const film = z.strictObject({
  ...work,
  poster: path,
  backdrop: path,
  logo: path,
  squareArt: path,
  thumb: path,
});

const movieSet = z.strictObject({
  ...madeBy,
  // Said of the Movie Set alone.
  description: z.string().nullable(),
  createdBy: z.string().nullable(),
  language,
  edition: z.string(),
  boxset: group,
  movie: film,
});

const showSet = z.strictObject({
  ...madeBy,
  language,
  boxset: group,
  show: z.strictObject({
    ...work,
    poster: path,
    backdrop: path,
    logo: path,
    squareArt: path,
    thumb: path,
    seasons: z.array(
      z.strictObject({
        id: integer,
        seasonNumber: integer.nonnegative(),
        poster: path,
        backdrop: path,
        episodes: z.array(
          z.strictObject({ id: integer, episodeNumber: integer.nonnegative(), titlecard: path }),
        ),
      }),
    ),
  }),
});

const gameSet = z.strictObject({
  ...madeBy,
  language,
  loadout: group,
  game: z.strictObject({
    ...work,
    cover: path,
    hero: path,
    logo: path,
    wideCover: path,
    background: path,
    squareCover: path,
    icon: path,
  }),
});

const collectionSet = z.strictObject({
  ...madeBy,
  language,
  edition: z.string(),
  boxset: group,
  collection: z.strictObject({
    id: integer,
    title: z.string(),
    poster: path,
    backdrop: path,
    logo: path,
    squareArt: path,
    movies: z.array(film),
  }),
});

const brand = z.strictObject({ id: integer, name: z.string(), poster: path, thumb: path, logo: path });
const brandSet = z.strictObject({ ...madeBy, networks: z.array(brand), companies: z.array(brand) });

const child = { id: integer, title: z.string(), createdBy: known(z.string()), dateUpdated: timestamp };
const grouping = { ...madeBy, language, poster: rootRelativePath.nullable() };

const boxset = z.strictObject({
  ...grouping,
  sets: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ ...child, kind: z.literal('show_set'), show: z.strictObject(work) }),
      z.strictObject({ ...child, kind: z.literal('movie_set'), movie: z.strictObject(work) }),
    ]),
  ),
});

const loadout = z.strictObject({
  ...grouping,
  sets: z.array(z.strictObject({ ...child, game: z.strictObject(work) })),
});

export const episodesIndexItem = z.strictObject({
  id: integer,
  title: z.string(),
  year: known(integer),
  seasonNumber: integer.nonnegative(),
  episodeNumber: integer.nonnegative(),
  show: titled('show'),
  season: seasonReference,
});

/** For every public path of one resource the record that it returns. */
export const records = {
  shows: show,
  seasons: season,
  episodes: episode,
  movies: movie,
  collections: collection,
  games: game,
  companies: company,
  networks: network,
  people: person,
  categories: category,
  'movie-set': movieSet,
  'show-set': showSet,
  'game-set': gameSet,
  'collection-set': collectionSet,
  'brand-set': brandSet,
  boxsets: boxset,
  loadouts: loadout,
} as const;

export type Resource = keyof typeof records;

export const assetFeedItem = z.strictObject({
  assetId: uuid,
  kind: z.literal('asset'),
  slot: z.string(),
  target: z.strictObject({ id: integer, kind: z.string() }),
  changeType: z.string(),
  changedAt: timestamp,
  // What was added has replaced nothing.
  previousAssetId: uuid.nullable(),
  replacements: z.array(z.strictObject({ previousAssetId: uuid, newAssetId: uuid, changedAt: timestamp })),
});

export const setFeedItem = z.strictObject({
  setId: integer,
  kind: z.string(),
  changeType: z.string(),
  changedAt: timestamp,
});

const paging = {
  page: integer.positive(),
  totalPages: integer.positive(),
  nextPage: rootRelativePath.nullable(),
};

export const indexMeta = z.strictObject(paging);
export const feedMeta = z.strictObject({ snapshot: uuid, ...paging });

export const envelope = <Data extends z.ZodType>(data: Data) => z.strictObject({ data });
export const page = <Item extends z.ZodType, Meta extends z.ZodType>(item: Item, meta: Meta) =>
  z.strictObject({ data: z.array(item), meta });

export const publicError = z.strictObject({
  data: z.null(),
  error: z.strictObject({ code: z.string().min(1), message: z.string().min(1) }),
});
