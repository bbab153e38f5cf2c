import type { Catalogue } from '../../catalogue/client.ts';
import { type SetKind, type SetOf, shortName, slotsOf } from '../../catalogue/records/kinds.ts';
import { type JsonRecord as Json, listAt, recordAt } from '../../catalogue/records/members.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { episodesAhead, isSeasonAhead } from '../lacking.ts';
import { readTargets } from '../targets/read-targets.ts';
import type { TargetKind } from '../targets/targets.ts';
import { numberCode } from '../words.ts';

/** One picture that a Set has. */
export interface SetPicture {
  readonly target: { readonly kind: TargetKind; readonly id: number };
  readonly slot: string;
  /** Root-relative. */
  readonly path: string;
  /** S01E03, S01, the title of a film; empty for the work itself. */
  readonly label: string;
  /** The season that an episode is of. */
  readonly season: number | null;
}

export interface WorkOfSet {
  readonly kind: TargetKind;
  readonly id: number;
  /** With its year; cleaned and short. */
  readonly title: string;
}

/** A Set as public reads show it, in the same words whatever its kind. */
export interface SetFacts {
  readonly kind: SetKind;
  readonly id: number;
  readonly title: string;
  /** The creator's name. */
  readonly by: string | null;
  readonly changedAt: string | null;
  readonly language: string | null;
  /** Null for Brand Sets and groups, which are of several. */
  readonly work: WorkOfSet | null;
  /** In the order of seasons and episodes. */
  readonly pictures: readonly SetPicture[];
  /** Of a Boxset or Loadout. */
  readonly members: readonly { readonly kind: SetKind; readonly id: number }[];
}

/**
 * What an audit needs of a public Set's record. Interface document, Resources: the Sets and groups. Members that it
 * does not name are left out.
 */
export function factsOfSet<Kind extends SetKind>(kind: Kind, id: number, set: SetOf<Kind>): SetFacts {
  const record: Json = set;
  const pictures: SetPicture[] = [];
  const take: Take = (of, holder, label, season = null) => {
    const own = idOf(holder.id);
    if (own === null) return;
    for (const slot of slotsOf[of]) {
      const path = holder[slot];
      if (typeof path === 'string' && path !== '')
        pictures.push({ target: { kind: of, id: own }, slot, path, label, season });
    }
  };
  const work = takeWork(kind, record, take);
  return {
    kind,
    id,
    title: shortName(record.title),
    by: shortName(record.createdBy) || null,
    changedAt: textOf(record.dateUpdated) ?? textOf(record.dateCreated),
    language: textOf(record.language),
    work,
    pictures,
    members: membersOf(kind, record),
  };
}

type Take = (of: TargetKind, holder: Json, label: string, season?: number | null) => void;

function takeWork(kind: SetKind, record: Json, take: Take): WorkOfSet | null {
  switch (kind) {
    case 'show_set': {
      const show = recordAt(record, 'show');
      take('show', show, '');
      for (const season of listAt(show, 'seasons')) {
        const code = codeOf('S', season.seasonNumber);
        take('season', season, code || `season ${String(season.id)}`);
        for (const episode of listAt(season, 'episodes')) {
          const number = codeOf('E', episode.episodeNumber);
          const label = number === '' ? `episode ${String(episode.id)}` : code + number;
          take('episode', episode, label, idOf(season.id));
        }
      }
      return workOf('show', show);
    }
    case 'movie_set':
    case 'game_set': {
      const of = kind === 'movie_set' ? 'movie' : 'game';
      const work = recordAt(record, of);
      take(of, work, '');
      return workOf(of, work);
    }
    case 'collection_set': {
      const collection = recordAt(record, 'collection');
      take('collection', collection, '');
      for (const movie of listAt(collection, 'movies')) take('movie', movie, titleWithYear(movie));
      return workOf('collection', collection);
    }
    case 'brand_set':
      for (const network of listAt(record, 'networks')) take('network', network, shortName(network.name));
      for (const company of listAt(record, 'companies')) take('company', company, shortName(company.name));
      return null;
    case 'boxset':
    case 'loadout':
      return null;
  }
}

function membersOf(kind: SetKind, record: Json): SetFacts['members'] {
  if (kind !== 'boxset' && kind !== 'loadout') return [];
  return listAt(record, 'sets').flatMap((member) => {
    const id = idOf(member.id);
    // Children are show Sets and film Sets; a Loadout's are of games, and say no kind.
    const of =
      kind === 'loadout'
        ? 'game_set'
        : member.kind === 'show_set' || 'show' in member
          ? 'show_set'
          : 'movie_set';
    return id === null ? [] : [{ kind: of, id }];
  });
}

function workOf(kind: TargetKind, work: Json): WorkOfSet | null {
  const id = idOf(work.id);
  return id === null ? null : { kind, id, title: titleWithYear(work) };
}

/** What a work's record calls it, cleaned and short, with its year. */
export function titleWithYear(work: Json): string {
  const title = shortName(work.title);
  return title !== '' && typeof work.year === 'number' ? `${title} (${work.year})` : title;
}

/** The Asset's id in a path: the interface document only says that paths are root-relative, so this is a hint. */
export function assetIdIn(path: string): string | null {
  const found = path.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi);
  return found?.at(-1)?.toLowerCase() ?? null;
}

/** Nothing where there is no number. */
function codeOf(letter: 'S' | 'E', number: unknown): string {
  return typeof number === 'number' ? numberCode(letter, number) : '';
}

function idOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 100 ? value : null;
}

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
  deadline: Deadline,
): Promise<readonly Member[] | null> {
  try {
    if (kind === 'collection') return await ofCollection(catalogue, id, today, deadline);
    const { all, targets } = await readTargets(catalogue, { kind, id }, deadline);
    const [work] = all;
    const ahead = episodesAhead(targets.seasons, today);
    const own: Member[] =
      work === undefined ? [] : [{ ...whole(work.kind, work.id, work.title), label: work.title }];
    return [
      ...own,
      ...targets.seasons.flatMap((season): Member[] => {
        const episodes = season.episodes.map((episode): Member => {
          const code = codeOf('S', season.number) + codeOf('E', episode.number);
          return {
            ...{ kind: 'episode', id: episode.id, season: season.number, number: episode.number },
            label: episode.number === null ? shortName(episode.title) || `episode ${episode.id}` : code,
            date: episode.airDate,
            isAhead: ahead.has(episode.id),
          };
        });
        const isAhead = isSeasonAhead(season, ahead);
        const label = codeOf('S', season.number) || shortName(season.title) || `season ${season.id}`;
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
  deadline: Deadline,
): Promise<readonly Member[]> {
  const { title, movies } = await catalogue.readEntity('collection', id, deadline);
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
