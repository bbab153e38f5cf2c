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

const movie = z.looseObject({
  id,
  title: text,
  year: number,
  ...assetPaths('poster', 'backdrop', 'logo', 'squareArt', 'thumb'),
});

const brand = z.looseObject({ id, name: text, ...assetPaths('poster', 'thumb', 'logo') });

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

const loadoutMember = z.looseObject({
  id,
  title: text,
  createdBy: text,
  dateUpdated: timestamp,
  game: work,
});

/** The Sets and groups (interface document, Resources), by kind. */
export const setRecords = {
  /** Interface document, Resources: Show Set. */
  show_set: {
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
  },
  /** Interface document, Resources: Movie Set. */
  movie_set: {
    path: (setId: number | string) => path`/movie-set/${setId}`,
    schema: z.looseObject({
      ...setFields,
      language: text,
      edition: text,
      boxset: groupReference.nullish(),
      movie: movie.nullish(),
    }),
  },
  /** Interface document, Resources: Collection Set. */
  collection_set: {
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
  },
  /** Interface document, Resources: Game Set. */
  game_set: {
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
  },
  /** Interface document, Resources: Brand Set. */
  brand_set: {
    path: (setId: number | string) => path`/brand-set/${setId}`,
    schema: z.looseObject({ ...setFields, networks: listOf(brand), companies: listOf(brand) }),
  },
  /** Interface document, Resources: Boxset. Its children are show Sets and movie Sets. */
  boxset: {
    path: (setId: number | string) => path`/boxsets/${setId}`,
    schema: z.looseObject({ ...setFields, language: text, poster: assetPath, sets: listOf(boxsetMember) }),
  },
  /** Interface document, Resources: Loadout. Its children are Game Sets. */
  loadout: {
    path: (setId: number | string) => path`/loadouts/${setId}`,
    schema: z.looseObject({ ...setFields, language: text, poster: assetPath, sets: listOf(loadoutMember) }),
  },
} as const;
