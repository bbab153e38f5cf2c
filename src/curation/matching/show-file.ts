import type { FoldersSay } from './folders.ts';
import type { Name } from './names/name.ts';
import type { ShowIndex } from './show-index.ts';

/** What the files of one folder together tell about numbers that say nothing by themselves. */
export type Counting = 'through' | 'season first' | null;

/** One file of a show's folder, with all that tells about it. */
export interface ShowFile {
  readonly name: Name;
  readonly folders: FoldersSay;
  readonly index: ShowIndex;
  readonly counting: Counting;
}
