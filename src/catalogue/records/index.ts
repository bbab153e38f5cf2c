import type { z } from 'zod';
import { assetFeed } from './asset-feed.ts';
import { boxset } from './boxset.ts';
import { brandSet } from './brand-set.ts';
import { category } from './category.ts';
import { collection } from './collection.ts';
import { collectionSet } from './collection-set.ts';
import { company } from './company.ts';
import { episode } from './episode.ts';
import { game } from './game.ts';
import { gameSet } from './game-set.ts';
import { loadout } from './loadout.ts';
import { movie } from './movie.ts';
import { movieSet } from './movie-set.ts';
import { network } from './network.ts';
import { person } from './person.ts';
import { season } from './season.ts';
import { setFeed } from './set-feed.ts';
import { show } from './show.ts';
import { showSet } from './show-set.ts';

/** The entities of the interface document (Public reads), by kind. */
export const entities = {
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
} as const;

/** The Sets and groups of the interface document (Public reads), by kind. */
export const sets = {
  movie_set: movieSet,
  show_set: showSet,
  game_set: gameSet,
  collection_set: collectionSet,
  brand_set: brandSet,
  boxset,
  loadout,
} as const;

/** The two activity feeds (Events), by the last word of their path. */
export const feeds = { assets: assetFeed, sets: setFeed } as const;

export type EntityKind = keyof typeof entities;
export type EntityOf<Kind extends EntityKind> = z.infer<(typeof entities)[Kind]['schema']>;
export type Entity = EntityOf<EntityKind>;

export type SetKind = keyof typeof sets;
export type SetOf<Kind extends SetKind> = z.infer<(typeof sets)[Kind]['schema']>;
/** Any Set or group. */
export type AnySet = SetOf<SetKind>;

export type FeedName = keyof typeof feeds;
export type FeedItem<Feed extends FeedName> = z.infer<(typeof feeds)[Feed]['schema']>;
