import { z } from 'zod';
import { path } from '../path.ts';
import { assetPath, id, listOf, number, setFields, text, timestamp } from './fields.ts';

const work = z.looseObject({ id, title: text, year: number }).nullish();

const child = z.looseObject({
  id,
  kind: text,
  title: text,
  createdBy: text,
  dateUpdated: timestamp,
  show: work,
  movie: work,
});

/** Interface document, Resources: Boxset. Its children are show Sets and movie Sets. */
export const boxset = {
  kind: 'boxset',
  path: (setId: number | string) => path`/boxsets/${setId}`,
  schema: z.looseObject({ ...setFields, language: text, poster: assetPath, sets: listOf(child) }),
} as const;

export type Boxset = z.infer<typeof boxset.schema>;
