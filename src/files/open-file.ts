import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { type ArtworkError, codeOf } from '../errors.ts';
import { modes } from '../machine.ts';
import { changedFile, refusedFile } from './refusal.ts';
import { locate, orNull, type Roots } from './roots.ts';

/** A regular file behind one descriptor. Who opens it closes it. */
export interface OpenFile {
  /** Where it lies, without links. */
  readonly path: string;
  /** Leads to what is open, for a library that opens files itself: whatever lies at `path` by now, if the system can. */
  readonly direct: string;
  /** Bytes when it was opened, never 0. */
  readonly length: number;
  /**
   * Reads from a position on, as much as fits.
   * @returns how many bytes there were
   * @throws ArtworkError `upload_refused` (`unreadable`)
   */
  readAt(position: number, into: Buffer): Promise<number>;
  /**
   * Sees what reading alone does not: that it was written to behind what had been read.
   * @throws ArtworkError `upload_refused` (`source_changed`)
   */
  requireUnchanged(): Promise<void>;
  /** What it holds is on the disk when it resolves. */
  sync(): Promise<void>;
  /** Harmless when repeated. */
  close(): Promise<void>;
}

/**
 * Opens what an argument names: an absolute path or a `file:` URI of a regular file in an open folder.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`; of a path outside the open folders it says nothing
 */
export async function openFile(given: string, roots: Roots): Promise<OpenFile> {
  return openPath((await locate(given, roots)).path);
}

/**
 * Opens a path without links. Between the look at it and the opening, another program could put something else in its
 * place: what was opened must be what was looked at, and still lie at that path.
 * @throws ArtworkError `upload_refused`
 */
export async function openPath(path: string): Promise<OpenFile> {
  const seen = await lstat(path, { bigint: true }).catch(refuse);
  // Opening a device can already do something, so it is looked at before.
  if (!seen.isFile()) throw notRegular(seen);
  const handle = await open(path, modes.readSafely).catch(refuse);
  try {
    const opened = await handle.stat({ bigint: true });
    const direct = isSameFile(seen, opened) ? await directPath(handle, path, opened) : null;
    if (direct === null) throw changedFile('another file replaced it while it was opened');
    if (opened.size === 0n) throw refusedFile('empty', 'The file is empty. Export it again.');
    let closing: Promise<void> | undefined;
    return {
      path,
      direct,
      length: Number(opened.size),
      readAt: (position, into) => readFully(handle, position, into),
      requireUnchanged: () => requireUnchanged(handle, path, opened),
      sync: () => handle.sync(),
      close: () => (closing ??= handle.close()),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Whether two looks were at the same file, by whatever name. */
function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/**
 * A path to what is open; null where it is not what lies at `path`. Linux tells the path of a descriptor, without links.
 * Elsewhere the path is looked at again, several times, for a folder on the way that becomes a link and a folder again
 * could deceive each single look.
 */
async function directPath(handle: FileHandle, path: string, opened: BigIntStats): Promise<string | null> {
  const descriptor = modes.pathOfDescriptor(handle.fd);
  // A container may have no /proc.
  const told = descriptor === null ? null : await orNull(readlink(descriptor));
  if (descriptor !== null && told !== null) return told === path ? descriptor : null;
  for (let look = 0; look < 5; look += 1) {
    if ((await orNull(realpath(path))) !== path) return null;
    const seen = await orNull(lstat(path, { bigint: true }));
    if (seen === null || !isSameFile(seen, opened)) return null;
  }
  return path;
}

async function readFully(handle: FileHandle, position: number, into: Buffer): Promise<number> {
  for (let filled = 0; ; ) {
    const left = into.length - filled;
    const { bytesRead } = await handle.read(into, filled, left, position + filled).catch(refuse);
    filled += bytesRead;
    if (bytesRead === 0 || filled === into.length) return filled;
  }
}

async function requireUnchanged(handle: FileHandle, path: string, opened: BigIntStats): Promise<void> {
  const now = await handle.stat({ bigint: true }).catch(refuse);
  if (now.size !== opened.size || now.mtimeNs !== opened.mtimeNs) throw changedFile('it was written to');
  const named = await orNull(lstat(path, { bigint: true }));
  if (named === null || !isSameFile(named, opened))
    throw changedFile('it was moved, or another file has its name');
}

/** What a failure of the file system says of a file. Such errors quote no content. */
function refuse(cause: unknown): never {
  const code = codeOf(cause);
  if (code === null) throw cause;
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(code)) {
    const message = 'The file went away during the call. Put it back, then try again.';
    throw refusedFile('missing', message, { cause });
  }
  // Its permissions, a failing disk, or too many open files.
  throw refusedFile('unreadable', `The file can't be read (${code}): check its permissions and its disk.`, {
    cause,
  });
}

function notRegular(status: BigIntStats): ArtworkError {
  if (!status.isDirectory())
    return refusedFile('not_regular', 'This is a pipe, a socket or a device: name a regular file.');
  const why = 'The person says which picture in it is meant. plan_set plans all pictures of a folder.';
  return refusedFile('not_regular', 'This is a folder: name one file in it.', { next: { why } });
}
