import path from 'node:path';
import { copiesFolder } from '../../src/files/copies.ts';

/** Where the private copies of files lie below a data directory. */
export function keptFilesOf(home: string): string {
  return path.join(home, copiesFolder);
}
