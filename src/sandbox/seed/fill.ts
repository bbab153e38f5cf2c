import type { Database } from '../database.ts';
import { catalogueTables } from '../tables.ts';
import { content } from './content.ts';
import { fillNames } from './names.ts';
import { fillGames } from './works-games.ts';
import { fillFilms } from './works-movies.ts';
import { fillShows } from './works-shows.ts';

/**
 * Fills an empty database: tables, works, artwork, Sets, and the changes of the weeks before `now`. Ids
 * depend on names alone; times are counted back from `now`.
 */
export function fillCatalogue(database: Database, _now: Date): void {
  database.execute(catalogueTables);
  const names = fillNames(database, content);
  fillShows(database, content, names);
  fillFilms(database, content, names);
  fillGames(database, content, names);
}
