import { z } from 'zod';
import { path } from '../path.ts';
import { id } from './fields.ts';
import { updatedAt } from './owned-fields.ts';

/** Interface document, Protected-side records: owned Set. Its other fields are not shown, and are kept. */
export const ownedSet = {
  path: (setId: number | string) => path`/me/sets/${setId}`,
  needed: { allOf: ['sets:write'] },
  schema: z.looseObject({ id, updatedAt }),
} as const;

export type OwnedSet = z.infer<typeof ownedSet.schema>;
