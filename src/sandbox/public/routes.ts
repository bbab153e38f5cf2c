import { jsonAnswer, type PathValues, type Route } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import { readEntity } from './entities.ts';
import { readEpisodesIndex } from './episodes-index.ts';
import { readFirstFeedPage, readLaterFeedPage } from './feeds.ts';
import { readGroup } from './groups.ts';
import { pictureRoutes } from './pictures.ts';
import { readSet } from './sets.ts';

/** Public reads of one resource by its id (the interface document, Endpoints). */
const reads: Readonly<Record<string, (context: ServerContext, id: number) => object>> = {
  '/shows/{showId}': (context, id) => readEntity(context, 'show', id),
  '/seasons/{seasonId}': (context, id) => readEntity(context, 'season', id),
  '/episodes/{episodeId}': (context, id) => readEntity(context, 'episode', id),
  '/movies/{movieId}': (context, id) => readEntity(context, 'movie', id),
  '/collections/{collectionId}': (context, id) => readEntity(context, 'collection', id),
  '/games/{gameId}': (context, id) => readEntity(context, 'game', id),
  '/companies/{companyId}': (context, id) => readEntity(context, 'company', id),
  '/networks/{networkId}': (context, id) => readEntity(context, 'network', id),
  '/people/{personId}': (context, id) => readEntity(context, 'person', id),
  '/categories/{categoryId}': (context, id) => readEntity(context, 'category', id),
  '/movie-set/{setId}': (context, id) => readSet(context, 'movie_set', id),
  '/show-set/{setId}': (context, id) => readSet(context, 'show_set', id),
  '/game-set/{setId}': (context, id) => readSet(context, 'game_set', id),
  '/collection-set/{setId}': (context, id) => readSet(context, 'collection_set', id),
  '/brand-set/{setId}': (context, id) => readSet(context, 'brand_set', id),
  '/boxsets/{setId}': (context, id) => readGroup(context, 'boxset', id),
  '/loadouts/{setId}': (context, id) => readGroup(context, 'loadout', id),
};

/** Every path that needs no sign-in, from the root of the origin. */
export function publicRoutes(context: ServerContext): readonly Route[] {
  const resources = Object.entries(reads).map(([path, read]) => ({
    path,
    answer: (values: PathValues) => jsonAnswer(200, { data: read(context, values.onlyInteger()) }),
  }));
  const feeds = (['assets', 'sets'] as const).flatMap((feed) => [
    { path: `/feeds/${feed}`, answer: () => jsonAnswer(200, readFirstFeedPage(context, feed)) },
    {
      path: `/feeds/${feed}/pages/{snapshot}/{page}`,
      answer: (values: PathValues) =>
        jsonAnswer(200, readLaterFeedPage(context, feed, values.text('snapshot'), values.integer('page'))),
    },
  ]);
  const index = [
    { path: '/episodes', answer: () => jsonAnswer(200, readEpisodesIndex(context, 1)) },
    {
      path: '/episodes/pages/{page}',
      answer: (values: PathValues) => jsonAnswer(200, readEpisodesIndex(context, values.integer('page'))),
    },
  ];
  const below = (route: Route) => ({ ...route, path: context.basePath + route.path });
  return [...[...index, ...resources, ...feeds].map(below), ...pictureRoutes(context)];
}
