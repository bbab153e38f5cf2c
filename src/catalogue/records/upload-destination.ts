import { z } from 'zod';
import { path, type ServicePath } from '../path.ts';
import { writeQuery } from '../query.ts';
import type { NeededScopes } from '../scopes.ts';

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
