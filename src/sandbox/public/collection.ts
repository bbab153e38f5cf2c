import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';
import { metadataImages } from './metadata-images.ts';

export function readCollection(premises: Premises, id: number) {
  const { database } = premises;
  const collection = database.first('SELECT * FROM collections WHERE id = ?', id);
  if (!collection) throw notFound(`Collection ${id}`);
  const movies = database
    .all(
      'SELECT id, title, release_date FROM movies WHERE collection_id = ? ORDER BY release_date IS NULL, release_date, id',
      id,
    )
    .map((movie) => ({
      id: movie.integer('id'),
      kind: 'movie',
      title: movie.text('title'),
      releaseDate: movie.textOrNull('release_date'),
    }));
  const dates = movies.map((movie) => movie.releaseDate).filter((date) => date !== null);
  return {
    id,
    kind: 'collection',
    title: collection.text('title'),
    overview: collection.text('overview'),
    firstReleaseDate: dates[0] ?? null,
    latestReleaseDate: dates.at(-1) ?? null,
    metadataImages: metadataImages(premises, 'collection', id),
    assets: assetsOf(premises, 'collection', id),
    movies,
  };
}
