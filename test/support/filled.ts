import { constants, existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { openDataFolder } from '../../src/sandbox/data-folder.ts';
import { fillCatalogue } from '../../src/sandbox/seed/fill.ts';
import { type Database, openDatabase } from '../../src/sandbox/store/database.ts';
import { oncePerRun } from './once-per-run.ts';
import { temporaryFolder } from './temporary.ts';

const file = 'catalogue.db';

/**
 * Puts the database of a catalogue that has just been filled into a data folder that has none; the folder is
 * made where it is missing. For tests that are not about filling, which takes longer than most of them.
 */
export async function fillFolder(dataDir: string): Promise<void> {
  if (existsSync(path.join(dataDir, file))) return;
  const filled = await oncePerRun('filled catalogue', async (folder) => {
    // Closing the only connection brings everything into the one file.
    openDatabase(folder, (empty) => fillCatalogue(empty, new Date())).close();
  });
  await openDataFolder(dataDir);
  await copyFile(path.join(filled, file), path.join(dataDir, file), constants.COPYFILE_FICLONE);
  await chmod(path.join(dataDir, file), 0o600);
}

/** The database of a filled catalogue, in a folder of its own. */
export async function openFilled(): Promise<{ database: Database; remove(): Promise<void> }> {
  const folder = await temporaryFolder();
  await fillFolder(folder.path);
  const database = openDatabase(folder.path, () => {
    throw new Error('It is filled already.');
  });
  return {
    database,
    async remove() {
      database.close();
      await folder.remove();
    },
  };
}
