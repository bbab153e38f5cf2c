import type { AnySet, Entity, EntityKind, IndexedEpisode } from '../catalogue/records/kinds.ts';
import { isRecord, type JsonRecord, listAt, textAt } from '../catalogue/records/members.ts';
import { isKind } from './kinds.ts';
import { type EpisodeTarget, lineOf, type SeasonTarget, type Target, type WorkTarget } from './target.ts';

/** A season with its episodes, in the catalogue's order. */
export interface Season extends SeasonTarget {
  readonly episodes: readonly EpisodeTarget[];
}

/** A work with everything of it that can have pictures, in the catalogue's order. */
export interface Work {
  readonly target: WorkTarget;
  /** Of a show. */
  readonly seasons: readonly Season[];
  /** Of a collection. */
  readonly films: readonly WorkTarget[];
}

/** What a record of an entity is part of, as far as it says. */
export interface PartOf {
  readonly show: WorkTarget | null;
  /** Of an episode. */
  readonly season: SeasonTarget | null;
  /** Of a film. */
  readonly collection: WorkTarget | null;
  /** Of a company. */
  readonly company: WorkTarget | null;
}

/** An id as the interface document types it (Conventions); null for anything else. */
export function idOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** The id that a record itself shows, which need not be the one that it was read by. */
export function idOfRecord(record: Entity | AnySet): number | null {
  return idOf(record.id);
}

/** Of a date, which the interface document writes `YYYY-MM-DD`. */
export function yearOf(date: string | null): number | null {
  const [, year] = /^(\d{4})-/.exec(date ?? '') ?? [];
  return year === undefined ? null : Number(year);
}

type WorkKind = WorkTarget['kind'];

/** A work as any record names it: its own, a summary, or a reference. Null without a usable id. */
export function workTargetOf(kind: WorkKind, record: unknown): WorkTarget | null {
  if (!isRecord(record)) return null;
  const id = idOf(record.id);
  if (id === null) return null;
  const date = dateIn(record, 'firstAirDate', 'releaseDate', 'firstReleaseDate');
  const title = lineOf(record.title) || lineOf(record.name);
  // A collection is named without a year: with one a name means its film of that year.
  const year = kind === 'collection' ? null : (numberIn(record, 'year') ?? yearOf(date));
  return { kind, id, title, date, year };
}

/** A season as any record names it. */
export function seasonTargetOf(record: unknown): SeasonTarget | null {
  if (!isRecord(record)) return null;
  const id = idOf(record.id);
  if (id === null) return null;
  const { title } = record;
  return {
    kind: 'season',
    id,
    title: lineOf(title),
    date: dateIn(record, 'airDate'),
    season: numberIn(record, 'seasonNumber'),
  };
}

/**
 * An episode as any record names it.
 * @param season the number of its season, where the record stands in one
 */
export function episodeTargetOf(record: unknown, season: number | null = null): EpisodeTarget | null {
  if (!isRecord(record)) return null;
  const id = idOf(record.id);
  if (id === null) return null;
  const within = isRecord(record.season) ? numberIn(record.season, 'seasonNumber') : null;
  return {
    ...{ kind: 'episode', id, title: lineOf(record.title), date: dateIn(record, 'airDate') },
    season: numberIn(record, 'seasonNumber') ?? season ?? within,
    episode: numberIn(record, 'episodeNumber'),
  };
}

/** A target as a record of its kind names it. */
export function targetOf(kind: EntityKind, record: unknown): Target | null {
  switch (kind) {
    case 'season':
      return seasonTargetOf(record);
    case 'episode':
      return episodeTargetOf(record);
    default:
      return workTargetOf(kind, record);
  }
}

/** A target as a reference names it: its kind and its id, and its title where that is there. Null for what is no entity. */
export function targetNamedBy(reference: unknown): Target | null {
  if (!isRecord(reference) || typeof reference.kind !== 'string') return null;
  return isKind(reference.kind) ? targetOf(reference.kind, reference) : null;
}

/** Those that have a usable id. */
function existing<Found>(found: readonly (Found | null)[]): Found[] {
  return found.flatMap((one) => (one === null ? [] : [one]));
}

/** A season with its episodes (interface document, Season). */
export function seasonOf(record: Entity): Season | null {
  const target = seasonTargetOf(record);
  if (target === null) return null;
  return {
    ...target,
    episodes: existing((record.episodes ?? []).map((one) => episodeTargetOf(one, target.season))),
  };
}

/** The seasons that a show lists (interface document, Show), without their episodes. */
export function seasonsListedBy(record: Entity): SeasonTarget[] {
  return existing((record.seasons ?? []).map(seasonTargetOf));
}

