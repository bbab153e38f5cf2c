import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, nullOn } from '../errors.ts';
import { type FileStatus, modes } from '../machine.ts';
import { writeNewFile } from './draft.ts';
import { fileFailureError, storeError } from './errors.ts';

/** The store's file in a data directory. With `ARTWORK_STORE` it is not used. */
export function storeFile(home: string): string {
  return path.join(home, 'store.db');
}

/**
 * Makes the data directory, private to its user (0700). An existing one that others may use is made private.
 * @throws home_not_private (another user's), store_unreadable, store_full
 */
export function prepareHome(home: string): Promise<void> {
  return told(home, async () => {
    const missing: string[] = [];
    for (let at = home; !existsSync(at); at = path.dirname(at)) missing.unshift(at);
    // Not `recursive`: Node then repeats for ever where the system refuses every name, as below /proc.
    for (const folder of missing) await nullOn('EEXIST', mkdir(folder, { mode: 0o700 }));
    await takeFromOthers(home, await stat(home), true);
  });
}

/** A folder that only its user can look into (0700), on the disk under its name; it may be there already. */
export async function makePrivateFolder(folder: string): Promise<void> {
  const made = await nullOn('EEXIST', mkdir(folder, { mode: 0o700 }));
  if (made !== null) await modes.syncFolder(path.dirname(folder));
  const status = await lstat(folder);
  await takeFromOthers(folder, status, status.isDirectory());
}

/**
 * Checks a file of ours without following a link, and makes it private (0600).
 * @returns its size in bytes, or null where there is none
 * @throws store_unreadable (no access), home_not_private (a folder, a link, another user's)
 */
export function makeFilePrivate(file: string): Promise<number | null> {
  return told(file, async () => {
    const status = await nullOn('ENOENT', lstat(file));
    if (status === null) return null;
    await takeFromOthers(file, status, status.isFile());
    return status.size;
  });
}

async function takeFromOthers(at: string, status: FileStatus, isOfKind: boolean): Promise<void> {
  if (isOfKind && !modes.isForeign(status)) return modes.makePrivate(at, status);
  const what = `${at} belongs to another user, or is not what it was.`;
  const how = 'Run as that user, move it away, or choose another ARTWORK_HOME. Then try again.';
  throw storeError('home_not_private', `${what} ${how}`);
}

/** Writes a 0600 file, on the disk when the promise resolves, unless there is one, which stays as it is. */
export function createPrivateFile(file: string, content: string): Promise<void> {
  return told(file, async () => {
    await nullOn('EEXIST', writeNewFile(file, content));
    await modes.syncFolder(path.dirname(file));
  });
}

/** Reads a small file of ours, or null where there is none. */
export async function readPrivateFile(file: string): Promise<string | null> {
  return (await makeFilePrivate(file)) === null ? null : readGivenFile(file);
}

/** The same for a file of the person's, whose modes are theirs. */
export function readGivenFile(file: string): Promise<string | null> {
  return told(file, () => nullOn('ENOENT', readFile(file, 'utf8')));
}

/** Runs file operations of which the system's errors become those of the store. */
export async function told<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ArtworkError ? error : fileFailureError(file, error);
  }
}
