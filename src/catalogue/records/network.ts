import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, id, metadataImages, text } from './fields.ts';

/** Interface document, Resources: Network. */
export const network = {
  kind: 'network',
  path: (networkId: number | string) => path`/networks/${networkId}`,
  schema: z.looseObject({
    id,
    kind: text,
    name: text,
    homepage: text,
    originCountry: text,
    metadataImages: metadataImages('logo'),
    assets: assetGroups('posters', 'thumbs', 'logos'),
  }),
} as const;

export type Network = z.infer<typeof network.schema>;
