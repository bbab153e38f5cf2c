import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, date, id, number, text, titledReference } from './fields.ts';

/** Interface document, Resources: Episode. */
export const episode = {
  kind: 'episode',
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
} as const;

export type Episode = z.infer<typeof episode.schema>;
