import { constants, existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { dataFolder, openFolder } from '../../src/sandbox/process/folder.ts';
import { fillCatalogue } from '../../src/sandbox/seed/fill.ts';
import { openStore, type Store } from '../../src/sandbox/store.ts';
import { oncePerRun } from './once-per-run.ts';

const file = 'catalogue.db';

/**
 * Puts the database of a catalogue that has just been filled into a data folder that has none; the folder is
 * made where it is missing. For tests that are not about filling, which takes longer than most of them.
 */
export async function fillFolder(dataDir: string): Promise<void> {
  if (existsSync(path.join(dataDir, file))) return;
  const filled = await oncePerRun('filled catalogue', async (folder) => {
    // Closing the only connection brings everything into the one file.
    openStore(folder, (empty) => fillCatalogue(empty, new Date())).close();
  });
  await openFolder(dataDir);
  await copyFile(path.join(filled, file), path.join(dataDir, file), constants.COPYFILE_FICLONE);
  await chmod(path.join(dataDir, file), 0o600);
}

/** The database of a catalogue that is filled already; a running catalogue sees what is changed here. */
export function openFilled(dataDir: string): Store {
  return openStore(dataDir, () => {
    throw new Error('The catalogue is not filled.');
  });
}

/** Acts on the catalogue of a data directory beside its service, as its other creators do. */
export function withCatalogue<Value>(home: string, work: (store: Store) => Value): Value {
  const store = openFilled(dataFolder(home));
  try {
    return work(store);
  } finally {
    store.close();
  }
}
