import type { Stats } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../errors.ts';
import { signals } from '../machine.ts';
import { writerOfDraft } from './draft.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What is kept of the files in a folder, drafts apart. */
export interface Keeping {
  /** How long a file of this name is kept after it was written last, ms; null: it is none of ours, and stays. */
  forMs(name: string): number | null;
  /** Bytes of all of ours together; the oldest go first. Left out: as many as there are. */
  readonly mostBytes?: number;
}

/**
 * Takes away the drafts that killed writers left in a folder, and the files there that are too old or too much. A living
 * writer that was mistaken for a dead one, because it stood still for an hour, finds its draft gone and says so.
 * @param now milliseconds since 1970
 * @returns when the folder or something in it was last written, ms since 1970; 0 where nothing has its name
 */
export async function sweepFolder(
  folder: string,
  now: number,
  { forMs, mostBytes = Number.POSITIVE_INFINITY }: Keeping = { forMs: () => null },
): Promise<number> {
  const found = await statusOf(folder);
  let touched = found?.mtimeMs ?? 0;
  if (found?.isDirectory() !== true) return touched;
  const kept: { readonly file: string; readonly at: number; readonly bytes: number }[] = [];
  for (const name of await namesIn(folder)) {
    const file = path.join(folder, name);
    const status = await statusOf(file);
    if (status === null) continue;
    touched = Math.max(touched, status.mtimeMs);
    if (!status.isFile()) continue;
    const untouched = now - status.mtimeMs;
    const writer = writerOfDraft(name);
    const limit = writer === null ? forMs(name) : draftKeptForMs(writer);
    if (limit === null) continue;
    if (untouched > limit) await rm(file, { force: true });
    else if (writer === null) kept.push({ file, at: status.mtimeMs, bytes: status.size });
  }
  let room = mostBytes;
  for (const { file, bytes } of kept.sort((one, other) => other.at - one.at)) {
    room -= bytes;
    if (room < 0) await rm(file, { force: true });
  }
  return touched;
}

/** At least a minute: in another container that shares the folder, the id of a living writer means nothing. */
function draftKeptForMs(writer: number): number {
  return signals.mayRun(writer) ? hour : minute;
}

/** The names of all that lies in a folder; none where there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Null for what is gone: another process may have been faster. */
async function statusOf(file: string): Promise<Stats | null> {
  try {
    return await lstat(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
