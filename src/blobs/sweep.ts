import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../errors.ts';
import { signals } from '../machine.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** What is written before it gets its name. The writer's id tells whether it still lives. */
export function draftName(random: string): string {
  return `${process.pid}-${random}.part`;
}

/** Whether what an owner keeps may be needed. */
export type IsNeeded = (ownerKey: string) => Promise<boolean>;

/**
 * Takes away what writers that were killed left behind: drafts that no process writes to any more, folders that
 * stayed empty, and folders of owners that are not needed and were not touched for a day, which is much
 * longer than anybody takes from keeping bytes to claiming them. A live writer that was mistaken for a dead one,
 * because it stood still for an hour, finds its draft gone and says so.
 */
export async function sweepBlobs(root: string, isNeeded: IsNeeded | null, now: number): Promise<void> {
  for (const ownerKey of await namesIn(root)) {
    const folder = path.join(root, ownerKey);
    let touched = await touchedAt(folder);
    for (const name of await namesIn(folder)) {
      const file = path.join(folder, name);
      const written = await touchedAt(file);
      touched = Math.max(touched, written);
      if (isAbandoned(name, now - written)) await rm(file, { force: true });
    }
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

function isAbandoned(name: string, untouchedMs: number): boolean {
  const writer = /^(\d+)-[0-9a-f-]+\.part$/.exec(name)?.[1];
  if (writer === undefined) return false;
  // A minute, since in another container that shares this folder a living writer's id means nothing.
  return untouchedMs > hour || (untouchedMs > minute && !signals.mayRun(Number(writer)));
}

/** Milliseconds since 1970; 0 for what is gone. */
async function touchedAt(file: string): Promise<number> {
  try {
    return (await lstat(file)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
