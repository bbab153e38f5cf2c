import type { Entity, EntityKind, IndexedEpisode } from '../catalogue/records/kinds.ts';
import { isRecord, type JsonRecord, listAt, textAt } from '../catalogue/records/members.ts';
import { isKind, listsOf } from './kinds.ts';
import {
  type EpisodeTarget,
  keyOfTarget,
  lineOf,
  type SeasonTarget,
  type Target,
  type WorkTarget,
} from './target.ts';

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

/** An id as the interface document types it (Conventions); null for anything else. */
export function idOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Of a date, which the interface document writes `YYYY-MM-DD`. */
export function yearOf(date: string | null): number | null {
  return date === null || !/^\d{4}-/.test(date) ? null : Number(date.slice(0, 4));
}

/** The fields that say when something first came out, none of which a kind has beside another. */
const firstDates = ['airDate', 'firstAirDate', 'releaseDate', 'firstReleaseDate'];

/** What every record that names a target shows of it. Null without a usable id. */
function factsIn(value: unknown) {
  if (!isRecord(value)) return null;
  const id = idOf(value.id);
  const date = textAt(value, ...firstDates);
  const title = lineOf(value.title) || lineOf(value.name);
  return id === null ? null : { id, title, date: /^\d{4}-\d{2}-\d{2}$/.test(date ?? '') ? date : null };
}

/** The number of a season or an episode, or a year. */
function numberIn(record: unknown, name: string): number | null {
  const number = isRecord(record) ? idOf(record[name]) : null;
  return number !== null && number < 100_000 ? number : null;
}

/** A work as any record names it: its own, a summary, or a reference. Null without a usable id. */
export function workTargetOf(kind: WorkTarget['kind'], record: unknown): WorkTarget | null {
  const facts = factsIn(record);
  if (facts === null) return null;
  // A collection is named without a year: with one a name means its film of that year.
  const year = kind === 'collection' ? null : (numberIn(record, 'year') ?? yearOf(facts.date));
  return { kind, ...facts, year };
}

/** A season as any record names it. Null without a usable id. */
export function seasonTargetOf(record: unknown): SeasonTarget | null {
  const facts = factsIn(record);
  return facts === null ? null : { kind: 'season', ...facts, season: numberIn(record, 'seasonNumber') };
}

/**
 * An episode as any record names it. Null without a usable id.
 * @param within the number of its season, where the record stands in one
 */
export function episodeTargetOf(record: unknown, within: number | null = null): EpisodeTarget | null {
  const facts = factsIn(record);
  if (facts === null || !isRecord(record)) return null;
  const season = numberIn(record, 'seasonNumber') ?? within ?? numberIn(record.season, 'seasonNumber');
  return { kind: 'episode', ...facts, season, episode: numberIn(record, 'episodeNumber') };
}

/**
 * A target as a record of its kind names it. Null without a usable id.
 * @param within as for `episodeTargetOf`
 */
export function targetOf(
  kind: EntityKind | WorkTarget['kind'],
  record: unknown,
  within: number | null = null,
): Target | null {
  switch (kind) {
    case 'season':
      return seasonTargetOf(record);
    case 'episode':
      return episodeTargetOf(record, within);
    default:
      return workTargetOf(kind, record);
  }
}

/** A target as a reference names it: its kind and its id, and its title where that is there. Null for what is no entity. */
export function targetNamedBy(reference: unknown): Target | null {
  if (!isRecord(reference) || typeof reference.kind !== 'string') return null;
  return isKind(reference.kind) ? targetOf(reference.kind, reference) : null;
}

/** Every target that an entity's record shows: itself first, then the seasons, episodes, films and games that it lists. */
export function targetsShownBy(kind: EntityKind, record: Entity): Target[] {
  const json: JsonRecord = record;
  const within = numberIn(json, 'seasonNumber');
  return [
    targetOf(kind, json) ?? [],
    ...listsOf(kind).flatMap(([member, part]) =>
      listAt(json, member).map((one) => targetOf(part, one, within) ?? []),
    ),
  ].flat();
}

/** Everything of a work that can have pictures, in the catalogue's order. */
export function targetsOf({ target, seasons, films }: Work): Target[] {
  return [target, ...seasons.flatMap((season): Target[] => [season, ...season.episodes]), ...films];
}

/** A season with its episodes (interface document, Season). */
export function seasonOf(record: Entity): Season | null {
  const target = seasonTargetOf(record);
  if (target === null) return null;
  const episodes = (record.episodes ?? []).flatMap((one) => episodeTargetOf(one, target.season) ?? []);
  return { ...target, episodes };
}

/** The seasons that a show lists (interface document, Show), without their episodes. */
export function seasonsListedBy(record: Entity): SeasonTarget[] {
  return (record.seasons ?? []).flatMap((season) => seasonTargetOf(season) ?? []);
}

/** The films that a collection lists (interface document, Collection). */
export function filmsListedBy(record: Entity): WorkTarget[] {
  return (record.movies ?? []).flatMap((movie) => workTargetOf('movie', movie) ?? []);
}

/** The Sets that an entity lists (interface document, Show): only shows list any. */
export function setsListedBy(record: Entity) {
  return listAt(record, 'sets').flatMap((set) => {
    const id = idOf(set.id);
    const facts = { title: lineOf(set.title), createdBy: lineOf(set.createdBy) || null };
    const updated = textAt(set, 'dateUpdated');
    return id === null ? [] : [{ kind: 'show_set' as const, id, ...facts, updated }];
  });
}

/** What an entity, or an item of the episodes index, says that it is part of; null for what it does not say. */
export function partOf(record: Entity | IndexedEpisode) {
  const json: JsonRecord = record;
  return {
    show: workTargetOf('show', json.show),
    season: seasonTargetOf(json.season),
    collection: workTargetOf('collection', json.collection),
    company: workTargetOf('company', json.parentCompany),
  };
}

/**
 * What is still to come, by `keyOfTarget`. An episode without a date is, behind the last that was aired, in the order of
 * the seasons. A season is, if all of its episodes are.
 * @param today `YYYY-MM-DD`
 */
export function aheadIn(
  { seasons, films }: Pick<Work, 'seasons' | 'films'>,
  today: string,
): ReadonlySet<string> {
  const inOrder = [...seasons].sort((one, other) => (one.season ?? 0) - (other.season ?? 0));
  const episodes = inOrder.flatMap((season) => season.episodes);
  const lastAired = episodes.findLastIndex(({ date }) => date !== null && date <= today);
  const isAhead = ({ date }: EpisodeTarget, at: number) =>
    date === null ? lastAired >= 0 && at > lastAired : date > today;
  const ahead = new Set(episodes.filter(isAhead));
  const whole = seasons.filter(
    (one) => one.episodes.length > 0 && one.episodes.every((each) => ahead.has(each)),
  );
  const later = films.filter(({ date }) => date !== null && date > today);
  return new Set([...ahead, ...whole, ...later].map(keyOfTarget));
}
