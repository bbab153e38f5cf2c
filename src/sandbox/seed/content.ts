import { collections, filmCompanies, filmPeople, movies } from './films/index.ts';
import { gameCompanies, games } from './games/index.ts';
import { categories, companies, people } from './people/index.ts';
import { networks, shows } from './shows/index.ts';
import type {
  SeedCategory,
  SeedCollection,
  SeedCompany,
  SeedGame,
  SeedMovie,
  SeedNetwork,
  SeedPerson,
  SeedShow,
} from './types.ts';

/** Everything that the catalogue is first filled with, apart from artwork and Sets. */
export interface Content {
  readonly shows: readonly SeedShow[];
  readonly movies: readonly SeedMovie[];
  readonly collections: readonly SeedCollection[];
  readonly games: readonly SeedGame[];
  readonly companies: readonly SeedCompany[];
  readonly networks: readonly SeedNetwork[];
  readonly people: readonly SeedPerson[];
  readonly categories: readonly SeedCategory[];
}

export const content: Content = {
  shows,
  movies,
  collections,
  games,
  companies: [...companies, ...filmCompanies, ...gameCompanies],
  networks,
  people: [...people, ...filmPeople],
  categories,
};
