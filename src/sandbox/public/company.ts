import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';
import { metadataImages } from './metadata-images.ts';

/** `parentCompany`, which the interface document doesn't show, is assumed to be a reference like the others. */
export function readCompany(premises: Premises, id: number) {
  const company = premises.database.first(
    'SELECT c.*, p.name AS parent_name FROM companies c LEFT JOIN companies p ON p.id = c.parent_id WHERE c.id = ?',
    id,
  );
  if (!company) throw notFound(`Company ${id}`);
  const parentId = company.integerOrNull('parent_id');
  return {
    id,
    kind: 'company',
    name: company.text('name'),
    description: company.text('description'),
    homepage: company.textOrNull('homepage'),
    headquartersCountry: company.textOrNull('headquarters_country'),
    originCountry: company.textOrNull('origin_country'),
    metadataImages: metadataImages(premises, 'company', id),
    assets: assetsOf(premises, 'company', id),
    parentCompany:
      parentId === null ? null : { id: parentId, kind: 'company', name: company.text('parent_name') },
  };
}
