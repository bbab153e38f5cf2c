import type { z } from 'zod';
import { cleanText } from '../../text.ts';
import type { ServicePath } from '../call.ts';
import {
  type AssetFeedItem,
  assetFeed,
  type Category,
  type Collection,
  type Company,
  category,
  collection,
  company,
  type Episode,
  type EpisodesIndexItem,
  episode,
  type Game,
  game,
  type Movie,
  movie,
  type Network,
  network,
  type Person,
  person,
  type Season,
  type SetFeedItem,
  type Show,
  season,
  setFeed,
  show,
} from './entities.ts';
import {
  type Boxset,
  type BrandSet,
  boxset,
  brandSet,
  type CollectionSet,
  collectionSet,
  type GameSet,
  gameSet,
  type Loadout,
  loadout,
  type MovieSet,
  movieSet,
  type ShowSet,
  showSet,
} from './sets.ts';

/** One resource of the interface document: where it is read, and what it looks like. */
interface ResourceRecord<Value> {
  path(id: number | string): ServicePath;
  readonly schema: z.ZodType<Value>;
}

interface EntityTypes {
  show: Show;
  season: Season;
  episode: Episode;
  movie: Movie;
  collection: Collection;
  game: Game;
  company: Company;
  network: Network;
  person: Person;
  category: Category;
}

interface SetTypes {
  movie_set: MovieSet;
  show_set: ShowSet;
  game_set: GameSet;
  collection_set: CollectionSet;
  brand_set: BrandSet;
  boxset: Boxset;
  loadout: Loadout;
}

interface FeedItemTypes {
  assets: AssetFeedItem;
  sets: SetFeedItem;
}

export type EntityKind = keyof EntityTypes;
export type EntityOf<Kind extends EntityKind> = EntityTypes[Kind];
export type Entity = EntityOf<EntityKind>;

export type SetKind = keyof SetTypes;
export type SetOf<Kind extends SetKind> = SetTypes[Kind];
/** Any Set or group. */
export type AnySet = SetOf<SetKind>;

export type FeedName = keyof FeedItemTypes;
export type FeedItem<Feed extends FeedName> = FeedItemTypes[Feed];

/** The entities of the interface document (Public reads), by kind. */
export const entities: { readonly [Kind in EntityKind]: ResourceRecord<EntityOf<Kind>> } = {
  show,
  season,
  episode,
  movie,
  collection,
  game,
  company,
  network,
  person,
  category,
};

/** The Sets and groups of the interface document (Public reads), by kind. */
export const sets: { readonly [Kind in SetKind]: ResourceRecord<SetOf<Kind>> } = {
  movie_set: movieSet,
  show_set: showSet,
  game_set: gameSet,
  collection_set: collectionSet,
  brand_set: brandSet,
  boxset,
  loadout,
};

/** The two activity feeds (Events), by the last word of their path. */
export const feeds: {
  readonly [Feed in FeedName]: { readonly path: ServicePath; readonly schema: z.ZodType<FeedItem<Feed>> };
} = { assets: assetFeed, sets: setFeed };

/** The slots of each kind: those that its record lists under `assets` (interface document, Resources). */
export const slotsOf: Readonly<Record<EntityKind, readonly string[]>> = {
  show: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  season: ['poster', 'backdrop'],
  episode: ['titlecard'],
  movie: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  collection: ['poster', 'backdrop', 'logo', 'squareArt'],
  game: ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
  company: ['poster', 'thumb', 'logo'],
  network: ['poster', 'thumb', 'logo'],
  person: ['poster'],
  category: ['poster', 'thumb'],
};

/** Every slot that some kind has. */
export const allSlots: readonly string[] = [...new Set(Object.values(slotsOf).flat())];

/**
 * The slot that a word means: its own name or that of its list in a record (`posters`, `assets.posters`), whatever
 * the case and the separators. Null for what is no slot of the interface document.
 */
export function slotMeant(word: string): string | null {
  const meant = plain(word.replace(/^assets\./, ''));
  return allSlots.find((slot) => [slot, listNameOf(slot)].some((name) => plain(name) === meant)) ?? null;
}

