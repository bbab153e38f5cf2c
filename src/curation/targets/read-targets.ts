import type { Catalogue } from '../../catalogue/client.ts';
import type { Season } from '../../catalogue/records/entities.ts';
import type { EntityKind, EntityOf } from '../../catalogue/records/kinds.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../wire/pacing.ts';
import type { EpisodeTarget, PlanTarget, PlanTargets, SeasonTarget, Work } from './targets.ts';

/** What a folder is for: `entryTargetKind` and `entryTargetId` of a plan. */
export interface PlanEntryTarget {
  readonly kind: EntityKind;
  readonly id: number;
}

export interface ReadTargets {
  /** For the matcher: of a season or an episode the title and year are its show's, since files are named so. */
  readonly targets: PlanTargets;
  /** Everything that a picture may be for, in the catalogue's order, with the catalogue's own titles. */
  readonly all: readonly PlanTarget[];
  /** What a media Set of it is for: of a season or an episode its show. */
  readonly work: PlanTarget;
}

type Reads = Pick<Catalogue, 'readEntity'>;

/** Reads at a time: the interface document names no limit, so few. */
const few = 4;

/**
 * Reads what the files of a folder may be for, by id alone (interface document, Public reads).
 * @throws ArtworkError `not_found` for an id that there is not; why something could not be read
 */
export async function readTargets(
  catalogue: Reads,
  { kind, id }: PlanEntryTarget,
  deadline: Deadline,
): Promise<ReadTargets> {
  const own = <Kind extends EntityKind>(of: Kind) => readEntry(catalogue, of, id, deadline);
  switch (kind) {
    case 'show': {
      const show = await own('show');
      const work: Work = { kind, id, title: show.title ?? '', year: show.year ?? yearOf(show.firstAirDate) };
      const ids = (show.seasons ?? []).map((season) => season.id).filter(isNumber);
      const seasons = await mapLimit(ids, few, async (seasonId) =>
        seasonTarget(await catalogue.readEntity('season', seasonId, deadline), seasonId),
      );
      return found(work, seasons);
    }
    case 'season': {
      const record = await own('season');
      const season = seasonTarget(record, id);
      return inShow(catalogue, { kind, id }, record.show, [season], deadline);
    }
    case 'episode': {
      const record = await own('episode');
      const { season } = record;
      if (!isNumber(season?.id)) throw incomplete(kind, id, 'its season');
      const number = record.seasonNumber ?? season.seasonNumber ?? null;
      const episodes = [episodeTarget(record, id, number)];
      const target = { kind: 'season', id: season.id, title: season.title ?? '', number, episodes } as const;
      return inShow(catalogue, { kind, id }, record.show, [target], deadline);
    }
    case 'collection': {
      const collection = await own('collection');
      const movies = (collection.movies ?? []).flatMap(({ id: movieId, title, releaseDate }): Work[] => {
        const of = { title: title ?? '', year: yearOf(releaseDate), releaseDate: releaseDate ?? null };
        return isNumber(movieId) ? [{ kind: 'movie', id: movieId, ...of }] : [];
      });
      return found({ kind, id, title: collection.title ?? '', year: null }, [], movies);
    }
    case 'movie': {
      const movie = await own('movie');
      return found({ kind, id, title: movie.title ?? '', year: yearOf(movie.releaseDate) });
    }
    case 'game': {
      const game = await own('game');
      return found({ kind, id, title: game.title ?? '', year: yearOf(game.firstReleaseDate) });
    }
    case 'company':
    case 'network':
    case 'person':
    case 'category': {
      const { name } = await own(kind);
      return found({ kind, id, title: name ?? '', year: null });
    }
  }
}

/** @throws ArtworkError `not_found` that says what the id has to be */
async function readEntry<Kind extends EntityKind>(
  catalogue: Reads,
  kind: Kind,
  id: number,
  deadline: Deadline,
): Promise<EntityOf<Kind>> {
  try {
    return await catalogue.readEntity(kind, id, deadline);
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    const message = `The catalogue has no ${kind} ${id}: entryTargetId is an id of this catalogue, and entryTargetKind says of what. get_entity shows what an id stands for.`;
    throw new ArtworkError('not_found', message, { status: error.status, cause: error });
  }
}

function found(work: Work, seasons: PlanTargets['seasons'] = [], movies: readonly Work[] = []): ReadTargets {
  const parts = seasons.flatMap((season) => [season, ...season.episodes]);
  return { targets: { entry: work, seasons, movies }, all: [work, ...parts, ...movies], work };
}

/** A season or an episode by itself: files are named after its show, and nothing else of that is matched. */
async function inShow(
  catalogue: Reads,
  { kind, id }: PlanEntryTarget & { readonly kind: 'season' | 'episode' },
  show: Season['show'],
  seasons: readonly SeasonTarget[],
  deadline: Deadline,
): Promise<ReadTargets> {
  if (!isNumber(show?.id)) throw incomplete(kind, id, 'its show');
  const { title, year, firstAirDate } = await catalogue.readEntity('show', show.id, deadline);
  const work: PlanTarget = { kind: 'show', id: show.id, title: title ?? show.title ?? '' };
  const entry: Work = { kind, id, title: work.title, year: year ?? yearOf(firstAirDate) };
  const own = seasons.flatMap((season) => [season, ...season.episodes]);
  const all = kind === 'season' ? own : own.filter((target) => target.kind === 'episode');
  return { targets: { entry, seasons, movies: [] }, all, work };
}

function seasonTarget(record: Season, id: number): SeasonTarget {
  const number = record.seasonNumber ?? null;
  const episodes = (record.episodes ?? []).flatMap((episode) =>
    isNumber(episode.id) ? [episodeTarget(episode, episode.id, number)] : [],
  );
  return { kind: 'season', id, title: record.title ?? '', number, episodes };
}

type ShownEpisode = Pick<EntityOf<'episode'>, 'title' | 'episodeNumber' | 'airDate'>;

function episodeTarget(
  { title, episodeNumber, airDate }: ShownEpisode,
  id: number,
  season: number | null,
): EpisodeTarget {
  const number = episodeNumber ?? null;
  return { kind: 'episode', id, title: title ?? '', number, airDate: airDate ?? null, season };
}

/** Of a date, which the interface document writes `YYYY-MM-DD`. */
function yearOf(date: string | null | undefined): number | null {
  const [, year] = /^(\d{4})-/.exec(date ?? '') ?? [];
  return year === undefined ? null : Number(year);
}

/** Targets are named by whole numbers in every request. */
function isNumber(id: unknown): id is number {
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;
}

function incomplete(kind: string, id: number, what: string): ArtworkError {
  return new ArtworkError(
    'bad_response',
    `The catalogue does not say of the ${kind} ${id} which is ${what}: plan the show instead.`,
  );
}
