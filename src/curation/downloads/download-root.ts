import { constants } from 'node:fs';
import { access, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, type ErrorFacts, invalidArguments } from '../../errors.ts';
import { syncFolder } from '../../blobs/private-folder.ts';
import { codeOf } from '../../storage/store-error.ts';
import { isSafeName, nameOf } from './file-names.ts';

/** The one folder below which anything is written. */
export interface DownloadRoot {
  /** Without links. */
  readonly path: string;
}

/** Why nothing can be written below a folder as it is now; null: it can. In words that go on after its path. */
export async function downloadRootFault(
  folder: string,
): Promise<{ readonly is: string; readonly code: string } | null> {
  try {
    if (!(await stat(folder)).isDirectory())
      return { is: 'is not a folder', code: 'download_root_no_folder' };
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
 * @throws ArtworkError `read_only` where it is not set or can't be written to: only a person can mend it
 */
export async function openDownloadRoot(configured: string | null): Promise<DownloadRoot> {
  if (configured === null) {
    throw closed('No folder is open for downloads, since ARTWORK_DOWNLOAD_ROOT is not set.', {
      code: 'download_root_unset',
      why: 'Only a person can open one: set ARTWORK_DOWNLOAD_ROOT to a folder that artwork may be written below, such as the assets folder of Kometa, and start the server again.',
    });
  }
  const fault = await downloadRootFault(configured);
  if (fault === null) return { path: await realpath(configured) };
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

/**
 * A folder below the root as it is on the disk. Links are followed only to what lies in the root.
 * @param make whether folders that are missing are made
 * @returns its path without links, or null where it is missing and was not to be made
 * @throws ArtworkError `forbidden` for a link out of the root; the system's own error where it can't be made
 */
export async function enterFolder(
  root: DownloadRoot,
  folders: readonly string[],
  make: boolean,
): Promise<string | null> {
  let at = root.path;
  for (const name of folders) {
    const next = path.join(at, name);
    if (make && (await makeFolder(next))) await syncFolder(at);
    const real = await realOf(next);
    if (real === null) return null;
    if (!isWithin(root.path, real)) throw linkOut(next);
    if (!(await stat(real)).isDirectory()) throw notFolder(next);
    at = real;
  }
  return at;
}

/** Whether a path without links lies in a folder without links. */
function isWithin(folder: string, real: string): boolean {
  const below = path.relative(folder, real);
  return below === '' || (!path.isAbsolute(below) && below.split(path.sep)[0] !== '..');
}

/** @returns whether it was not there */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function realOf(folder: string): Promise<string | null> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    // A link that leads nowhere may lead out of the root as soon as something is there.
    const status = await lstat(folder).catch((again: unknown) => {
      if (codeOf(again) === 'ENOENT') return null;
      throw again;
    });
    if (status?.isSymbolicLink() === true) throw linkOut(folder);
    return null;
  }
}

function closed(
  message: string,
  { code, why }: { readonly code: string; readonly why: string },
): ArtworkError {
  const facts: ErrorFacts = { code, next: { why } };
  return new ArtworkError('read_only', message, facts);
}

function wrongFolder(what: string): ArtworkError {
  return invalidArguments("download_set can't be called so", [
    { code: 'folder', message: what, path: ['folder'] },
  ]);
}

function linkOut(folder: string): ArtworkError {
  return new ArtworkError('forbidden', `${folder} is a link that leads out of the folder for downloads.`, {
    code: 'download_link',
    next: { why: 'Only a person can take the link away, or open the folder that it leads to instead.' },
  });
}

function notFolder(file: string): ArtworkError {
  return new ArtworkError('conflict', `${file} is a file where a folder is needed.`, {
    code: 'download_in_the_way',
    next: { why: 'Only a person can move that file away; or give another folder.' },
  });
}
