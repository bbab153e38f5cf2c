// What the build runs once: fills a catalogue, for each that is started to take its rows from.
import { openDatabase } from '../store/database.ts';
import { fillCatalogue } from './fill.ts';
import { preparedName, prepareRows } from './prepared.ts';

/**
 * The name and the content of the file with the rows of a new catalogue.
 * @param folder - empty; the catalogue that they are read from is left there
 */
export function prepareCatalogue(folder: string): { readonly name: string; readonly content: Buffer } {
  // Any moment serves: all times are kept as their distance from it.
  const now = new Date(0);
  const database = openDatabase(folder, (empty) => fillCatalogue(empty, now));
  const content = prepareRows(database, now);
  database.close();
  return { name: preparedName, content };
}
