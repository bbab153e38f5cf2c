import { z } from 'zod';
import { path } from '../path.ts';
import { id, text } from './fields.ts';
import { updatedAt } from './owned-fields.ts';

/** Interface document, Protected-side records: owned Asset. Its other fields are not shown, and are kept. */
export const ownedAsset = {
  path: (assetId: number | string) => path`/me/assets/${assetId}`,
  needed: { anyOf: ['assets:write', 'assets:replace'] },
  schema: z.looseObject({
    id,
    updatedAt,
    languageCode: text,
    editionId: z.union([z.string(), z.number()]).nullish(),
  }),
} as const;

export type OwnedAsset = z.infer<typeof ownedAsset.schema>;
