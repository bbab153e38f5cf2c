import type { CollectionRecord, IsoDate, ShowRecord } from '../types.ts';

type Episode = readonly [number: number, title: string | null, airDate: IsoDate | null];
type Season = readonly [number: number, title: string | null, episodes: readonly Episode[]];

/** A show whose ids follow no order that a number could be told from; seasons and episodes share theirs. */
export function show(id: number, title: string, year: number | null, seasons: readonly Season[]): ShowRecord {
  let episodes = 0;
  return {
    kind: 'show',
    id,
    title,
    year,
    seasons: seasons.map(([seasonNumber, seasonTitle, numbered], index) => ({
      id: scattered(id, index),
      seasonNumber,
      title: seasonTitle,
      airDate: numbered[0]?.[2] ?? null,
      episodes: numbered.map(([episodeNumber, episodeTitle, airDate]) => ({
        id: scattered(id, episodes++),
        episodeNumber,
        title: episodeTitle,
        airDate,
      })),
    })),
  };
}

export function collection(
  id: number,
  title: string,
  movies: readonly (readonly [title: string, releaseDate: IsoDate | null])[],
): CollectionRecord {
  return {
    kind: 'collection',
    id,
    title,
    movies: movies.map(([movieTitle, releaseDate], index) => ({
      kind: 'movie',
      id: scattered(id, index),
      title: movieTitle,
      releaseDate,
    })),
  };
}

/** Episodes 1 to `count` of which nothing but the number is told. */
export function numbered(count: number): readonly Episode[] {
  return Array.from({ length: count }, (_, index) => [index + 1, null, null]);
}

/** Steps of one prime through another: no two of a record are the same. */
function scattered(id: number, index: number): number {
  return 20_000 + ((id + (index + 1) * 3_571) % 9_973);
}