/** The slots that a target of this kind has; null for a kind that the interface document does not name. */
export function slotsOfKind(kind: string): readonly string[] | null {
  return isEntityKind(kind) ? slotsOf[kind] : null;
}

function isEntityKind(kind: string): kind is EntityKind {
  return Object.hasOwn(slotsOf, kind);
}

function listNameOf(slot: string): string {
  return slot === 'hero' ? 'heroes' : `${slot}s`;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}

/**
 * What public reads have shown targets to be called, so that an answer can name one without another read. Names are
 * other people's writing: cleaned, on one line and short.
 */
interface TargetNames {
  /** `S01E14 · Objects in Space`, `Serenity (2005)`; null for what no read of this process has shown. */
  nameOf(kind: string, id: number | string): string | null;
  learn(kind: EntityKind, entity: Entity): void;
  learnEpisode(episode: EpisodesIndexItem): void;
}

/** As many as the largest Set has targets, a few times over. */
const mostNames = 10_000;

/** Remembers what public reads have shown entities and Sets to be called. */
export function createTargetNames(most = mostNames): TargetNames {
  const names = new Map<string, string>();
  const set = (kind: string, id: unknown, name: string): void => {
    if ((typeof id !== 'number' && typeof id !== 'string') || name === '') return;
    const key = `${kind} ${id}`;
    names.delete(key);
    names.set(key, name);
    const [oldest] = names.keys();
    if (names.size > most && oldest !== undefined) names.delete(oldest);
  };
  return {
    nameOf: (kind, id) => names.get(`${kind} ${id}`) ?? null,
    learn(kind, entity) {
      set(kind, entity.id, nameOfEntity(kind, entity));
      for (const { id, ...season } of recordsAt(entity, 'seasons')) set('season', id, nameOfSeason(season));
      for (const { id, ...episode } of recordsAt(entity, 'episodes')) {
        set('episode', id, nameOfEpisode({ seasonNumber: numberAt(entity, 'seasonNumber'), ...episode }));
      }
      for (const { id, ...movie } of recordsAt(entity, 'movies')) set('movie', id, nameOfWork(movie));
    },
    learnEpisode: (episode) => set('episode', episode.id, nameOfEpisode(episode)),
  };
}

type Json = Readonly<Record<string, unknown>>;

function nameOfEntity(kind: EntityKind, entity: Json): string {
  switch (kind) {
    case 'show':
    case 'movie':
    case 'game':
      return nameOfWork(entity);
    case 'season':
      return nameOfSeason(entity);
    case 'episode':
      return nameOfEpisode(entity);
    case 'collection':
      return shortName(entity.title);
    case 'company':
    case 'network':
    case 'person':
    case 'category':
      return shortName(entity.name);
  }
}

/** With the year of its first date, which tells works of one title apart. */
function nameOfWork(work: Json): string {
  const title = shortName(work.title);
  const date = work.firstAirDate ?? work.releaseDate ?? work.firstReleaseDate;
  const year = numberAt(work, 'year') ?? (typeof date === 'string' ? /^\d{4}(?=-)/.exec(date)?.[0] : null);
  return title === '' || year === null || year === undefined ? title : `${title} (${year})`;
}

function nameOfSeason(season: Json): string {
  const number = numberAt(season, 'seasonNumber');
  return joined(number === null ? '' : `S${pad(number)}`, season.title);
}

function nameOfEpisode(episode: Json): string {
  const [season, number] = [numberAt(episode, 'seasonNumber'), numberAt(episode, 'episodeNumber')];
  const code = `${season === null ? '' : `S${pad(season)}`}${number === null ? '' : `E${pad(number)}`}`;
  return joined(code, episode.title);
}

function joined(code: string, title: unknown): string {
  return [code, shortName(title)].filter((part) => part !== '').join(' · ');
}

const longest = 80;

/** Other people's writing as a name within an answer: cleaned, on one line, at most 80 characters. */
export function shortName(text: unknown): string {
  if (typeof text !== 'string') return '';
  const letters = [...cleanText(text.slice(0, 1_000)).replace(/\s+/gu, ' ').trim()];
  return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest - 1).join('')}…`;
}

function recordsAt(entity: Json, name: string): Json[] {
  const list = entity[name];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function numberAt(record: Json, name: string): number | null {
  const value = record[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
