import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, date, id, listOf, metadataImages, text } from './fields.ts';

/** Interface document, Resources: Game. The shape of `engines` is not shown. */
export const game = {
  kind: 'game',
  path: (gameId: number | string) => path`/games/${gameId}`,
  schema: z.looseObject({
    id,
    kind: text,
    title: text,
    summary: text,
    storyline: text,
    gameType: text,
    firstReleaseDate: date,
    metadataImages: metadataImages('poster', 'backdrop', 'logo'),
    assets: assetGroups('covers', 'heroes', 'logos', 'wideCovers', 'backgrounds', 'squareCovers', 'icons'),
    developers: listOf(z.looseObject({ name: text, role: text })),
    publishers: listOf(z.string()),
    engines: listOf(z.unknown()),
    genres: listOf(z.string()),
    platforms: listOf(z.looseObject({ name: text, abbreviation: text })),
    relatedGames: listOf(z.looseObject({ id, kind: text, title: text, firstReleaseDate: date })),
  }),
} as const;

export type Game = z.infer<typeof game.schema>;
