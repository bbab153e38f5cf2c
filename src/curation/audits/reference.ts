import type { Call, Catalogue } from '../../catalogue/client.ts';
import { shortName } from '../../catalogue/target-names.ts';
import { ArtworkError } from '../../errors.ts';
import { episodesAhead, isSeasonAhead } from '../lacking.ts';
import type { TargetKind } from '../matching/targets.ts';
import { readTargets } from '../targets/read-targets.ts';
import { numberCode, type WorkOfSet } from './set-facts.ts';

/** Something that the catalogue has, and a Set of the work can have pictures of. */
export interface Member {
  readonly kind: TargetKind;
  readonly id: number;
  /** S01E03, S01, the title of a film; the title of the work itself. */
  readonly label: string;
  /** Number of the season; null for what is in none. */
  readonly season: number | null;
  /** Number of the episode. */
  readonly number: number | null;
  /** `YYYY-MM-DD`; null where the catalogue shows none. */
  readonly date: string | null;
  /** Still to come. */
  readonly isAhead: boolean;
}

type Reads = Pick<Catalogue, 'readEntity'>;

/**
 * Everything of a work that can have pictures, as the catalogue has it now, in its order: what a Set lacks is told by
 * this and not by what the Set lists. Null: the catalogue does not have the work any more.
 * @param today `YYYY-MM-DD`
 */
export async function readReference(
  catalogue: Reads,
  { kind, id }: Pick<WorkOfSet, 'kind' | 'id'>,
  today: string,
  call: Call,
): Promise<readonly Member[] | null> {
  try {
    if (kind === 'collection') return await ofCollection(catalogue, id, today, call);
    const { all, targets } = await readTargets(catalogue, { kind, id }, call);
    const [work] = all;
    const ahead = episodesAhead(targets.seasons, today);
    const own: Member[] =
      work === undefined ? [] : [{ ...whole(work.kind, work.id, work.title), label: work.title }];
    return [
      ...own,
      ...targets.seasons.flatMap((season): Member[] => {
        const episodes = season.episodes.map((episode): Member => {
          const code = `${numberCode('S', season.number)}${numberCode('E', episode.number)}`;
          return {
            ...{ kind: 'episode', id: episode.id, season: season.number, number: episode.number },
            label: episode.number === null ? shortName(episode.title) || `episode ${episode.id}` : code,
            date: episode.airDate,
            isAhead: ahead.has(episode.id),
          };
        });
        const isAhead = isSeasonAhead(season, ahead);
        const label = numberCode('S', season.number) || shortName(season.title) || `season ${season.id}`;
        return [{ ...whole('season', season.id, label), season: season.number, isAhead }, ...episodes];
      }),
    ];
  } catch (error) {
    if (error instanceof ArtworkError && error.category === 'not_found') return null;
    throw error;
  }
}

async function ofCollection(
  catalogue: Reads,
  id: number,
  today: string,
  call: Call,
): Promise<readonly Member[]> {
  const { title, movies } = await catalogue.readEntity('collection', id, call);
  return [
    whole('collection', id, shortName(title)),
    ...(movies ?? []).flatMap(({ id: movieId, title: name, releaseDate = null }): Member[] => {
      if (typeof movieId !== 'number') return [];
      const [, year] = /^(\d{4})-/.exec(releaseDate ?? '') ?? [];
      const label = shortName(name) + (year === undefined ? '' : ` (${year})`);
      const isAhead = releaseDate !== null && releaseDate > today;
      return [{ ...whole('movie', movieId, label || `movie ${movieId}`), date: releaseDate, isAhead }];
    }),
  ];
}

function whole(kind: TargetKind, id: number, label: string): Member {
  return { kind, id, label, season: null, number: null, date: null, isAhead: false };
}
