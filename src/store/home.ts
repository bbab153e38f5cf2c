import { lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../errors.ts';
import { type FileStatus, modes } from '../machine.ts';
import { replaceFile, writeNewFile } from './draft.ts';
import { fileFailureError, storeError } from './errors.ts';

/** The store's file in a data directory. With `ARTWORK_STORE` it is not used. */
export function storeFile(home: string): string {
  return path.join(home, 'store.db');
}

/**
 * Makes the data directory, private to its user (0700). An existing one that others may read is made private. One that
 * others may write to is refused unless it is empty, since its files may be theirs; so is one of another user.
 * @throws home_not_private, store_unreadable, store_full
 */
export async function prepareHome(home: string): Promise<void> {
  try {
    await makeFolder(home);
  } catch (error) {
    throw fileFailureError(home, error);
  }
  const status = await stat(home).catch((error: unknown) => {
    throw fileFailureError(home, error);
  });
  refuseForeign(home, status);
  try {
    if (modes.isOpenToWriters(status) && (await readdir(home)).length > 0) {
      throw storeError(
        'home_not_private',
        `Other users can write to ${home}: look through it, run chmod 700 on it, then try again; or choose another ARTWORK_HOME.`,
      );
    }
    await modes.makePrivate(home, status);
  } catch (error) {
    throw codeOf(error) === 'home_not_private' ? error : fileFailureError(home, error);
  }
}

/** Not `recursive`: Node then repeats for ever where the system refuses every name, as below /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const parent = path.dirname(folder);
    if (codeOf(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
    // Another process may have made it meanwhile.
    await mkdir(folder, { mode: 0o700 }).catch((again: unknown) => {
      if (codeOf(again) !== 'EEXIST') throw again;
    });
  }
}

/**
 * Checks a file of ours without following a link, and makes it private (0600).
 * @returns its size in bytes, or null where there is none
 * @throws store_unreadable (a folder, a link, no access), home_not_private (another user's)
 */
export async function makeFilePrivate(file: string): Promise<number | null> {
  let status: Awaited<ReturnType<typeof lstat>>;
  try {
    status = await lstat(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw fileFailureError(file, error);
  }
  if (!status.isFile()) {
    throw storeError('store_unreadable', `${file} is not a regular file: move it away, then try again.`);
  }
  refuseForeign(file, status);
  await modes.makePrivate(file, status).catch((error: unknown) => {
    // SQLite removes its side files when the last connection closes.
    if (codeOf(error) !== 'ENOENT') throw fileFailureError(file, error);
  });
  return status.size;
}

/**
 * Writes a new 0600 file, on the disk when the promise resolves.
 * @returns false where the file exists already; it stays as it is
 */
export async function createPrivateFile(file: string, content: string): Promise<boolean> {
  try {
    await writeNewFile(file, content);
    await modes.syncFolder(path.dirname(file));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw fileFailureError(file, error);
  }
}

/** Reads a small file of ours, or null where there is none. */
export async function readPrivateFile(file: string): Promise<string | null> {
  if ((await makeFilePrivate(file)) === null) return null;
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw fileFailureError(file, error);
  });
}

/** Puts a complete file in place at once: a reader sees all of it or none. */
export async function placePrivateFile(file: string, content: string): Promise<void> {
  await replaceFile(file, content).catch((error: unknown) => {
    throw fileFailureError(file, error);
  });
}

function refuseForeign(file: string, status: FileStatus): void {
  if (modes.isForeign(status)) {
    throw storeError(
      'home_not_private',
      `${file} belongs to another user: run as that user, or choose another ARTWORK_HOME.`,
    );
  }
}

/** A folder that only its user can look into (0700), on the disk under its name; it may be there already. */
export async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await modes.syncFolder(path.dirname(folder));
    return;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const status = await lstat(folder);
  if (!status.isDirectory() || modes.isForeign(status)) {
    throw storeError('home_not_private', `${folder} is not a folder of yours: move it away, then try again.`);
  }
  await modes.makePrivate(folder, status);
}
