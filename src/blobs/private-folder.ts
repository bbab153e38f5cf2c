import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, storeError } from '../storage/store-error.ts';

/** Windows has no modes: there the folder's access list decides, which the profile folder hands down. */
const hasModes = process.platform !== 'win32';

/** A folder that only its user can look into (0700), on the disk under its name; it may be there already. */
export async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await syncFolder(path.dirname(folder));
    return;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const status = await lstat(folder);
  if (!status.isDirectory() || (process.getuid !== undefined && status.uid !== process.getuid())) {
    throw storeError('home_not_private', `${folder} is not a folder of yours: move it away, then try again.`);
  }
  if (hasModes && (status.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** What was named, renamed or removed in a folder is on the disk only once the folder is. */
export async function syncFolder(folder: string): Promise<void> {
  if (!hasModes) return; // Windows can't open a folder, and needs no such step.
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
