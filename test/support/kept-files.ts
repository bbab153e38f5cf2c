import path from 'node:path';
import { blobFolder } from '../../src/blobs/blob-store.ts';

/** Where the private copies of files lie below a data directory. */
export function keptFilesOf(home: string): string {
  return path.join(home, blobFolder);
}
