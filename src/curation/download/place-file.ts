import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { link, lstat, open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../../errors.ts';
import { modes, nameKey, withoutLinks } from '../../machine.ts';
import { writeByDraft, writeNewFile } from '../../store/draft.ts';
import { namesIn } from '../../store/sweep.ts';
import type { EnteredFolder } from './download-root.ts';

/** A file as it lies in a folder, read through one descriptor. */
export interface FileThere {
  readonly path: string;
  /** Lowercase hex; null for what is no regular file, or can't be read. */
  readonly sha256: string | null;
  readonly size: number;
  /** What it was when it was read. */
  readonly status: BigIntStats | null;
}

/** Bytes that a disk keeps free beside what is written. */
const reserve = 32 * 1024 * 1024;

/** Nothing more can be written: no other file fits either. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

const pictureEnd = /\.(png|jpe?g|webp|gif|tbn|avif|bmp)$/i;

/**
 * The files that hold a place: those of the stem with any picture's extension, whatever their case and composition,
 * since programs that look for `poster` take whichever they meet first.
 */
export async function filesHoldingPlace(folder: EnteredFolder, stem: string): Promise<string[]> {
  const key = nameKey(stem);
  return (await namesIn(folder.path))
    .filter((name) => pictureEnd.test(name) && nameKey(name.replace(pictureEnd, '')) === key)
    .map((name) => path.join(folder.path, name));
}

/** The files of this name, whatever its case and composition. */
export async function findFilesByName(folder: EnteredFolder, name: string): Promise<string[]> {
  const key = nameKey(name);
  const names = await namesIn(folder.path);
  return names.filter((one) => nameKey(one) === key).map((one) => path.join(folder.path, one));
}

/**
 * Gives bytes a name in a folder: whole, on the disk, and never in the place of another file. The folder is looked at
 * before the draft and before its naming, so that a link that took its place meanwhile leads nothing out of the root.
 * @param over a file of our own that the bytes replace, as it was when it was read
 * @returns what stands there instead, where something does
 * @throws DiskFull; ArtworkError `conflict` where the folder was moved; the system's own error
 */
export async function placeFile(
  folder: EnteredFolder,
  name: string,
  bytes: Buffer,
  over: FileThere | null,
): Promise<FileThere | null> {
  await requireRoom(folder.path, bytes.length);
  try {
    const standing = await writeByDraft(
      path.join(folder.path, name),
      async (draft) => {
        await folder.requireInRoot();
        // Media servers run as other users: the mode is what the person's umask leaves.
        await writeNewFile(draft, bytes, 0o666);
      },
      async (draft, final) => {
        await folder.requireInRoot();
        return over === null ? giveFileName(draft, final) : takePlace(draft, final, over);
      },
    );
    await modes.syncFolder(folder.path);
    return standing;
  } catch (error) {
    throw isFull(error) ? new DiskFull('the disk is full', { cause: error }) : error;
  }
}

/** Takes a file of our own away, unless it was changed since it was read. */
export async function removeOwnFile(file: FileThere): Promise<boolean> {
  if (!(await isUnchanged(file))) return false;
  await rm(file.path, { force: true });
  return true;
}

/**
 * Gives a draft the name of its file. A second name for the draft fails where the name is taken; renaming would
 * replace what is there.
 * @param secondName another than the system's, for file systems that have none
 * @returns what has the name already
 */
export async function giveFileName(
  draft: string,
  final: string,
  secondName: typeof link = link,
): Promise<FileThere | null> {
  try {
    await secondName(draft, final);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return lookAtFile(final);
    if (code === null || !withoutLinks.has(code)) throw error;
  }
  // Where a file has one name only, another one of that name is ours before it is replaced. It is not empty: what a
  // person has emptied must not be taken for it.
  try {
    const handle = await open(final, 'wx', 0o666);
    try {
      await handle.writeFile(standIn);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return lookAtFile(final);
    throw error;
  }
  await rename(draft, final);
  return null;
}

const standIn = 'artwork-mcp is writing the file of this name.\n';

/** Whether it is what `giveName` left behind in the middle of its work. */
export function isStandIn({ sha256 }: FileThere): boolean {
  return sha256 === createHash('sha256').update(standIn).digest('hex');
}

/**
 * Puts the draft where a file of our own is. What a person saves there between the last look and the renaming, which
 * follow each other at once, would be lost: no call of the system compares and replaces in one.
 */
async function takePlace(draft: string, final: string, over: FileThere): Promise<FileThere | null> {
  if (!(await isUnchanged(over))) return lookAtFile(over.path);
  await rename(draft, final);
  return null;
}

async function isUnchanged({ path: at, status }: FileThere): Promise<boolean> {
  const now = await statusOf(at);
  if (now === null || status === null) return false;
  const { ino, dev, size, mtimeNs, ctimeNs } = status;
  return (
    now.ino === ino &&
    now.dev === dev &&
    now.size === size &&
    now.mtimeNs === mtimeNs &&
    now.ctimeNs === ctimeNs
  );
}

/** Reads a file without following a link. */
export async function lookAtFile(file: string): Promise<FileThere> {
  const unknown = { path: file, sha256: null, size: 0, status: null };
  const seen = await statusOf(file);
  if (seen === null || !seen.isFile()) return unknown;
  try {
    const handle = await open(file, modes.readSafely);
    try {
      const hash = createHash('sha256');
      for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk);
      const status = await handle.stat({ bigint: true });
      return { path: file, sha256: hash.digest('hex'), size: Number(status.size), status };
    } finally {
      await handle.close();
    }
  } catch (error) {
    // It may be another user's, or gone by now: what is there is in no case ours to replace.
    if (codeOf(error) !== null) return unknown;
    throw error;
  }
}

async function statusOf(file: string): Promise<BigIntStats | null> {
  try {
    return await lstat(file, { bigint: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @throws DiskFull */
async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(folder, { bigint: true });
  // Some file systems on the network don't tell.
  if (blocks === 0n) return;
  if (bavail * bsize < BigInt(bytes + reserve)) throw new DiskFull('the disk has not enough room');
}

function isFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** What a failed operation of the file system means to a person. */
export function writingFailed(error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  const code = codeOf(error);
  if (code === null) throw error;
  return new ArtworkError('internal', `The file can't be written (${code}).`, {
    code: 'download_not_written',
    cause: error,
  });
}
