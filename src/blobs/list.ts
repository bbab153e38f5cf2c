import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../storage/store-error.ts';
import { isSha256 } from '../files/digest.ts';
import type { ExpectedCopy } from './missing.ts';

/** The copies in an owner's folder, drafts left out; none where there is no such folder. */
export async function listBlobs(folder: string): Promise<ExpectedCopy[]> {
  const files: ExpectedCopy[] = [];
  for (const sha256 of (await blobNamesIn(folder)).filter(isSha256)) {
    const length = await lengthOf(path.join(folder, sha256));
    if (length !== null) files.push({ sha256, length });
  }
  return files;
}

/** Null for what another process has just released. */
async function lengthOf(file: string): Promise<number | null> {
  try {
    return (await lstat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The names of all that lies in an owner's folder of blobs; none where there is no such folder. */
export async function blobNamesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
