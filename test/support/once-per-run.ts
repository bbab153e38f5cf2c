import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';

/**
 * A folder that is made once in a run of the tests, whichever files and workers ask for it, and goes with the
 * run. Two workers that ask at once both make one, and the first that is done stays.
 * @param what tells it from all others of the run
 */
export async function oncePerRun(what: string, make: (folder: string) => Promise<void>): Promise<string> {
  const runFolder = inject('runFolder');
  const folder = path.join(runFolder, createHash('sha256').update(what).digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  const draft = path.join(runFolder, `draft-${randomBytes(6).toString('hex')}`);
  await mkdir(draft);
  await make(draft);
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    await rm(draft, { recursive: true });
  }
  return folder;
}
