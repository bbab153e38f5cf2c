import { z } from 'zod';
import { path } from '../path.ts';
import { assetPaths, id, listOf, setFields, text } from './fields.ts';

const brand = z.looseObject({ id, name: text, ...assetPaths('poster', 'thumb', 'logo') });

/** Interface document, Resources: Brand Set. */
export const brandSet = {
  kind: 'brand_set',
  path: (setId: number | string) => path`/brand-set/${setId}`,
  schema: z.looseObject({ ...setFields, networks: listOf(brand), companies: listOf(brand) }),
} as const;

export type BrandSet = z.infer<typeof brandSet.schema>;
