import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, date, id, listOf, metadataImages, number, text, titledReference } from './fields.ts';

/** Interface document, Resources: Season. Number 0 holds the specials. */
export const season = {
  kind: 'season',
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
} as const;

export type Season = z.infer<typeof season.schema>;
