import type { Premises } from '../premises.ts';
import { setArtwork } from './set-artwork.ts';
import { readSetHead } from './set-head.ts';
import { yearOf } from './year.ts';

/** Shows every movie of the collection, so that what the Set lacks can be seen. */
export function readCollectionSet(premises: Premises, id: number) {
  const { database } = premises;
  const { fields, language, edition, group, targetId } = readSetHead(premises, 'collection_set', id);
  const collection = database.only('SELECT * FROM collections WHERE id = ?', targetId);
  const collectionId = collection.integer('id');
  const artwork = setArtwork(premises, id);
  return {
    ...fields,
    language,
    edition,
    boxset: group,
    collection: {
      id: collectionId,
      title: collection.text('title'),
      ...artwork('collection', collectionId),
      movies: database
        .all(
          'SELECT * FROM movies WHERE collection_id = ? ORDER BY release_date IS NULL, release_date, id',
          collectionId,
        )
        .map((movie) => ({
          id: movie.integer('id'),
          title: movie.text('title'),
          year: yearOf(movie.textOrNull('release_date')),
          ...artwork('movie', movie.integer('id')),
        })),
    },
  };
}
