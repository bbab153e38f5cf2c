import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError } from '../../errors.ts';
import { syncFolder } from '../../blobs/private-folder.ts';
import { codeOf } from '../../storage/store-error.ts';
import { type DownloadRoot, liesBelowFolder } from './download-root.ts';
import { isSeenFolderStill, type SeenFolder, seeFolder } from './seen-folder.ts';

/** A folder at or below the root that can be written to by its path, as long as it is the one that was entered. */
export interface EnteredFolder {
  /** Without links. */
  readonly path: string;
  /**
   * Sees that its path still leads to it, and through no link: it is asked right before anything is written there.
   * @throws ArtworkError `conflict` where this folder, the root or one between them was exchanged
   */
  requireUnchanged(): Promise<void>;
}

/**
 * A folder below the root as it is on the disk. Links are followed only to what lies in the root.
 * @param make whether folders that are missing are made
 * @returns null where it is missing and was not to be made
 * @throws ArtworkError `forbidden` for a link out of the root, `conflict` where a folder was exchanged meanwhile; the
 *   system's own error where it can't be made
 */
export async function enterFolder(
  root: DownloadRoot,
  folders: readonly string[],
  make: boolean,
): Promise<EnteredFolder | null> {
  let at = entered(root, root.path, [root]);
  for (const name of folders) {
    const next = path.join(at.path, name);
    if (make) {
      // Else a folder would be made in whatever took the place of its parent.
      await at.requireUnchanged();
      if (await makeFolder(next)) await syncFolder(at.path);
    }
    const real = await realOf(next);
    if (real === null) return null;
    if (!liesBelowFolder(root.path, real)) throw linkOut(next);
    if (!(await stat(real)).isDirectory()) throw notFolder(next);
    at = entered(root, real, [root, ...(await seeFoldersBetween(root.path, real))]);
  }
  await at.requireUnchanged();
  return at;
}

function entered(root: DownloadRoot, real: string, seen: readonly SeenFolder[]): EnteredFolder {
  return {
    path: real,
    async requireUnchanged() {
      for (const folder of seen) if (!(await isSeenFolderStill(folder))) throw exchanged(folder, root);
    },
  };
}

/** The folders that lead from the root to one below it, itself included. */
async function seeFoldersBetween(root: string, real: string): Promise<SeenFolder[]> {
  const names = path.relative(root, real).split(path.sep).filter(Boolean);
  return Promise.all(names.map((_, at) => seeFolder(path.join(root, ...names.slice(0, at + 1)))));
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

function exchanged(folder: SeenFolder, root: DownloadRoot): ArtworkError {
  const what = folder === root ? 'The folder for downloads' : folder.path;
  return new ArtworkError('conflict', `${what} was moved, or replaced, while it was written to.`, {
    code: 'download_folder_changed',
    next: { why: 'Once the folder stays as it is the same call can be made again.' },
  });
}
