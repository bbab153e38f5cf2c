import type { Context } from '../context.ts';
import { type Exchange, json, type Route } from '../http.ts';
import type { Kind } from '../model.ts';
import { type Feed, readFeed, readFeedPage, readIndex } from './feeds.ts';
import { pictureRoutes } from './pictures.ts';
import { readGroup, readSet } from './sets.ts';
import { readWork } from './works.ts';

/** Reads of one record by its id (the interface document, Public reads). */
const works: Readonly<Record<string, Kind>> = {
  ...{ shows: 'show', seasons: 'season', episodes: 'episode', movies: 'movie', collections: 'collection' },
  ...{ games: 'game', companies: 'company', networks: 'network', people: 'person', categories: 'category' },
};
const sets = ['movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set'] as const;
const groups = { boxsets: 'boxset', loadouts: 'loadout' } as const;

/** Every path that needs no sign-in. They take no query parameters. */
export function publicRoutes(context: Context): readonly Route[] {
  const get = (path: string, read: (exchange: Exchange) => object): Route => ({
    method: 'GET',
    path: context.basePath + path,
    answer: (exchange) => json(200, read(exchange)),
  });
  const record = (path: string, read: (id: number) => object) =>
    get(`/${path}/{id}`, ({ integer }) => ({ data: read(integer('id')) }));
  const feed = (name: Feed) => [
    get(`/feeds/${name}`, () => readFeed(context, name)),
    get(`/feeds/${name}/pages/{snapshot}/{page}`, ({ segment, integer }) =>
      readFeedPage(context, name, segment('snapshot'), integer('page')),
    ),
  ];
  return [
    get('/episodes', () => readIndex(context, 1)),
    get('/episodes/pages/{page}', ({ integer }) => readIndex(context, integer('page'))),
    ...Object.entries(works).map(([path, kind]) => record(path, (id) => readWork(context, kind, id))),
    ...sets.map((kind) => record(kind.replace('_', '-'), (id) => readSet(context, kind, id))),
    ...Object.entries(groups).map(([path, kind]) => record(path, (id) => readGroup(context, kind, id))),
    ...feed('assets'),
    ...feed('sets'),
    ...pictureRoutes(context),
  ];
}
