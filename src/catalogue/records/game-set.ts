import { z } from 'zod';
import { path } from '../path.ts';
import { assetPaths, groupReference, id, number, setFields, text } from './fields.ts';

/** Interface document, Resources: Game Set. */
export const gameSet = {
  kind: 'game_set',
  path: (setId: number | string) => path`/game-set/${setId}`,
  schema: z.looseObject({
    ...setFields,
    language: text,
    loadout: groupReference.nullish(),
    game: z
      .looseObject({
        id,
        title: text,
        year: number,
        ...assetPaths('cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'),
      })
      .nullish(),
  }),
} as const;

export type GameSet = z.infer<typeof gameSet.schema>;
