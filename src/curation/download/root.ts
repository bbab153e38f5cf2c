import { constants } from 'node:fs';
import { access, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf, invalidArguments, nullOn } from '../../errors.ts';
import { type Paths, paths } from '../../machine.ts';
import { isSafeName, nameOf } from './names.ts';

/** The one folder below which anything is written. Paths without links. */
export interface DownloadRoot {
  readonly path: string;
  /** ARTWORK_HOME, which nothing is written into where it lies below the root. */
  readonly home: string;
}

/**
 * Why nothing can be written below a folder as it is now; null: it can. In words that go on after its path.
 * @param home ARTWORK_HOME: what is kept there, and swept, must not meet with a library of artwork
 */
export async function downloadRootFault(folder: string, home: string) {
  try {
    if (!(await stat(folder)).isDirectory())
      return { is: 'is not a folder', code: 'download_root_no_folder' };
    const isInHome = paths.liesBelow(await realHome(home), await realpath(folder));
    const is = 'is ARTWORK_HOME or in it, where this program keeps its own data; choose another folder';
    if (isInHome) return { is, code: 'download_root_in_home' };
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    return code === 'ENOENT'
      ? { is: 'does not exist', code: 'download_root_missing' }
      : { is: `can't be written to (${code})`, code: 'download_root_not_writable' };
  }
}

/**
 * Looks the folder up anew, since a disk may come and go while the server runs.
 * @param configured ARTWORK_DOWNLOAD_ROOT, an absolute path
 * @param home ARTWORK_HOME
 * @throws ArtworkError `conflict` where it is not set or can't be written to: only a person can mend it
 */
export async function openDownloadRoot(configured: string | null, home: string): Promise<DownloadRoot> {
  const closed = (message: string, code: string, why: string) =>
    new ArtworkError('conflict', message, { code, next: { why: `Only a person can change this: ${why}` } });
  if (configured === null) {
    const message = 'No folder is open for downloads, since ARTWORK_DOWNLOAD_ROOT is not set.';
    const why =
      'set ARTWORK_DOWNLOAD_ROOT to a folder for artwork, such as the assets folder of Kometa. Then start the server again.';
    throw closed(message, 'download_root_unset', why);
  }
  const fault = await downloadRootFault(configured, home);
  if (fault === null) return { path: await realpath(configured), home: await realHome(home) };
  const why =
    'make the folder, plug in its disk, or let this user write to it. Or set ARTWORK_DOWNLOAD_ROOT to another folder, and start the server again. Then make the same call again.';
  throw closed(`ARTWORK_DOWNLOAD_ROOT: ${configured} ${fault.is}.`, fault.code, why);
}

/** Folders, and bytes of their path. */
const deepest = 8;
const longestFolder = 600;

/**
 * The folders that an argument names below the root: relative, or an absolute path that lies in it.
 * @throws ArtworkError `invalid_arguments` with the nearest name that is safe on every file system
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
  const isOutside = names.includes('..') || syntax.isAbsolute(below);
  const isTooLong = names.length > deepest || Buffer.byteLength(below) > longestFolder;
  if (!isOutside && wrong === undefined && !isTooLong) return names;
  const fault = isOutside
    ? 'is outside the folder for downloads'
    : wrong === undefined
      ? 'is too deep or too long'
      : `has a name that some file systems refuse ("${nameOf(wrong, 240) ?? 'artwork'}" works)`;
  const issue = { code: 'folder', message: `${fault}: name one below ${root.path}`, path: ['folder'] };
  throw invalidArguments('download_set was called with wrong arguments', [issue]);
}

/** What is not there yet has no folder in it either. */
async function realHome(home: string): Promise<string> {
  return (await nullOn('ENOENT', realpath(home))) ?? path.resolve(home);
}

/**
 * A folder below the root as it is on the disk: its path without links. Links are followed only to what lies in the
 * root. An absent folder is made, or answered with null.
 * @throws ArtworkError `forbidden` for a link out of the root and for ARTWORK_HOME; the system's own error
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
      const is = isOutside
        ? 'a link that leads out of the folder for downloads'
        : 'ARTWORK_HOME, which holds this program’s own data';
      throw new ArtworkError('forbidden', `${named} is ${is}.`, {
        code: isOutside ? 'download_link' : 'download_in_home',
        next: { why: 'Only a person can remove that, or open another folder with ARTWORK_DOWNLOAD_ROOT.' },
      });
    }
    at = real;
  }
  return at;
}

/**
 * Asked right before anything is written in a folder that was entered.
 * @throws ArtworkError `conflict` where its path leads elsewhere by now, or nowhere
 */
export async function requireInRoot(root: DownloadRoot, folder: string): Promise<void> {
  const isStill = async (at: string) => (await nullOn('ENOENT', realpath(at))) === at;
  if ((await isStill(folder)) && (await isStill(root.path))) return;
  throw new ArtworkError('conflict', `${folder} was moved, or replaced, while it was written to.`, {
    code: 'download_folder_changed',
    next: { why: 'Make the same call again when nothing else changes the folder.' },
  });
}
