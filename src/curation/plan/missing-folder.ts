import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../errors.ts';
import { parseFileArgument } from '../../files/file-argument.ts';
import { isFileRefused } from '../../files/refusal.ts';
import { type LocatedFile, locateArgument, type RootNames } from '../../files/upload-roots.ts';
import { paths } from '../../machine.ts';
import { isSystemFolder } from '../../model/names/file-name.ts';

/** Where a folder was looked for that is not there. */
interface MissingFolder {
  /** The last folder of its path that is there, without links. */
  readonly within: string;
  /** The name that is not there, and those that follow it. */
  readonly name: string;
  readonly rest: readonly string[];
  /** Names of the folders that are there instead. */
  readonly beside: readonly string[];
  /** The folders that are open, as they were named. */
  readonly open: readonly string[];
}

/** A path of which more is missing was not misspelt by a person; each level is looked for anew. */
const mostMissing = 10;

/**
 * Looks around where an argument names a folder that is not there. Only what lies in an open folder is looked at. Null:
 * too much of the path is missing to guess at.
 * @throws ArtworkError as `locateArgument` does, where the disk has changed meanwhile
 */
export async function lookAroundMissing(given: string, names: RootNames): Promise<MissingFolder | null> {
  let [above, levels] = [path.dirname(given), 1];
  let located = await locatedOrMissing(above, names);
  while (located === null) {
    if (levels === mostMissing) return null;
    [above, levels] = [path.dirname(above), levels + 1];
    located = await locatedOrMissing(above, names);
  }
  const wanted = parseFileArgument(given, 'folder', located.roots.real);
  const [name = '', ...rest] = paths
    .namesIn(wanted)
    .filter((each) => each !== '')
    .slice(-levels);
  const beside = await foldersIn(located.path);
  return { within: located.path, name, rest, beside, open: located.roots.named };
}

async function locatedOrMissing(folder: string, names: RootNames): Promise<LocatedFile | null> {
  try {
    return await locateArgument(folder, names, 'folder');
  } catch (error) {
    if (isFileRefused(error, 'missing')) return null;
    throw error;
  }
}

/** Links are left out, since they may lead out of the open folders. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    return found.flatMap((one) => (one.isDirectory() && !isSystemFolder(one.name) ? [one.name] : [])).sort();
  } catch (error) {
    if (codeOf(error) !== null) return [];
    throw error;
  }
}
