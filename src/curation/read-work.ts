import type { Catalogue } from '../catalogue/client.ts';
import type { Entity } from '../catalogue/records/kinds.ts';
import type { Deadline } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { mapLimit } from '../map-limit.ts';
import type { Kind } from '../model/kinds.ts';
import type { Target, WorkTarget } from '../model/target.ts';
import {
  episodeTargetOf,
  filmsListedBy,
  partOf,
  type Season,
  seasonOf,
  seasonsListedBy,
  type Work,
  workTargetOf,
} from '../model/work.ts';

/** A work, a season or an episode, as calls name it. */
export interface NamedTarget {
  readonly kind: Kind;
  readonly id: number;
}

/** What was asked for, within the work that it belongs to. */
export interface ReadWork {
  /** Of a season or an episode its show, with that season alone. */
  readonly work: Work;
  /** All that was asked for: everything of a work, a season with its episodes, or one episode. */
  readonly targets: readonly Target[];
}

type Reads = Pick<Catalogue, 'readEntity'>;

/** Reads at a time: the interface document names no limit, so few. */
const few = 4;

/**
 * Reads a work with everything of it that can have pictures (interface document, Public reads): of a show all its
 * seasons.
 * @throws ArtworkError `not_found` for an id that the catalogue does not have; `bad_response` where a season or an episode does not say what it belongs to; why something could not be read
 */
export async function readWork(
  catalogue: Reads,
  { kind, id }: NamedTarget,
  deadline: Deadline,
): Promise<ReadWork> {
  switch (kind) {
    case 'show': {
      const show = await catalogue.readEntity(kind, id, deadline);
      const listed = seasonsListedBy(show);
      const seasons = await mapLimit(listed, few, async (season) =>
        seasonOf(await catalogue.readEntity('season', season.id, deadline)),
      );
      return whole({ target: workNamed(kind, id, show), seasons: seasons.filter(isThere), films: [] });
    }
    case 'season': {
      const record = await catalogue.readEntity(kind, id, deadline);
      const season = seasonOf(record) ?? noTarget(kind, id);
      const show = await readShow(catalogue, kind, id, partOf(record).show, deadline);
      return { work: { target: show, seasons: [season], films: [] }, targets: [season, ...season.episodes] };
    }
    case 'episode': {
      const record = await catalogue.readEntity(kind, id, deadline);
      const episode = episodeTargetOf(record) ?? noTarget(kind, id);
      const { season, show } = partOf(record);
      if (season === null) throw incomplete(kind, id, 'its season');
      const own: Season = { ...season, season: episode.season ?? season.season, episodes: [episode] };
      const target = await readShow(catalogue, kind, id, show, deadline);
      return { work: { target, seasons: [own], films: [] }, targets: [episode] };
    }
    case 'collection': {
      const record = await catalogue.readEntity(kind, id, deadline);
      return whole({ target: workNamed(kind, id, record), seasons: [], films: filmsListedBy(record) });
    }
    // Nothing else has parts of its own.
    default: {
      const record: Entity = await catalogue.readEntity(kind, id, deadline);
      return whole({ target: workNamed(kind, id, record), seasons: [], films: [] });
    }
  }
}

function whole(work: Work): ReadWork {
  const parts = work.seasons.flatMap((season): Target[] => [season, ...season.episodes]);
  return { work, targets: [work.target, ...parts, ...work.films] };
}

/** What was asked for by its id has that id, whatever its record says. */
function workNamed(kind: WorkTarget['kind'], id: number, record: object): WorkTarget {
  return workTargetOf(kind, { ...record, id }) ?? noTarget(kind, id);
}

async function readShow(
  catalogue: Reads,
  kind: Kind,
  id: number,
  show: WorkTarget | null,
  deadline: Deadline,
): Promise<WorkTarget> {
  if (show === null) throw incomplete(kind, id, 'its show');
  return workNamed('show', show.id, await catalogue.readEntity('show', show.id, deadline));
}

function isThere<Found>(found: Found | null): found is Found {
  return found !== null;
}

function noTarget(kind: string, id: number): never {
  throw new ArtworkError('bad_response', `The catalogue's record of the ${kind} ${id} has no id.`);
}

function incomplete(kind: string, id: number, what: string): ArtworkError {
  return new ArtworkError(
    'bad_response',
    `The catalogue does not say of the ${kind} ${id} which is ${what}: name the show instead.`,
  );
}
