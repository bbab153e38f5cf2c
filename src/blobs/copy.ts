import { constants } from 'node:fs';
import { chmod, copyFile, open } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../storage/store-error.ts';
import { type OpenFile, openRegularFile } from '../files/open-file.ts';
import { fileChangedError } from '../files/refusal.ts';
import { digestOfFile, type ReadOptions, type UploadBytes } from '../files/upload-bytes.ts';
import { requireRoom } from './disk-full.ts';

/**
 * Makes `draft` a copy of exactly the bytes that were hashed, on the disk when the promise resolves. Where
 * the file system can, it shares the bytes with the original until one of them is written to.
 */
export async function copyBytes(bytes: UploadBytes, draft: string, options: ReadOptions): Promise<void> {
  if (await shareBytes(bytes.file, draft)) return requireCopy(bytes, draft, options);
  await requireRoom(path.dirname(draft), bytes.length);
  const copy = await open(draft, 'wx', 0o600);
  try {
    for await (const chunk of bytes.chunks(options)) await copy.writeFile(chunk);
    await copy.sync();
  } finally {
    await copy.close();
  }
}

async function shareBytes(file: OpenFile, draft: string): Promise<boolean> {
  try {
    await copyFile(ofDescriptor(file), draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
  } catch (error) {
    // Whatever hinders it, writing a copy either works or says why.
    if (codeOf(error) !== null) return false;
    throw error;
  }
  await chmod(draft, 0o600);
  return true;
}

/** Linux can name what is open, whatever lies at its path by now. */
function ofDescriptor(file: OpenFile): string {
  return process.platform === 'linux' ? `/proc/self/fd/${file.handle.fd}` : file.path;
}

async function requireCopy(bytes: UploadBytes, draft: string, options: ReadOptions): Promise<void> {
  const copy = await openRegularFile(draft);
  try {
    if ((await digestOfFile(copy, options)) !== bytes.sha256) {
      throw fileChangedError('its bytes are others than those that were hashed');
    }
    await copy.handle.sync();
  } finally {
    await copy.close();
  }
}
