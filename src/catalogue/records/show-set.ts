import { z } from 'zod';
import { path } from '../path.ts';
import { assetPaths, groupReference, id, listOf, number, setFields, text } from './fields.ts';

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
