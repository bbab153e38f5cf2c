import { z } from 'zod';
import { path } from '../path.ts';
import { id, text, timestamp } from './fields.ts';

/** Interface document, Resources: Set feed item. */
export const setFeed = {
  path: path`/feeds/sets`,
  schema: z.looseObject({ setId: id, kind: text, changeType: text, changedAt: timestamp }),
} as const;

export type SetFeedItem = z.infer<typeof setFeed.schema>;
