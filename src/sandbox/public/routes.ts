import type { Context } from '../context.ts';
import { type Exchange, json, type Route } from '../http.ts';
import { type Feed, readFeed, readFeedPage } from './feeds.ts';
import { pictureRoutes } from './pictures.ts';
import { readGroup, readSet } from './sets.ts';
import { readIndex, readWork } from './works.ts';

/** Reads of one record by its id (the interface document, Public reads). */
const records: Readonly<Record<string, (context: Context, id: number) => object>> = {
  shows: (context, id) => readWork(context, 'show', id),
  seasons: (context, id) => readWork(context, 'season', id),
  episodes: (context, id) => readWork(context, 'episode', id),
  movies: (context, id) => readWork(context, 'movie', id),
  collections: (context, id) => readWork(context, 'collection', id),
  games: (context, id) => readWork(context, 'game', id),
  companies: (context, id) => readWork(context, 'company', id),
  networks: (context, id) => readWork(context, 'network', id),
  people: (context, id) => readWork(context, 'person', id),
  categories: (context, id) => readWork(context, 'category', id),
  'movie-set': (context, id) => readSet(context, 'movie_set', id),
  'show-set': (context, id) => readSet(context, 'show_set', id),
  'game-set': (context, id) => readSet(context, 'game_set', id),
  'collection-set': (context, id) => readSet(context, 'collection_set', id),
  'brand-set': (context, id) => readSet(context, 'brand_set', id),
  boxsets: (context, id) => readGroup(context, 'boxset', id),
  loadouts: (context, id) => readGroup(context, 'loadout', id),
};

/** Every path that needs no sign-in. They take no query parameters. */
export function publicRoutes(context: Context): readonly Route[] {
  const get = (path: string, read: (exchange: Exchange) => object): Route => ({
    method: 'GET',
    path: context.basePath + path,
    answer: (exchange) => json(200, read(exchange)),
  });
  const feed = (name: Feed) => [
    get(`/feeds/${name}`, () => readFeed(context, name)),
    get(`/feeds/${name}/pages/{snapshot}/{page}`, ({ segment, integer }) =>
      readFeedPage(context, name, segment('snapshot'), integer('page')),
    ),
  ];
  return [
    get('/episodes', () => readIndex(context, 1)),
    get('/episodes/pages/{page}', ({ integer }) => readIndex(context, integer('page'))),
    ...Object.entries(records).map(([path, read]) =>
      get(`/${path}/{id}`, ({ integer }) => ({ data: read(context, integer('id')) })),
    ),
    ...feed('assets'),
    ...feed('sets'),
    ...pictureRoutes(context),
  ];
}
