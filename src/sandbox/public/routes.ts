import { jsonAnswer, type Route } from '../http.ts';
import type { Premises } from '../premises.ts';
import { readCategory } from './category.ts';
import { readCollection } from './collection.ts';
import { readCompany } from './company.ts';
import { readEpisode } from './episode.ts';
import { readGame } from './game.ts';
import { readMovie } from './movie.ts';
import { readNetwork } from './network.ts';
import { readPerson } from './person.ts';
import { readSeason } from './season.ts';
import { readShow } from './show.ts';

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
};

/** Every path that is read without signing in, from the root of the origin. */
export function publicRoutes(premises: Premises): readonly Route[] {
  return Object.entries(reads).map(([path, read]) => ({
    path: premises.basePath + path,
    answer: (values) => jsonAnswer(200, { data: read(premises, values.onlyInteger()) }),
  }));
}
