import { type Database, insert } from '../store/database.ts';
import type { SeedContent } from './content.ts';
import { fillBelongings, type Named, type Names } from './names.ts';
import { gamesMeant, type SeedShow } from './records.ts';
import { StableIds } from './stable.ts';

interface SeededEpisode {
  readonly id: number;
  readonly number: number;
  readonly airDate: string | null;
}

export interface SeededSeason {
  readonly id: number;
  readonly number: number;
  readonly episodes: readonly SeededEpisode[];
}

export interface SeededShow {
  readonly kind: 'show';
  readonly id: number;
  readonly title: string;
  /** How many posters there must be outside any Set; undefined: a few. */
  readonly posters: number | undefined;
  readonly seasons: readonly SeededSeason[];
  readonly belongs: readonly Named[];
}

export function fillShows(database: Database, content: SeedContent, names: Names): readonly SeededShow[] {
  const showIds = new StableIds(1_000, 9_999);
  const seasonIds = new StableIds(10_000, 99_999);
  const episodeIds = new StableIds(1_000_000, 9_999_999);
  return content.shows.map((show) => {
    const id = showIds.idOf(show.title);
    const aired = airDates(show);
    insert(database, 'shows', {
      id,
      title: show.title,
      overview: show.overview,
      tagline: show.tagline,
      status: show.status,
      first_air_date: aired[0] ?? null,
      last_air_date: aired.at(-1) ?? null,
    });
    const belongs = fillBelongings(
      database,
      names,
      { kind: 'show', id, title: show.title },
      { network: show.networks, company: show.companies, person: show.people, category: show.categories },
    );
    const seasons = show.seasons.map((season) => {
      const seasonId = seasonIds.idOf(`${show.title} ${season.number}`);
      insert(database, 'seasons', {
        id: seasonId,
        show_id: id,
        title: season.title,
        season_number: season.number,
        air_date: season.airDate,
      });
      // Two episodes with one number differ by their order.
      const seen = new Map<number, number>();
      const episodes = season.episodes.map(({ number, title, airDate }) => {
        const before = seen.get(number) ?? 0;
        seen.set(number, before + 1);
        const episodeId = episodeIds.idOf(`${show.title} ${season.number} ${number} ${before}`);
        insert(database, 'episodes', {
          id: episodeId,
          show_id: id,
          season_id: seasonId,
          season_number: season.number,
          episode_number: number,
          title,
          air_date: airDate,
        });
        return { id: episodeId, number, airDate };
      });
      return { id: seasonId, number: season.number, episodes };
    });
    return { kind: 'show', id, title: show.title, posters: show.posters, seasons, belongs };
  });
}

/** The dates of all episodes with specials, sorted: the first and the last are the show's own. */
function airDates(show: SeedShow): readonly string[] {
  return show.seasons
    .flatMap((season) => season.episodes.map(({ airDate }) => airDate))
    .filter((date) => date !== null)
    .sort();
}

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

export function fillFilms(database: Database, content: SeedContent, names: Names): SeededFilms {
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

export interface SeededGame {
  readonly kind: 'game';
  readonly id: number;
  readonly title: string;
  readonly belongs: readonly Named[];
}

export function fillGames(database: Database, content: SeedContent, names: Names): readonly SeededGame[] {
  const ids = new StableIds(1_000, 9_999);
  // Remakes share a title, never the date.
  const identified = content.games.map((game) => ({
    ...game,
    id: ids.idOf(`${game.title} ${game.firstReleaseDate}`),
  }));
  const games = identified.map(({ id, ...game }) => {
    insert(database, 'games', {
      id,
      title: game.title,
      summary: game.summary,
      storyline: game.storyline,
      game_type: game.gameType,
      first_release_date: game.firstReleaseDate,
      developers: JSON.stringify(game.developers),
      publishers: JSON.stringify(game.publishers),
      engines: JSON.stringify(game.engines),
      genres: JSON.stringify(game.genres),
      platforms: JSON.stringify(game.platforms),
    });
    const belongs = fillBelongings(
      database,
      names,
      { kind: 'game', id, title: game.title },
      { category: game.categories },
    );
    return { kind: 'game' as const, id, title: game.title, belongs };
  });
  for (const { id, relatedGames } of identified) {
    const related = relatedGames.flatMap((reference) => gamesMeant(identified, reference));
    for (const [position, other] of related.entries()) {
      insert(database, 'related_games', { game_id: id, position, related_id: other.id });
    }
  }
  return games;
}
