import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, date, id, listOf, metadataImages, text } from './fields.ts';

/** Interface document, Resources: Collection. */
export const collection = {
  kind: 'collection',
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
} as const;

export type Collection = z.infer<typeof collection.schema>;
