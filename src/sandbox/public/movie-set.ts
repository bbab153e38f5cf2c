import type { Premises } from '../premises.ts';
import { setArtwork } from './set-artwork.ts';
import { readSetHead } from './set-head.ts';
import { yearOf } from './year.ts';

export function readMovieSet(premises: Premises, id: number) {
  const { fields, language, edition, group, targetId } = readSetHead(premises, 'movie_set', id);
  const movie = premises.database.only('SELECT * FROM movies WHERE id = ?', targetId);
  const movieId = movie.integer('id');
  return {
    ...fields,
    language,
    edition,
    boxset: group,
    movie: {
      id: movieId,
      title: movie.text('title'),
      year: yearOf(movie.textOrNull('release_date')),
      ...setArtwork(premises, id)('movie', movieId),
    },
  };
}
