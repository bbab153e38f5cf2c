import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';
import { metadataImages } from './metadata-images.ts';

export function readPerson(premises: Premises, id: number) {
  const person = premises.database.first('SELECT * FROM people WHERE id = ?', id);
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
    metadataImages: metadataImages(premises, 'person', id),
    assets: assetsOf(premises, 'person', id),
  };
}
