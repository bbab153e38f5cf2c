import type { Database } from '../store/database.ts';
import { insert } from '../store/insert.ts';
import type { Content } from './content.ts';
import { StableIds } from './identity.ts';
import { fillBelongings, type Named, type Names } from './names.ts';

export interface SeededMovie {
  readonly kind: 'movie';
  readonly id: number;
  readonly title: string;
  readonly filmedForImax: boolean;
  readonly belongs: readonly Named[];
}

export interface SeededCollection {
  readonly kind: 'collection';
  readonly id: number;
  readonly title: string;
  readonly movies: readonly SeededMovie[];
}

export interface SeededFilms {
  readonly movies: readonly SeededMovie[];
  readonly collections: readonly SeededCollection[];
}

export function fillFilms(database: Database, content: Content, names: Names): SeededFilms {
  const collectionIds = new StableIds(1_000, 9_999);
  const collections = content.collections.map(({ title, overview }) => {
    const id = collectionIds.idOf(title);
    insert(database, 'collections', { id, title, overview });
    const members: SeededMovie[] = [];
    return { kind: 'collection' as const, id, title, movies: members };
  });
  const byTitle = new Map(collections.map((collection) => [collection.title, collection]));
  const movieIds = new StableIds(10_000, 99_999);
  const movies = content.movies.map((movie) => {
    const collection = movie.collection === null ? undefined : byTitle.get(movie.collection);
    if (movie.collection !== null && !collection) {
      throw new Error(
        `${movie.title} refers to the collection ${movie.collection}, which is not in the seed.`,
      );
    }
    // Remakes share a title, never the date.
    const id = movieIds.idOf(`${movie.title} ${movie.releaseDate}`);
    insert(database, 'movies', {
      id,
      title: movie.title,
      overview: movie.overview,
      tagline: movie.tagline,
      status: movie.status,
      release_date: movie.releaseDate,
      runtime_minutes: movie.runtimeMinutes,
      filmed_for_imax: movie.filmedForImax ? 1 : 0,
      collection_id: collection?.id ?? null,
    });
    const belongs = fillBelongings(
      database,
      names,
      { kind: 'movie', id, title: movie.title },
      { company: movie.companies, person: movie.people, category: movie.categories },
    );
    const seeded = {
      kind: 'movie' as const,
      id,
      title: movie.title,
      filmedForImax: movie.filmedForImax,
      belongs,
    };
    collection?.movies.push(seeded);
    return seeded;
  });
  return { movies, collections };
}
