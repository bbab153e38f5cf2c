import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, date, id, listOf, metadataImages, number, text, timestamp } from './fields.ts';

/** Interface document, Resources: Show. The only entity that lists its Sets. */
export const show = {
  kind: 'show',
  path: (showId: number | string) => path`/shows/${showId}`,
  schema: z.looseObject({
    id,
    kind: text,
    title: text,
    overview: text,
    tagline: text,
    status: text,
    year: number,
    firstAirDate: date,
    lastAirDate: date,
    numberOfSeasons: number,
    numberOfEpisodes: number,
    metadataImages: metadataImages('poster', 'backdrop', 'logo'),
    assets: assetGroups('posters', 'backdrops', 'logos', 'squareArts', 'thumbs'),
    seasons: listOf(z.looseObject({ id, kind: text, title: text, seasonNumber: number, airDate: date })),
    sets: listOf(z.looseObject({ id, createdBy: text, title: text, dateUpdated: timestamp })),
  }),
} as const;

export type Show = z.infer<typeof show.schema>;
