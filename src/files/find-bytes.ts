import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../errors.ts';
import { openRegularFile } from './open-file.ts';
import { requireNotAborted } from './refusal.ts';
import { digestOfFile } from './upload-bytes.ts';
import { locateArgument, type RootNames, realRoots } from './upload-roots.ts';

/** Bytes that are looked for. */
export interface WantedBytes {
  /** 64 lowercase hexadecimal digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly contentLength: number;
  /** Its path on the machine that had it, or as much of it as is known. */
  readonly name: string;
}

/** More names are not looked at: an open folder may be a whole disk. */
const mostNames = 500_000;

/**
 * Files with these bytes below the open folders: first where the same relative names lead, then wherever they lie. Links
 * are not followed.
 * @returns the paths of those that were found, by digest
 * @throws ArtworkError `cancelled`
 */
export async function findBytes(
  wanted: readonly WantedBytes[],
  names: RootNames,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const lacking = new Map(wanted.map((one) => [one.sha256, one]));
  const roots = await realRoots(names);
  const compare = async (file: string, length: number): Promise<void> => {
    if (![...lacking.values()].some(({ contentLength }) => contentLength === length)) return;
    const sha256 = await digestAt(file, signal);
    if (sha256 === null || !lacking.delete(sha256)) return;
    found.set(sha256, file);
  };
  for (const one of wanted) {
    for (const candidate of namesakes(one.name, roots)) {
      if (!lacking.has(one.sha256)) break;
      const file = await locateArgument(candidate, names).catch(unlessRefused);
      if (file !== null) await compare(file.path, await lengthOf(file.path));
    }
  }
  const folders = [...roots];
  let looked = 0;
  for (const folder of folders) {
    for (const entry of await entriesOf(folder)) {
      requireNotAborted(signal);
      looked += 1;
      if (lacking.size === 0 || looked > mostNames) return found;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(file);
      else if (entry.isFile()) await compare(file, await lengthOf(file));
    }
  }
  return found;
}

/** Where a file of another machine would lie in each folder, had it been named from there: the most of its path first. */
function namesakes(name: string, roots: readonly string[]): string[] {
  const parts = name.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.flatMap((_, at) => roots.map((root) => path.join(root, ...parts.slice(at))));
}

async function digestAt(file: string, signal: AbortSignal): Promise<string | null> {
  const opened = await openRegularFile(file).catch(unlessRefused);
  if (opened === null) return null;
  try {
    return await digestOfFile(opened, { signal });
  } finally {
    await opened.close();
  }
}

/** What can't be read is not what is looked for. */
function unlessRefused(error: unknown): null {
  const isRefused = error instanceof ArtworkError && error.category !== 'cancelled';
  if (isRefused || codeOf(error) !== null) return null;
  throw error;
}

async function lengthOf(file: string): Promise<number> {
  return (await lstat(file).catch(unlessRefused))?.size ?? -1;
}

async function entriesOf(folder: string) {
  return (await readdir(folder, { withFileTypes: true }).catch(unlessRefused)) ?? [];
}
