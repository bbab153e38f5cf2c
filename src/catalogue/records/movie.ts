import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, date, flag, id, metadataImages, number, text, titledReference } from './fields.ts';

/** Interface document, Resources: Movie. */
export const movie = {
  kind: 'movie',
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
} as const;

export type Movie = z.infer<typeof movie.schema>;
