import { z } from 'zod';
import { path } from '../path.ts';
import { assetPaths, groupReference, id, listOf, number, setFields, text } from './fields.ts';

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
