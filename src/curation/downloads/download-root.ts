import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, type ErrorFacts, invalidArguments } from '../../errors.ts';
import { codeOf } from '../../storage/store-error.ts';
import { isSafeName, nameOf } from './file-names.ts';
import { type SeenFolder, seeFolder } from './seen-folder.ts';

/** The one folder below which anything is written, as it was when the call began. */
export type DownloadRoot = SeenFolder;

/**
 * Why nothing can be written below a folder as it is now; null: it can. In words that go on after its path.
 * @param home ARTWORK_HOME: what is kept there, and swept, must not meet with a library of artwork
 */
export async function downloadRootFault(
  folder: string,
  home: string,
): Promise<{ readonly is: string; readonly code: string } | null> {
  try {
    if (!(await stat(folder)).isDirectory())
      return { is: 'is not a folder', code: 'download_root_no_folder' };
    if (liesBelowFolder(await realHome(home), await realpath(folder))) {
      return {
        is: 'is ARTWORK_HOME or lies in it, where this program keeps its own data: it must be another folder',
        code: 'download_root_in_home',
      };
    }
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
  if (configured === null) {
    throw closed('No folder is open for downloads, since ARTWORK_DOWNLOAD_ROOT is not set.', {
      code: 'download_root_unset',
      why: 'Only a person can open one: set ARTWORK_DOWNLOAD_ROOT to a folder that artwork may be written below, such as the assets folder of Kometa, and start the server again.',
    });
  }
  const fault = await downloadRootFault(configured, home);
  if (fault === null) return seeFolder(await realpath(configured));
  throw closed(`ARTWORK_DOWNLOAD_ROOT: ${configured} ${fault.is}.`, {
    code: fault.code,
    why: 'Only a person can mend it: make the folder, plug in its disk, let this user write to it, or set ARTWORK_DOWNLOAD_ROOT to another one and start the server again. Then the same call can be made again.',
  });
}

/**
 * The folders that an argument names below the root: relative, or an absolute path that lies in it.
 * @throws ArtworkError `invalid_arguments` with the nearest name that is safe on every file system
 */
export function foldersIn(root: DownloadRoot, folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  const below = path.isAbsolute(folder) ? path.relative(root.path, path.resolve(folder)) : folder;
  const names = below.split(path.sep === '\\' ? /[\\/]/ : '/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..') || path.isAbsolute(below)) {
    throw wrongFolder(`lies outside of the folder for downloads, ${root.path}: name one below it`);
  }
  const wrong = names.find((name) => !isSafeName(name));
  if (wrong === undefined) {
    const isShort = names.length <= deepest && Buffer.byteLength(below) <= longestFolder;
    if (isShort) return names;
    throw wrongFolder('is too deep or too long for a folder of downloads: name a shorter one');
  }
  const safe = nameOf(wrong, 240);
  const instead = safe === null ? 'use letters' : `such as "${safe}"`;
  throw wrongFolder(`has a name that not every file system takes: ${instead}`);
}

const deepest = 8;
/** Bytes. */
const longestFolder = 600;

/** What is not there yet has no folder in it either. */
async function realHome(home: string): Promise<string> {
  try {
    return await realpath(home);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return path.resolve(home);
    throw error;
  }
}

/** Whether a path without links lies in a folder without links. */
export function liesBelowFolder(folder: string, real: string): boolean {
  const below = path.relative(folder, real);
  return below === '' || (!path.isAbsolute(below) && below.split(path.sep)[0] !== '..');
}

function closed(
  message: string,
  { code, why }: { readonly code: string; readonly why: string },
): ArtworkError {
  const facts: ErrorFacts = { code, next: { why } };
  return new ArtworkError('conflict', message, facts);
}

function wrongFolder(what: string): ArtworkError {
  return invalidArguments("download_set can't be called so", [
    { code: 'folder', message: what, path: ['folder'] },
  ]);
}
