import { jsonAnswer, type PathValues, type Route } from '../http.ts';
import type { ServerContext } from '../server-context.ts';
import { readEpisodesIndex } from './episodes-index.ts';
import { readFirstFeedPage, readLaterFeedPage } from './feeds.ts';
import { readBoxset, readLoadout } from './groups.ts';
import { readCategory, readCompany, readNetwork, readPerson } from './names.ts';
import { pictureRoutes } from './pictures.ts';
import { readBrandSet, readCollectionSet, readGameSet, readMovieSet, readShowSet } from './sets.ts';
import { readEpisode, readSeason, readShow } from './shows.ts';
import { readCollection, readGame, readMovie } from './works.ts';

/** Public reads of one resource by its id (the interface document, Endpoints). */
const reads: Readonly<Record<string, (context: ServerContext, id: number) => object>> = {
  '/shows/{showId}': readShow,
  '/seasons/{seasonId}': readSeason,
  '/episodes/{episodeId}': readEpisode,
  '/movies/{movieId}': readMovie,
  '/collections/{collectionId}': readCollection,
  '/games/{gameId}': readGame,
  '/companies/{companyId}': readCompany,
  '/networks/{networkId}': readNetwork,
  '/people/{personId}': readPerson,
  '/categories/{categoryId}': readCategory,
  '/movie-set/{setId}': readMovieSet,
  '/show-set/{setId}': readShowSet,
  '/game-set/{setId}': readGameSet,
  '/collection-set/{setId}': readCollectionSet,
  '/brand-set/{setId}': readBrandSet,
  '/boxsets/{setId}': readBoxset,
  '/loadouts/{setId}': readLoadout,
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
