import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { codeOf } from '../../storage/store-error.ts';

/** A folder at a path without links, and what told it from others when it was first seen. */
export interface SeenFolder {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Notes which folder of the disk a path leads to now, to be told from a later one.
 * @throws the system's own error
 */
export async function seeFolder(folder: string): Promise<SeenFolder> {
  const { dev, ino } = await lstat(folder, { bigint: true });
  return { path: folder, dev, ino };
}

/** Whether its path leads to the same folder still: not to a link, even one that leads to it, and not to nothing. */
export async function isSeenFolderStill({ path, dev, ino }: SeenFolder): Promise<boolean> {
  let now: BigIntStats;
  try {
    now = await lstat(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
  return now.isDirectory() && now.dev === dev && now.ino === ino;
}
