import { z } from 'zod';
import { path, type ServicePath, writeQuery } from '../path.ts';
import type { NeededScopes } from '../scopes.ts';
import { id, text } from './fields.ts';

/** Text, says the interface document. A number would still tell one revision from another, so it is kept. */
export const updatedAt = z.union([z.string(), z.number()]).nullish();

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

/** Interface document, Protected-side records: owned Set. Its other fields are not shown, and are kept. */
export const ownedSet = {
  path: (setId: number | string) => path`/me/sets/${setId}`,
  needed: { allOf: ['sets:write'] },
  schema: z.looseObject({ id, updatedAt }),
} as const;

export type OwnedSet = z.infer<typeof ownedSet.schema>;

/** A Boxset or Loadout of the caller's. Its fields are not shown (interface document, Protected-side records). */
export const ownedGroup = {
  path: (groupId: number | string) => path`/me/groups/${groupId}`,
  needed: { allOf: ['groups:write'] },
  schema: z.looseObject({ id, updatedAt }),
} as const;

export type OwnedGroup = z.infer<typeof ownedGroup.schema>;

/** Interface document, Endpoints: query of `/me/upload-destinations`. */
export interface DestinationQuery {
  readonly kind: 'talent_set' | 'media_set' | 'boxset';
  /** Left out: media destinations. */
  readonly family?: 'game' | undefined;
  /** What to search for. */
  readonly q?: string | undefined;
}

/**
 * An owned destination. Its fields are not shown and none is touched: a Set's creation takes the record as it
 * came (Media Set creation, `destination`).
 */
export const uploadDestination = {
  path: ({ kind, family, q }: DestinationQuery): ServicePath =>
    (path`/me/upload-destinations` +
      writeQuery({
        kind,
        ...(family === undefined ? {} : { family }),
        ...(q === undefined || q === '' ? {} : { q }),
      })) as ServicePath,
  needed: ({ kind }: DestinationQuery): NeededScopes => ({
    allOf: [kind === 'boxset' ? 'groups:write' : 'sets:write'],
  }),
  schema: z.looseObject({}),
} as const;

export type UploadDestination = z.infer<typeof uploadDestination.schema>;
