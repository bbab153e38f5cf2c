import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Artist } from '../artist.ts';
import { blobFolder } from '../../../src/blobs/blob-store.ts';

/** What is kept below the artist's data directory: one folder for each keeper, and the names in it. */
export async function keptFolders({ home }: Artist): Promise<string[]> {
  const root = path.join(home, 'data', blobFolder);
  try {
    return (await readdir(root, { recursive: true })).map(String);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
