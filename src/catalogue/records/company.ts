import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, id, metadataImages, text } from './fields.ts';

/** Interface document, Resources: Company. The shape of a `parentCompany` is not shown. */
export const company = {
  kind: 'company',
  path: (companyId: number | string) => path`/companies/${companyId}`,
  schema: z.looseObject({
    id,
    kind: text,
    name: text,
    description: text,
    homepage: text,
    headquartersCountry: text,
    originCountry: text,
    metadataImages: metadataImages('logo'),
    assets: assetGroups('posters', 'thumbs', 'logos'),
    parentCompany: z.unknown().optional(),
  }),
} as const;

export type Company = z.infer<typeof company.schema>;
