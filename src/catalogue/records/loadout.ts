import { z } from 'zod';
import { path } from '../path.ts';
import { assetPath, id, listOf, number, setFields, text, timestamp } from './fields.ts';

const child = z.looseObject({
  id,
  title: text,
  createdBy: text,
  dateUpdated: timestamp,
  game: z.looseObject({ id, title: text, year: number }).nullish(),
});

/** Interface document, Resources: Loadout. Its children are Game Sets. */
export const loadout = {
  kind: 'loadout',
  path: (setId: number | string) => path`/loadouts/${setId}`,
  schema: z.looseObject({ ...setFields, language: text, poster: assetPath, sets: listOf(child) }),
} as const;

export type Loadout = z.infer<typeof loadout.schema>;
