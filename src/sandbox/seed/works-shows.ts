import type { Database } from '../store/database.ts';
import { insert } from '../store/insert.ts';
import type { Content } from './content.ts';
import { StableIds } from './identity.ts';
import { fillBelongings, type Named, type Names } from './names.ts';
import type { SeedShow } from './records.ts';

export interface SeededEpisode {
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

export function fillShows(database: Database, content: Content, names: Names): readonly SeededShow[] {
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
      // Where two episodes bear one number, they are told apart by their order.
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

/** The dates of all episodes, specials too, in order: the first and the last are the show's own. */
function airDates(show: SeedShow): readonly string[] {
  return show.seasons
    .flatMap((season) => season.episodes.map(({ airDate }) => airDate))
    .filter((date) => date !== null)
    .sort();
}
