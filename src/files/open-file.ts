import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { codeOf } from '../errors.ts';
import { modes } from '../machine.ts';
import { fileChangedError, refusedFileError, unreadableFileError } from './refusal.ts';
import { locateArgument, type RootNames } from './upload-roots.ts';

/** A regular file behind one descriptor, and what it was when it was opened. The caller closes it. */
export interface OpenFile {
  readonly handle: FileHandle;
  /** Without links. */
  readonly path: string;
  /** Bytes, never 0. */
  readonly length: number;
  readonly opened: BigIntStats;
  /**
   * Refuses a file that was changed since it was opened. Sees what a digest does not: that something was appended,
   * that the file was written to behind what had already been read, or that another took its name.
   * @throws ArtworkError `upload_refused` (`source_changed`)
   */
  requireUnchanged(): Promise<void>;
  /** Harmless when repeated. */
  close(): Promise<void>;
}

/**
 * Opens what a model named: an absolute path or a `file:` URI of a regular file in one of the roots.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`; of a path outside the roots it says nothing
 */
export async function openUploadFile(file: string, names: RootNames): Promise<OpenFile> {
  return openRegularFile((await locateArgument(file, names)).path);
}

/**
 * Opens a path without links. Between the look at it and the opening, another program could put something else in
 * its place: what was opened must be what was looked at, and still lie at that path.
 * @throws ArtworkError `upload_refused`
 */
export async function openRegularFile(real: string): Promise<OpenFile> {
  const seen = await lookAt(real);
  // Opening a device can already do something, so it is looked at before.
  if (!seen.isFile()) throw notRegular(seen);
  const file = await openPrivateFile(real);
  const { handle, opened } = file;
  try {
    if (!isSameFile(seen, opened) || !(await isWhereItWas(handle, real, opened))) {
      throw fileChangedError('another took its place while it was opened');
    }
    return { ...file, requireUnchanged: () => requireUnchangedFile(file) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens a file of this program's own, which is known by its digest: no other program writes there, and wherever a link on
 * the way to it leads, other bytes are refused.
 * @throws ArtworkError `upload_refused`
 */
export async function openPrivateFile(name: string): Promise<OpenFile> {
  const handle = await open(name, modes.readSafely).catch((error: unknown) => {
    throw unopened(error);
  });
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) throw notRegular(opened);
    if (opened.size === 0n) throw refusedFileError('empty', 'The file is empty: export it again.');
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= handle.close();
      return closing;
    };
    return {
      handle,
      path: name,
      length: Number(opened.size),
      opened,
      requireUnchanged: async () => {},
      close,
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Whether two looks were at the same file, by whatever name. */
export function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/**
 * Linux tells the path of a descriptor, without links. Elsewhere the path is looked at again, several times,
 * for a folder on the way that becomes a link and a folder again could deceive each single look.
 */
async function isWhereItWas(handle: FileHandle, real: string, opened: BigIntStats): Promise<boolean> {
  const descriptor = modes.pathOfDescriptor(handle.fd);
  if (descriptor !== null) {
    const path = await readlink(descriptor).catch(withoutProc);
    if (path !== null) return path === real;
  }
  for (let look = 0; look < looks; look += 1) {
    if ((await realpath(real).catch(vanished)) !== real) return false;
    if (!isSameFile(await lookAt(real), opened)) return false;
  }
  return true;
}

const looks = 5;

/** A container without /proc. */
function withoutProc(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw unreadableFileError(error);
}

function vanished(error: unknown): null {
  if (codeOf(error) !== null) return null;
  throw error;
}

async function lookAt(real: string): Promise<BigIntStats> {
  return lstat(real, { bigint: true }).catch((error: unknown) => {
    throw unopened(error);
  });
}

function unopened(error: unknown): Error {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENXIO':
      return refusedFileError(
        'missing',
        'The file was there, and then it was not: put it back, then try again.',
      );
    case 'EACCES':
    case 'EPERM':
      return refusedFileError('unreadable', 'The file may not be read: check its permissions.', {
        cause: error,
      });
    case 'EMFILE':
    case 'ENFILE':
      return refusedFileError('unreadable', 'Too many files are open: try again when other work has ended.', {
        cause: error,
      });
    default:
      return unreadableFileError(error);
  }
}

function notRegular(status: BigIntStats): Error {
  if (!status.isDirectory()) {
    return refusedFileError('not_regular', 'This is a pipe, a socket or a device: name a regular file.');
  }
  return refusedFileError('not_regular', 'This is a folder: name one file in it.', {
    next: { why: 'The person says which picture in it is meant. plan_set plans all pictures of a folder.' },
  });
}

async function requireUnchangedFile({ handle, path, opened }: OpenFile): Promise<void> {
  const now = await handle.stat({ bigint: true });
  if (now.size !== opened.size) throw fileChangedError('its length is another now');
  if (now.mtimeNs !== opened.mtimeNs) throw fileChangedError('it was written to');
  const named = await lstat(path, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) !== null) throw fileChangedError('it was moved or deleted');
    throw error;
  });
  if (!isSameFile(named, opened)) throw fileChangedError('another has its name now');
}
