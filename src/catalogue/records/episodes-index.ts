import { z } from 'zod';
import { path } from '../path.ts';
import { id, number, text, titledReference } from './fields.ts';

/** Interface document, Resources: Episodes index item. Its pages carry no snapshot and may shift. */
export const episodesIndex = {
  path: path`/episodes`,
  schema: z.looseObject({
    id,
    title: text,
    year: number,
    seasonNumber: number,
    episodeNumber: number,
    show: titledReference.nullish(),
    season: titledReference.extend({ seasonNumber: number }).nullish(),
  }),
} as const;

export type EpisodesIndexItem = z.infer<typeof episodesIndex.schema>;
