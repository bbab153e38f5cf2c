import { constants } from 'node:fs';
import { access, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf, invalidArguments, type Next } from '../../errors.ts';
import { modes, type Paths, paths } from '../../machine.ts';
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
export async function downloadRootFault(
  folder: string,
  home: string,
): Promise<{ readonly is: string; readonly code: string } | null> {
  try {
    if (!(await stat(folder)).isDirectory())
      return { is: 'is not a folder', code: 'download_root_no_folder' };
    if (paths.liesBelow(await realHome(home), await realpath(folder))) {
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
    throw new ArtworkError(
      'conflict',
      'No folder is open for downloads, since ARTWORK_DOWNLOAD_ROOT is not set.',
      {
        code: 'download_root_unset',
        next: {
          why: 'Only a person can open one: set ARTWORK_DOWNLOAD_ROOT to a folder that artwork may be written below, such as the assets folder of Kometa, and start the server again.',
        },
      },
    );
  }
  const fault = await downloadRootFault(configured, home);
  if (fault === null) return { path: await realpath(configured), home: await realHome(home) };
  throw new ArtworkError('conflict', `ARTWORK_DOWNLOAD_ROOT: ${configured} ${fault.is}.`, {
    code: fault.code,
    next: {
      why: 'Only a person can mend it: make the folder, plug in its disk, let this user write to it, or set ARTWORK_DOWNLOAD_ROOT to another one and start the server again. Then the same call can be made again.',
    },
  });
}

const deepest = 8;
/** Bytes. */
const longestFolder = 600;

/**
 * The folders that an argument names below the root: relative, or an absolute path that lies in it.
 * @throws ArtworkError `invalid_arguments` with the nearest name that is safe on every file system
 */
export function foldersIn(
  root: Pick<DownloadRoot, 'path'>,
  folder: string | undefined,
  { syntax, namesIn }: Paths = paths,
): readonly string[] {
  if (folder === undefined) return [];
  const below = syntax.isAbsolute(folder) ? syntax.relative(root.path, syntax.resolve(folder)) : folder;
  const names = namesIn(below).filter((name) => name !== '' && name !== '.');
  if (names.includes('..') || syntax.isAbsolute(below)) {
    throw wrongFolder(`lies outside of the folder for downloads, ${root.path}: name one below it`, {
      why: `Files are only written below ${root.path}: the person names a folder there, or opens another one with ARTWORK_DOWNLOAD_ROOT.`,
    });
  }
  const wrong = names.find((name) => !isSafeName(name));
  if (wrong !== undefined) {
    const safe = nameOf(wrong, 240);
    const instead = safe === null ? 'use letters' : `such as "${safe}"`;
    throw wrongFolder(`has a name that not every file system takes, below ${root.path}: ${instead}`);
  }
  if (names.length <= deepest && Buffer.byteLength(below) <= longestFolder) return names;
  throw wrongFolder(`is too deep or too long: name a shorter one below ${root.path}`);
}

function wrongFolder(message: string, next?: Next): ArtworkError {
  const issues = [{ code: 'folder', message, path: ['folder'] }];
  return invalidArguments('download_set was called with wrong arguments', issues, next);
}

/** What is not there yet has no folder in it either. */
async function realHome(home: string): Promise<string> {
  return (await realOf(home)) ?? path.resolve(home);
}

/** Null where nothing is, and for a link that leads nowhere. */
function realOf(link: string): Promise<string | null> {
  return nullOn('ENOENT', realpath(link));
}

/** What a call of the file system answers; null where it fails with this code. */
export async function nullOn<Answer>(code: string, answer: Promise<Answer>): Promise<Answer | null> {
  return answer.catch((error: unknown) => {
    if (codeOf(error) === code) return null;
    throw error;
  });
}

/**
 * A folder below the root as it is on the disk: its path without links. Links are followed only to what lies in the
 * root. An absent folder is made, or answered with null.
 * @throws ArtworkError `forbidden` for a link out of the root and for ARTWORK_HOME; the system's own error where it
 *   can't be made
 */
export async function enterFolder(
  root: DownloadRoot,
  folders: readonly string[],
  make: boolean,
): Promise<string | null> {
  let at = root.path;
  for (const name of folders) {
    const named = path.join(at, name);
    if (make && (await nullOn('EEXIST', mkdir(named))) !== null) await modes.syncFolder(at);
    const real = await realOf(named);
    if (real === null && !make && (await nullOn('ENOENT', lstat(named))) === null) return null;
    if (real === null || !paths.liesBelow(root.path, real)) {
      throw closedFolder(`${named} is a link that leads out of the folder for downloads.`, 'download_link');
    }
    if (!(await stat(real)).isDirectory()) {
      throw new ArtworkError('conflict', `${named} is a file where a folder is needed.`, {
        code: 'download_in_the_way',
        next: { why: 'Only a person can move that file away; or give another folder.' },
      });
    }
    if (paths.liesBelow(root.home, real)) {
      const own = `${named} is ARTWORK_HOME, where this program keeps its own data.`;
      throw closedFolder(own, 'download_in_home');
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
  if ((await realOf(folder)) === folder && (await realOf(root.path)) === root.path) return;
  throw new ArtworkError('conflict', `${folder} was moved, or replaced, while it was written to.`, {
    code: 'download_folder_changed',
    next: { why: 'Once the folder stays as it is the same call can be made again.' },
  });
}

function closedFolder(message: string, code: string): ArtworkError {
  const why =
    'Only a person can change that: take the link away, or open another folder with ARTWORK_DOWNLOAD_ROOT.';
  return new ArtworkError('forbidden', message, { code, next: { why } });
}
