import { z } from 'zod';
import { path } from '../call.ts';
import {
  assetPath,
  assetPaths,
  groupReference,
  id,
  listOf,
  number,
  setFields,
  text,
  timestamp,
} from './members.ts';

const episode = z.looseObject({ id, episodeNumber: number, ...assetPaths('titlecard') });

const season = z.looseObject({
  id,
  seasonNumber: number,
  ...assetPaths('poster', 'backdrop'),
  episodes: listOf(episode),
});

/** Interface document, Resources: Show Set. */
export const showSet = {
  kind: 'show_set',
  path: (setId: number | string) => path`/show-set/${setId}`,
  schema: z.looseObject({
    ...setFields,
    language: text,
    boxset: groupReference.nullish(),
    show: z
      .looseObject({
        id,
        title: text,
        year: number,
        ...assetPaths('poster', 'backdrop', 'logo', 'squareArt', 'thumb'),
        seasons: listOf(season),
      })
      .nullish(),
  }),
} as const;

export type ShowSet = z.infer<typeof showSet.schema>;

/** Interface document, Resources: Movie Set. */
export const movieSet = {
  kind: 'movie_set',
  path: (setId: number | string) => path`/movie-set/${setId}`,
  schema: z.looseObject({
    ...setFields,
    language: text,
    edition: text,
    boxset: groupReference.nullish(),
    movie: z
      .looseObject({
        id,
        title: text,
        year: number,
        ...assetPaths('poster', 'backdrop', 'logo', 'squareArt', 'thumb'),
      })
      .nullish(),
  }),
} as const;

export type MovieSet = z.infer<typeof movieSet.schema>;

const movie = z.looseObject({
  id,
  title: text,
  year: number,
  ...assetPaths('poster', 'backdrop', 'logo', 'squareArt', 'thumb'),
});

/** Interface document, Resources: Collection Set. */
export const collectionSet = {
  kind: 'collection_set',
  path: (setId: number | string) => path`/collection-set/${setId}`,
  schema: z.looseObject({
    ...setFields,
    language: text,
    edition: text,
    boxset: groupReference.nullish(),
    collection: z
      .looseObject({
        id,
        title: text,
        ...assetPaths('poster', 'backdrop', 'logo', 'squareArt'),
        movies: listOf(movie),
      })
      .nullish(),
  }),
} as const;

export type CollectionSet = z.infer<typeof collectionSet.schema>;

/** Interface document, Resources: Game Set. */
export const gameSet = {
  kind: 'game_set',
  path: (setId: number | string) => path`/game-set/${setId}`,
  schema: z.looseObject({
    ...setFields,
    language: text,
    loadout: groupReference.nullish(),
    game: z
      .looseObject({
        id,
        title: text,
        year: number,
        ...assetPaths('cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'),
      })
      .nullish(),
  }),
} as const;

export type GameSet = z.infer<typeof gameSet.schema>;

const brand = z.looseObject({ id, name: text, ...assetPaths('poster', 'thumb', 'logo') });

/** Interface document, Resources: Brand Set. */
export const brandSet = {
  kind: 'brand_set',
  path: (setId: number | string) => path`/brand-set/${setId}`,
  schema: z.looseObject({ ...setFields, networks: listOf(brand), companies: listOf(brand) }),
} as const;

export type BrandSet = z.infer<typeof brandSet.schema>;

const work = z.looseObject({ id, title: text, year: number }).nullish();

const boxsetMember = z.looseObject({
  id,
  kind: text,
  title: text,
  createdBy: text,
  dateUpdated: timestamp,
  show: work,
  movie: work,
});

/** Interface document, Resources: Boxset. Its children are show Sets and movie Sets. */
export const boxset = {
  kind: 'boxset',
  path: (setId: number | string) => path`/boxsets/${setId}`,
  schema: z.looseObject({ ...setFields, language: text, poster: assetPath, sets: listOf(boxsetMember) }),
} as const;

export type Boxset = z.infer<typeof boxset.schema>;

const loadoutMember = z.looseObject({
  id,
  title: text,
  createdBy: text,
  dateUpdated: timestamp,
  game: z.looseObject({ id, title: text, year: number }).nullish(),
});

/** Interface document, Resources: Loadout. Its children are Game Sets. */
export const loadout = {
  kind: 'loadout',
  path: (setId: number | string) => path`/loadouts/${setId}`,
  schema: z.looseObject({ ...setFields, language: text, poster: assetPath, sets: listOf(loadoutMember) }),
} as const;

export type Loadout = z.infer<typeof loadout.schema>;
