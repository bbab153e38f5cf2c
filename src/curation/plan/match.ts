import { decoded, stemOf } from '../../model/names/file-name.ts';
import type { ReadWork } from '../read-work.ts';
import { type Around, readFolders } from './around.ts';
import { matchInShow } from './match-show.ts';
import { indexWorks, matchAmongWorks } from './match-works.ts';
import { indexShow } from './show-index.ts';
import type { Verdict } from './verdict.ts';

/** What the names of a folder's files come to, each by itself. It never guesses. */
export function readNames(
  paths: readonly string[],
  read: ReadWork,
  { name, alsoCalled = [] }: { readonly name: string | null; readonly alsoCalled?: readonly string[] },
): Verdict[] {
  const parts = paths.map((path) => path.split('/'));
  const foldersOf = (all: readonly string[]) => all.slice(0, -1).map(decoded);
  const stemIn = (all: readonly string[]) => stemOf(all.at(-1) ?? '');
  if (read.work.target.kind !== 'show') {
    const index = indexWorks(read, alsoCalled);
    return parts.map((all) => matchAmongWorks(name, foldersOf(all), stemIn(all), index));
  }
  const index = indexShow(read, alsoCalled);
  const known = new Map<string, Around>();
  return parts.map((all) => {
    const folders = foldersOf(all);
    const around = known.get(folders.join('/')) ?? readFolders(name, folders, index);
    known.set(folders.join('/'), around);
    return matchInShow(stemIn(all), around, index);
  });
}
