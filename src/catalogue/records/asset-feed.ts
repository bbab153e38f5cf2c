import { z } from 'zod';
import { path } from '../path.ts';
import { id, listOf, text, timestamp } from './fields.ts';

const replacement = z.looseObject({ previousAssetId: text, newAssetId: text, changedAt: timestamp });

/** Interface document, Resources: Asset feed item. */
export const assetFeed = {
  path: path`/feeds/assets`,
  schema: z.looseObject({
    assetId: text,
    kind: text,
    slot: text,
    target: z.looseObject({ id, kind: text }).nullish(),
    changeType: text,
    changedAt: timestamp,
    previousAssetId: text,
    replacements: listOf(replacement),
  }),
} as const;

export type AssetFeedItem = z.infer<typeof assetFeed.schema>;
