import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, id, text } from './fields.ts';

/** Interface document, Resources: Category. */
export const category = {
  kind: 'category',
  path: (categoryId: number | string) => path`/categories/${categoryId}`,
  schema: z.looseObject({
    id,
    kind: text,
    name: text,
    description: text,
    group: text,
    assets: assetGroups('posters', 'thumbs'),
  }),
} as const;

export type Category = z.infer<typeof category.schema>;
