import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';
import { metadataImages } from './metadata-images.ts';

export function readMovie(premises: Premises, id: number) {
  const movie = premises.database.first(
    `SELECT m.*, c.title AS collection_title
     FROM movies m LEFT JOIN collections c ON c.id = m.collection_id WHERE m.id = ?`,
    id,
  );
  if (!movie) throw notFound(`Movie ${id}`);
  const collectionId = movie.integerOrNull('collection_id');
  return {
    id,
    kind: 'movie',
    title: movie.text('title'),
    overview: movie.text('overview'),
    tagline: movie.textOrNull('tagline'),
    status: movie.text('status'),
    releaseDate: movie.textOrNull('release_date'),
    runtimeMinutes: movie.integerOrNull('runtime_minutes'),
    filmedForImax: movie.flag('filmed_for_imax'),
    metadataImages: metadataImages(premises, 'movie', id),
    assets: assetsOf(premises, 'movie', id),
    collection:
      collectionId === null
        ? null
        : { id: collectionId, kind: 'collection', title: movie.text('collection_title') },
  };
}
