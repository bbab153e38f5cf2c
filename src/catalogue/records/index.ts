import type { z } from 'zod';
import type { ServicePath } from '../path.ts';
import { assetFeed, type AssetFeedItem, setFeed, type SetFeedItem } from './feeds.ts';
import {
  boxset,
  type Boxset,
  brandSet,
  type BrandSet,
  collectionSet,
  type CollectionSet,
  gameSet,
  type GameSet,
  loadout,
  type Loadout,
  movieSet,
  type MovieSet,
  showSet,
  type ShowSet,
} from './sets.ts';
import {
  category,
  type Category,
  collection,
  type Collection,
  company,
  type Company,
  episode,
  type Episode,
  game,
  type Game,
  movie,
  type Movie,
  network,
  type Network,
  person,
  type Person,
  season,
  type Season,
  show,
  type Show,
} from './entities.ts';

/** One resource of the interface document: where it is read, and what it looks like. */
export interface ResourceRecord<Value> {
  path(id: number | string): ServicePath;
  readonly schema: z.ZodType<Value>;
}

export interface EntityTypes {
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

export interface SetTypes {
  movie_set: MovieSet;
  show_set: ShowSet;
  game_set: GameSet;
  collection_set: CollectionSet;
  brand_set: BrandSet;
  boxset: Boxset;
  loadout: Loadout;
}

export interface FeedItemTypes {
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
