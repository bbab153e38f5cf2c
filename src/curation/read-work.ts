import type { Catalogue } from '../catalogue/client.ts';
import type { Deadline } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { mapLimit } from '../map-limit.ts';
import type { Kind } from '../model/kinds.ts';
import {
  labelInSentence,
  type SeasonTarget,
  seasonWords,
  type Target,
  type WorkTarget,
} from '../model/target.ts';
import {
  episodeTargetOf,
  filmsListedBy,
  partOf,
  type Season,
  seasonOf,
  seasonsListedBy,
  targetsOf,
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
  /** Seasons that the show lists and that could not be read: they are in the work without their episodes. */
  readonly unread: readonly SeasonTarget[];
}

type Reads = Pick<Catalogue, 'readEntity'>;

/** Reads at a time: the interface document names no limit, so few. */
const few = 4;

/**
 * Reads a work with everything of it that can have pictures (interface document, Public reads): of a show all its
 * seasons, as far as they can be read.
 * @throws ArtworkError `not_found` for an id that the catalogue does not have; `bad_response` where a season or an
 * episode does not say what it belongs to; why it could not be read, of a show also why none of its seasons could be
 */
export async function readWork(
  catalogue: Reads,
  { kind, id }: NamedTarget,
  deadline: Deadline,
): Promise<ReadWork> {
  const record = await catalogue.readEntity(kind, id, deadline);
  const { season: within, show } = partOf(record);
  switch (kind) {
    case 'show': {
      const seasons = await readSeasons(catalogue, seasonsListedBy(record), deadline);
      const work = { target: workNamed(kind, id, record), seasons: seasons.all, films: [] };
      return { work, targets: targetsOf(work), unread: seasons.unread };
    }
    case 'season': {
      const season = seasonOf({ ...record, id });
      const target = await readShow(catalogue, { kind, id }, show, deadline);
      if (season === null) throw incomplete({ kind, id }, 'its id');
      const work = { target, seasons: [season], films: [] };
      return { work, targets: [season, ...season.episodes], unread: [] };
    }
    case 'episode': {
      const episode = episodeTargetOf({ ...record, id });
      if (episode === null || within === null) throw incomplete({ kind, id }, 'its season');
      const season = { ...within, season: episode.season ?? within.season, episodes: [episode] };
      const target = await readShow(catalogue, { kind, id }, show, deadline);
      return { work: { target, seasons: [season], films: [] }, targets: [episode], unread: [] };
    }
    // Nothing else has parts that are read by themselves.
    default: {
      const films = kind === 'collection' ? filmsListedBy(record) : [];
      const work = { target: workNamed(kind, id, record), seasons: [], films };
      return { work, targets: targetsOf(work), unread: [] };
    }
  }
}

/** Which seasons are read without their episodes, as a sentence for a person; null: none. */
export function unreadWords({ unread }: Pick<ReadWork, 'unread'>): string | null {
  if (unread.length === 0) return null;
  const named = unread.map(({ season, title }) => {
    return season === null && title !== '' ? labelInSentence(title) : seasonWords(season);
  });
  return `The catalogue could not read ${named.join(', ')}: their episodes are left out.`;
}

/** The seasons in their order. One that can't be read is there without its episodes. */
async function readSeasons(catalogue: Reads, listed: readonly SeasonTarget[], deadline: Deadline) {
  const failures: ArtworkError[] = [];
  const read = await mapLimit(listed, few, async (season): Promise<Season | null> => {
    try {
      return seasonOf(await catalogue.readEntity('season', season.id, deadline));
    } catch (error) {
      // What concerns the service, the account or this call would fail of the others too.
      if (!(error instanceof ArtworkError) || error.concerns !== 'record') throw error;
      failures.push(error);
      return null;
    }
  });
  const [why] = failures;
  if (why !== undefined && failures.length === listed.length) throw why;
  return {
    all: listed.map((season, at) => read[at] ?? { ...season, episodes: [] }),
    unread: listed.filter((_, at) => read[at] == null),
  };
}

/** What was asked for by its id has that id, whatever its record says. */
function workNamed(kind: WorkTarget['kind'], id: number, record: object): WorkTarget {
  const target = workTargetOf(kind, { ...record, id });
  if (target === null) throw incomplete({ kind, id }, 'its id');
  return target;
}

async function readShow(
  catalogue: Reads,
  part: { readonly kind: string; readonly id: number },
  show: WorkTarget | null,
  deadline: Deadline,
): Promise<WorkTarget> {
  if (show === null) throw incomplete(part, 'which is the show');
  return workNamed('show', show.id, await catalogue.readEntity('show', show.id, deadline));
}

function incomplete(
  { kind, id }: { readonly kind: string; readonly id: number },
  what: string,
): ArtworkError {
  return new ArtworkError(
    'bad_response',
    `The catalogue does not say ${what} of the ${kind} ${id}. Name the show instead.`,
  );
}
