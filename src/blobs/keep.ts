import { randomUUID } from 'node:crypto';
import { link, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../storage/store-error.ts';
import { isFileRefused } from '../files/refusal.ts';
import type { ReadOptions, UploadBytes } from '../files/upload-bytes.ts';
import { copyBytes } from './copy.ts';
import type { ExpectedCopy } from './missing.ts';
import { openBlob } from './open.ts';
import { makePrivateFolder, syncFolder } from './private-folder.ts';
import { draftName, removeIfEmpty } from './sweep.ts';

const mostAttempts = 3;

/** Puts a copy into an owner's folder, whole and on the disk when it resolves; a failure leaves nothing. */
export async function keepBlob(folder: string, bytes: UploadBytes, options: ReadOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptCopy(folder, bytes, options);
    } catch (error) {
      // Another process took the folder for empty, or the draft for a dead one's.
      if (codeOf(error) !== 'ENOENT' || attempt === mostAttempts) throw error;
    }
  }
}

async function attemptCopy(folder: string, bytes: UploadBytes, options: ReadOptions): Promise<void> {
  await makePrivateFolder(folder);
  const name = path.join(folder, bytes.sha256);
  // Another process may have named it and not yet come to the folder.
  if (await isKept(name, bytes, options)) return syncFolder(folder);
  const draft = path.join(folder, draftName(randomUUID()));
  try {
    await copyBytes(bytes, draft, options);
    await giveName(draft, name);
    await syncFolder(folder);
  } catch (error) {
    await rm(draft, { force: true });
    await removeIfEmpty(folder);
    throw error;
  }
}

/** Another process may have kept the same bytes meanwhile: its copy, which may be in use, stays. */
async function giveName(draft: string, name: string): Promise<void> {
  try {
    await link(draft, name);
  } catch (error) {
    const code = codeOf(error);
    if (code !== null && withoutLinks.has(code)) return rename(draft, name);
    if (code !== 'EEXIST') throw error;
  }
  await rm(draft, { force: true });
}

/** What file systems without hard links answer (FAT, some network shares). */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);

/** A copy that is no longer what was kept is taken away, so that a good one can take its place. */
async function isKept(name: string, kept: ExpectedCopy, options: ReadOptions): Promise<boolean> {
  try {
    await (await openBlob(name, kept, options)).close();
    return true;
  } catch (error) {
    if (!isFileRefused(error, 'kept_bytes_missing')) throw error;
    await rm(name, { force: true });
    return false;
  }
}
