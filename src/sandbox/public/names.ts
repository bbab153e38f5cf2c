import { notFound } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import { assetsOf, metadataImages } from './assets.ts';

/**
 * `parentCompany`, which the interface document does not show, is assumed to be a reference like the others.
 */
export function readCompany(context: ServerContext, id: number) {
  const company = context.database.first(
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
    metadataImages: metadataImages(context, 'company', id),
    assets: assetsOf(context, 'company', id),
    parentCompany:
      parentId === null ? null : { id: parentId, kind: 'company', name: company.text('parent_name') },
  };
}

export function readNetwork(context: ServerContext, id: number) {
  const network = context.database.first('SELECT * FROM networks WHERE id = ?', id);
  if (!network) throw notFound(`Network ${id}`);
  return {
    id,
    kind: 'network',
    name: network.text('name'),
    homepage: network.textOrNull('homepage'),
    originCountry: network.textOrNull('origin_country'),
    metadataImages: metadataImages(context, 'network', id),
    assets: assetsOf(context, 'network', id),
  };
}

export function readPerson(context: ServerContext, id: number) {
  const person = context.database.first('SELECT * FROM people WHERE id = ?', id);
  if (!person) throw notFound(`Person ${id}`);
  return {
    id,
    kind: 'person',
    name: person.text('name'),
    biography: person.text('biography'),
    birthday: person.textOrNull('birthday'),
    deathday: person.textOrNull('deathday'),
    placeOfBirth: person.textOrNull('place_of_birth'),
    knownForDepartment: person.textOrNull('known_for_department'),
    homepage: person.textOrNull('homepage'),
    metadataImages: metadataImages(context, 'person', id),
    assets: assetsOf(context, 'person', id),
  };
}

export function readCategory(context: ServerContext, id: number) {
  const category = context.database.first('SELECT * FROM categories WHERE id = ?', id);
  if (!category) throw notFound(`Category ${id}`);
  return {
    id,
    kind: 'category',
    name: category.text('name'),
    description: category.text('description'),
    group: category.text('category_group'),
    assets: assetsOf(context, 'category', id),
  };
}
