import { z } from 'zod';
import { path } from '../path.ts';
import { assetPaths, groupReference, id, number, setFields, text } from './fields.ts';

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
