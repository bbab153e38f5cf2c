import { z } from 'zod';
import { path } from '../path.ts';
import { id, listOf, number, text, timestamp, titledReference } from './fields.ts';

/** Interface document, Feed and index page metadata. The episodes index has no `snapshot`. */
export const pageMetadata = z
  .looseObject({ snapshot: text, page: number, totalPages: number, nextPage: text })
  .nullish();

export type PageMetadata = NonNullable<z.infer<typeof pageMetadata>>;

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

/** Interface document, Resources: Set feed item. */
export const setFeed = {
  path: path`/feeds/sets`,
  schema: z.looseObject({ setId: id, kind: text, changeType: text, changedAt: timestamp }),
} as const;

export type SetFeedItem = z.infer<typeof setFeed.schema>;

/** Interface document, Resources: Episodes index item. Its pages carry no snapshot and may shift. */
export const episodesIndex = {
  path: path`/episodes`,
  schema: z.looseObject({
    id,
    title: text,
    year: number,
    seasonNumber: number,
    episodeNumber: number,
    show: titledReference.nullish(),
    season: titledReference.extend({ seasonNumber: number }).nullish(),
  }),
} as const;

export type EpisodesIndexItem = z.infer<typeof episodesIndex.schema>;
