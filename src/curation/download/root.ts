import { constants } from 'node:fs';
import { access, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf, invalidArguments, nullOn } from '../../errors.ts';
import { type Paths, paths } from '../../machine.ts';
import { isSafeName } from './names.ts';

/** The folder that files may be written below: its path has no links. */
export interface DownloadRoot {
  readonly path: string;
  /** ARTWORK_HOME. */
  readonly home: string;
}

/** Why nothing can be written below a folder as it is now, in words that go on after its path; null: it can. */
export async function downloadRootFault(folder: string) {
  try {
    if (!(await stat(folder)).isDirectory())
      return { is: 'is not a folder', code: 'download_root_no_folder' };
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    if (code === 'ENOENT') return { is: 'does not exist', code: 'download_root_missing' };
    return { is: `can't be written to (${code})`, code: 'download_root_not_writable' };
  }
}

/**
 * Opens the folder of ARTWORK_DOWNLOAD_ROOT.
 * @throws ArtworkError `conflict` (`download_root_…`), which only a person can change
 */
export async function openDownloadRoot(configured: string | null, home: string): Promise<DownloadRoot> {
  const fault =
    configured === null
      ? { is: 'is not set, so that no folder is open for downloads', code: 'download_root_unset' }
      : await downloadRootFault(configured);
  if (configured !== null && fault === null) return { path: await realpath(configured), home };
  const named = ['ARTWORK_DOWNLOAD_ROOT', configured, fault?.is].filter(Boolean).join(' ');
  const why = 'Only a person can set it to a folder that is there, and that this user can write to.';
  throw new ArtworkError('conflict', `${named}.`, { code: fault?.code, next: { why } });
}

const deepest = 8;

/**
 * The names of the folder that an argument names below the root: relative, or an absolute path that lies in it.
 * @throws ArtworkError `invalid_arguments`
 */
export function foldersIn(
  root: Pick<DownloadRoot, 'path'>,
  folder: string | undefined,
  { syntax, namesIn }: Paths = paths,
): string[] {
  if (folder === undefined) return [];
  const below = syntax.isAbsolute(folder) ? syntax.relative(root.path, syntax.resolve(folder)) : folder;
  const names = namesIn(below).filter((name) => name !== '' && name !== '.');
  if (names.every(isSafeName) && names.length <= deepest && !syntax.isAbsolute(below)) return names;
  const message = `is not usable: name one below ${root.path}, at most ${deepest} deep, in names that every file system takes`;
  throw invalidArguments('download_set was called with wrong arguments', [
    { code: 'folder', message, path: ['folder'] },
  ]);
}

/**
 * A folder below the root as it is on the disk: its path without links. Links are followed only to what lies in the
 * root.
 * @param make what is missing; else null is answered for it
 * @throws ArtworkError `forbidden` (`download_link`); the system's own error
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
    if (real === null && !make) return null;
    // A link that leads nowhere is there all the same.
    if (real === null || !paths.liesBelow(root.path, real)) {
      const is = `${named} is a link that leads out of the folder for downloads.`;
      const why = 'Only a person can remove it, or open another folder with ARTWORK_DOWNLOAD_ROOT.';
      throw new ArtworkError('forbidden', is, { code: 'download_link', next: { why } });
    }
    at = real;
  }
  return at;
}

/**
 * Looks once more whether a folder is where `enterFolder` found it.
 * @throws ArtworkError `conflict` (`download_folder_changed`)
 */
export async function requireUnmoved(folder: string): Promise<void> {
  if ((await nullOn('ENOENT', realpath(folder))) === folder) return;
  throw new ArtworkError('conflict', `${folder} was moved, or replaced, while it was written to.`, {
    code: 'download_folder_changed',
    next: { why: 'Make the same call again when nothing else changes the folder.' },
  });
}
