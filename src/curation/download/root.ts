import { constants } from 'node:fs';
import { access, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf, invalidArguments, nullOn } from '../../errors.ts';
import { type Paths, paths } from '../../machine.ts';
import { isSafeName, nameOf } from './names.ts';

/** The folder that files may be written below, and the one that none ever is. Neither path has links. */
export interface DownloadRoot {
  readonly path: string;
  /** ARTWORK_HOME, which may lie below the root. */
  readonly home: string;
}

/**
 * Why nothing can be written below a folder as it is now; null: it can. In words that go on after its path.
 * @param home ARTWORK_HOME: what this program keeps there must not meet with a library
 */
export async function downloadRootFault(folder: string, home: string) {
  try {
    if (!(await stat(folder)).isDirectory())
      return { is: 'is not a folder', code: 'download_root_no_folder' };
    if (paths.liesBelow(await realHome(home), await realpath(folder))) {
      const is = 'is ARTWORK_HOME or in it, where this program keeps its own data; choose another folder';
      return { is, code: 'download_root_in_home' };
    }
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    if (code === 'ENOENT') return { is: 'does not exist', code: 'download_root_missing' };
    return { is: `can't be written to (${code})`, code: 'download_root_not_writable' };
  }
}

/** What is not there yet has no links in it either. */
async function realHome(home: string): Promise<string> {
  return (await nullOn('ENOENT', realpath(home))) ?? path.resolve(home);
}

/**
 * Opens the folder of ARTWORK_DOWNLOAD_ROOT.
 * @throws ArtworkError `conflict` (`download_root_…`), which only a person can change
 */
export async function openDownloadRoot(configured: string | null, home: string): Promise<DownloadRoot> {
  if (configured === null) {
    const message = 'No folder is open for downloads, since ARTWORK_DOWNLOAD_ROOT is not set.';
    const todo =
      'set it to a folder for artwork, such as the assets folder of Kometa. Then start the server again.';
    throw closed('download_root_unset', message, todo);
  }
  const fault = await downloadRootFault(configured, home);
  if (fault === null) return { path: await realpath(configured), home: await realHome(home) };
  const todo = 'make the folder, plug in its disk, or let this user write to it. Or set another folder.';
  throw closed(fault.code, `ARTWORK_DOWNLOAD_ROOT: ${configured} ${fault.is}.`, todo);
}

function closed(code: string, message: string, todo: string): ArtworkError {
  return new ArtworkError('conflict', message, {
    code,
    next: { why: `Only a person can change this: ${todo}` },
  });
}

/** Folders, and bytes of their path. */
const deepest = 8;
const longestPath = 600;

/**
 * The names of the folder that an argument names below the root: relative, or an absolute path that lies in it.
 * @throws ArtworkError `invalid_arguments` with the nearest name that every file system takes
 */
export function foldersIn(
  root: Pick<DownloadRoot, 'path'>,
  folder: string | undefined,
  { syntax, namesIn }: Paths = paths,
): string[] {
  if (folder === undefined) return [];
  const below = syntax.isAbsolute(folder) ? syntax.relative(root.path, syntax.resolve(folder)) : folder;
  const names = namesIn(below).filter((name) => name !== '' && name !== '.');
  const wrong = names.find((name) => !isSafeName(name));
  const isLong = names.length > deepest || Buffer.byteLength(below) > longestPath;
  if (wrong === undefined && !isLong && !syntax.isAbsolute(below)) return names;
  const fault =
    names.includes('..') || syntax.isAbsolute(below)
      ? 'is outside the folder for downloads'
      : wrong === undefined
        ? 'is too deep or too long'
        : `has a name that some file systems refuse ("${nameOf(wrong, 240) ?? 'artwork'}" works)`;
  throw invalidArguments('download_set was called with wrong arguments', [
    { code: 'folder', message: `${fault}: name one below ${root.path}`, path: ['folder'] },
  ]);
}

/**
 * A folder below the root as it is on the disk: its path without links. Links are followed only to what lies in the
 * root.
 * @param make what is missing; else null is answered for it
 * @throws ArtworkError `forbidden` (`download_link`, `download_in_home`); the system's own error
 */
export async function enterFolder(
  root: DownloadRoot,
  folders: readonly string[],
  make: boolean,
): Promise<string | null> {
  let at = root.path;
  for (const name of folders) {
    const named = path.join(at, name);
    if (make) await nullOn('EEXIST', mkdir(named));
    const real = await nullOn('ENOENT', realpath(named));
    // A link that leads nowhere is there all the same.
    if (real === null && !make && (await nullOn('ENOENT', lstat(named))) === null) return null;
    const isOutside = real === null || !paths.liesBelow(root.path, real);
    if (isOutside || paths.liesBelow(root.home, real)) {
      const [code, is] = isOutside
        ? ['download_link', 'a link that leads out of the folder for downloads']
        : ['download_in_home', 'ARTWORK_HOME, which holds this program’s own data'];
      const why = 'Only a person can remove that, or open another folder with ARTWORK_DOWNLOAD_ROOT.';
      throw new ArtworkError('forbidden', `${named} is ${is}.`, { code, next: { why } });
    }
    at = real;
  }
  return at;
}

/**
 * Looks once more whether a folder is where `enterFolder` found it.
 * @throws ArtworkError `conflict` (`download_folder_changed`)
 */
export async function requireInRoot(root: DownloadRoot, folder: string): Promise<void> {
  for (const at of [root.path, folder]) {
    if ((await nullOn('ENOENT', realpath(at))) === at) continue;
    throw new ArtworkError('conflict', `${folder} was moved, or replaced, while it was written to.`, {
      code: 'download_folder_changed',
      next: { why: 'Make the same call again when nothing else changes the folder.' },
    });
  }
}
