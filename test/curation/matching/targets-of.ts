import type { PlanTargets, Work } from '../../../src/curation/targets/targets.ts';
import type { Context, ShowRecord } from '../names/types.ts';

/** A record of the corpus as the matcher takes it. */
export function targetsOf(context: Context): PlanTargets {
  switch (context.kind) {
    case 'show':
      return { entry: { ...work(context), year: context.year }, seasons: seasonsOf(context), movies: [] };
    case 'collection': {
      const movies = context.movies.map((movie) => ({ ...work(movie), year: yearOf(movie.releaseDate) }));
      return { entry: { ...work(context), year: null }, seasons: [], movies };
    }
    case 'movie':
      return alone(context, context.releaseDate);
    case 'game':
      return alone(context, context.firstReleaseDate);
  }
}

function alone(context: Context, date: string | null): PlanTargets {
  return { entry: { ...work(context), year: yearOf(date) }, seasons: [], movies: [] };
}

function work({ kind, id, title }: Pick<Work, 'kind' | 'id' | 'title'>): Pick<Work, 'kind' | 'id' | 'title'> {
  return { kind, id, title };
}

function yearOf(date: string | null): number | null {
  return date === null ? null : Number(date.slice(0, 4));
}

function seasonsOf({ seasons }: ShowRecord): PlanTargets['seasons'] {
  return seasons.map((season) => ({
    kind: 'season',
    id: season.id,
    title: season.title ?? '',
    number: season.seasonNumber,
    episodes: season.episodes.map((episode) => ({
      kind: 'episode',
      id: episode.id,
      title: episode.title ?? '',
      number: episode.episodeNumber,
      airDate: episode.airDate,
      season: season.seasonNumber,
    })),
  }));
}
