import type { ReadWork } from '../../../src/curation/read-work.ts';
import type { WorkTarget } from '../../../src/model/target.ts';
import { type Season, targetsOf as targetsOfWork, type Work } from '../../../src/model/work.ts';
import type { Context, ShowRecord } from '../../model/names/types.ts';

/** A record of the corpus as the matcher takes it. */
export function targetsOf(context: Context): ReadWork {
  const work = workOf(context);
  return { work, targets: targetsOfWork(work), unread: [] };
}

function workOf(context: Context): Work {
  const none = { seasons: [], films: [] };
  switch (context.kind) {
    case 'show':
      return {
        ...none,
        target: { ...target(context, null), year: context.year },
        seasons: seasonsOf(context),
      };
    case 'collection':
      return {
        ...none,
        target: target(context, null),
        films: context.movies.map((movie) => target(movie, movie.releaseDate)),
      };
    case 'movie':
      return { ...none, target: target(context, context.releaseDate) };
    case 'game':
      return { ...none, target: target(context, context.firstReleaseDate) };
  }
}

type Named = Pick<WorkTarget, 'kind' | 'id' | 'title'>;

function target({ kind, id, title }: Named, date: string | null): WorkTarget {
  return { kind, id, title, date, year: date === null ? null : Number(date.slice(0, 4)) };
}

function seasonsOf({ seasons }: ShowRecord): Season[] {
  return seasons.map((season) => ({
    kind: 'season',
    id: season.id,
    title: season.title ?? '',
    date: season.airDate,
    season: season.seasonNumber,
    episodes: season.episodes.map((episode) => ({
      kind: 'episode',
      id: episode.id,
      title: episode.title ?? '',
      date: episode.airDate,
      season: season.seasonNumber,
      episode: episode.episodeNumber,
    })),
  }));
}
