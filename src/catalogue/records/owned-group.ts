import { z } from 'zod';
import { path } from '../path.ts';
import { id } from './fields.ts';
import { updatedAt } from './owned-fields.ts';

/** A Boxset or Loadout of the caller's. Its fields are not shown (interface document, Protected-side records). */
export const ownedGroup = {
  path: (groupId: number | string) => path`/me/groups/${groupId}`,
  needed: { allOf: ['groups:write'] },
  schema: z.looseObject({ id, updatedAt }),
} as const;

export type OwnedGroup = z.infer<typeof ownedGroup.schema>;
