import { type Database, openDatabase } from '../../src/sandbox/database.ts';
import { fillCatalogue } from '../../src/sandbox/seed/fill.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** The database of a catalogue that has just been filled, in a folder of its own. */
export async function openFilled(): Promise<{ database: Database; remove(): Promise<void> }> {
  const folder = await temporaryFolder();
  const database = openDatabase(folder.path, (empty) => fillCatalogue(empty, new Date()));
  return {
    database,
    async remove() {
      database.close();
      await folder.remove();
    },
  };
}