/** The films that a collection lists (interface document, Collection). */
export function filmsListedBy(record: Entity): WorkTarget[] {
  return existing((record.movies ?? []).map((movie) => workTargetOf('movie', movie)));
}

/** A Set that a show lists (interface document, Show): it is a Show Set. */
export interface ListedSet {
  readonly kind: 'show_set';
  readonly id: number;
  readonly title: string;
  readonly createdBy: string | null;
  readonly updated: string | null;
}

/** The Sets that an entity lists: only shows list any. */
export function setsListedBy(record: Entity): ListedSet[] {
  return listAt(record, 'sets').flatMap((set): ListedSet[] => {
    const id = idOf(set.id);
    if (id === null) return [];
    return [
      {
        kind: 'show_set',
        id,
        title: lineOf(set.title),
        createdBy: lineOf(set.createdBy) || null,
        updated: textAt(set, 'dateUpdated'),
      },
    ];
  });
}

/** What an entity says that it is part of. */
export function partOf(record: Entity): PartOf {
  return partIn(record);
}

/** The show and season of an item of the episodes index. */
export function partOfIndexed(item: IndexedEpisode): PartOf {
  return partIn(item);
}

function partIn(json: JsonRecord): PartOf {
  return {
    show: workTargetOf('show', json.show),
    season: seasonTargetOf(json.season),
    collection: workTargetOf('collection', json.collection),
    company: workTargetOf('company', json.parentCompany),
  };
}

/** An item of the episodes index. Its `year` is the show's or the episode's, which the document does not say: neither takes it. */
export function episodeOfIndex(item: IndexedEpisode): EpisodeTarget | null {
  return episodeTargetOf(item);
}

/** Every target that an entity's record shows: itself first, then the seasons, episodes, films and games that it lists. */
export function targetsShownBy(kind: EntityKind, record: Entity): Target[] {
  const json = record;
  const listed = (name: string) => (Array.isArray(json[name]) ? json[name] : []);
  const season = numberIn(json, 'seasonNumber');
  return existing<Target>([
    targetOf(kind, json),
    ...listed('seasons').map(seasonTargetOf),
    ...listed('episodes').map((one) => episodeTargetOf(one, season)),
    ...listed('movies').map((one) => workTargetOf('movie', one)),
    ...listed('relatedGames').map((one) => workTargetOf('game', one)),
  ]);
}

/** Everything of a work that can have pictures, in the catalogue's order. */
export function targetsOf({ target, seasons, films }: Work): Target[] {
  return [target, ...seasons.flatMap((season): Target[] => [season, ...season.episodes]), ...films];
}

/** Whether a word is the kind of a work that stands for itself. */
export function isWorkKind(kind: string): kind is Exclude<EntityKind, 'season' | 'episode'> {
  return isKind(kind) && kind !== 'season' && kind !== 'episode';
}

/**
 * What is still to come, by `keyOfTarget`. An episode without a date is, unless one after it has been aired, or
 * no other that it could be compared with has a date. Specials are no part of the order. A season is, if all of its
 * episodes are.
 * @param today `YYYY-MM-DD`
 */
export function aheadIn(
  { seasons, films }: Pick<Work, 'seasons' | 'films'>,
  today: string,
): ReadonlySet<string> {
  const inOrder = [...seasons].sort((one, other) => (one.season ?? 0) - (other.season ?? 0));
  const orders = [
    inOrder.filter(({ season }) => season !== 0).flatMap(({ episodes }) => episodes),
    ...inOrder.filter(({ season }) => season === 0).map(({ episodes }) => episodes),
  ];
  const episodes = orders.flatMap((order) => {
    const lastAired = order.findLastIndex(({ date }) => date !== null && date <= today);
    const anyDate = order.some(({ date }) => date !== null);
    return order.filter(({ date }, at) => (date === null ? anyDate && at > lastAired : date > today));
  });
  const ahead = new Set(episodes);
  const whole = seasons.filter(
    (season) => season.episodes.length > 0 && season.episodes.every((one) => ahead.has(one)),
  );
  const later = films.filter(({ date }) => date !== null && date > today);
  return new Set([...episodes, ...whole, ...later].map(({ kind, id }) => `${kind} ${id}`));
}

function numberIn(record: JsonRecord, name: string): number | null {
  const value = record[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 100_000
    ? value
    : null;
}

function dateIn(record: JsonRecord, ...names: readonly string[]): string | null {
  const found = names
    .map((name) => record[name])
    .find((value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value));
  return typeof found === 'string' ? found : null;
}
