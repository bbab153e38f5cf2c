import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../errors.ts';
import { namesIn, sweepFolder } from '../store/sweep.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Whether what an owner keeps may be needed. */
export type IsNeeded = (ownerKey: string) => Promise<boolean>;

/**
 * Takes away what writers that were killed left behind: drafts that no process writes to any more, folders that
 * stayed empty, and folders of owners that are not needed and were not touched for a day, which is much
 * longer than anybody takes from keeping bytes to claiming them.
 */
export async function sweepBlobs(root: string, isNeeded: IsNeeded | null, now: number): Promise<void> {
  for (const ownerKey of await namesIn(root)) {
    const folder = path.join(root, ownerKey);
    const touched = await sweepFolder(folder, now);
    // Asked of what is old alone, which is little.
    if (isNeeded !== null && now - touched > day && !(await isNeeded(ownerKey))) {
      await rm(folder, { recursive: true, force: true });
    } else if (now - touched > minute) await removeIfEmpty(folder);
  }
}

/**
 * Removes a folder of blobs if it is empty. An empty folder may belong to a process that was stopped before it
 * wrote into it: that process makes it again.
 */
export async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!stillUsed.has(codeOf(error) ?? '')) throw error;
  }
}

const stillUsed: ReadonlySet<string> = new Set([
  'ENOTEMPTY',
  'EEXIST',
  'ENOENT',
  'ENOTDIR',
  'EBUSY',
  'EPERM',
]);
