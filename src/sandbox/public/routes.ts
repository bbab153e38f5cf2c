import { readFirstPage, readLaterPage } from '../feeds/feed.ts';
import { jsonAnswer, type PathValues, type Route } from '../http.ts';
import type { Premises } from '../premises.ts';
import { readBrandSet } from './brand-set.ts';
import { readCategory } from './category.ts';
import { readCollection } from './collection.ts';
import { readCollectionSet } from './collection-set.ts';
import { readCompany } from './company.ts';
import { readEpisode } from './episode.ts';
import { readEpisodesIndex } from './episodes-index.ts';
import { readGame } from './game.ts';
import { readGameSet } from './game-set.ts';
import { readBoxset, readLoadout } from './group.ts';
import { readMovie } from './movie.ts';
import { readMovieSet } from './movie-set.ts';
import { readNetwork } from './network.ts';
import { readPerson } from './person.ts';
import { pictureRoutes } from './pictures.ts';
import { readSeason } from './season.ts';
import { readShow } from './show.ts';
import { readShowSet } from './show-set.ts';

/** Public reads of one resource by its id (the interface document, Endpoints). */
const reads: Readonly<Record<string, (premises: Premises, id: number) => object>> = {
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

/** Every path that is read without signing in, from the root of the origin. */
export function publicRoutes(premises: Premises): readonly Route[] {
  const resources = Object.entries(reads).map(([path, read]) => ({
    path,
    answer: (values: PathValues) => jsonAnswer(200, { data: read(premises, values.onlyInteger()) }),
  }));
  const feeds = (['assets', 'sets'] as const).flatMap((feed) => [
    { path: `/feeds/${feed}`, answer: () => jsonAnswer(200, readFirstPage(premises, feed)) },
    {
      path: `/feeds/${feed}/pages/{snapshot}/{page}`,
      answer: (values: PathValues) =>
        jsonAnswer(200, readLaterPage(premises, feed, values.text('snapshot'), values.integer('page'))),
    },
  ]);
  const index = [
    { path: '/episodes', answer: () => jsonAnswer(200, readEpisodesIndex(premises, 1)) },
    {
      path: '/episodes/pages/{page}',
      answer: (values: PathValues) => jsonAnswer(200, readEpisodesIndex(premises, values.integer('page'))),
    },
  ];
  const below = (route: Route) => ({ ...route, path: premises.basePath + route.path });
  return [...[...index, ...resources, ...feeds].map(below), ...pictureRoutes(premises)];
}
