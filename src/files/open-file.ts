import { constants, type BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { codeOf } from '../storage/store-error.ts';
import { parseFileArgument } from './file-argument.ts';
import { findRoots, locateInRoots, type RootNames } from './upload-roots.ts';
import { refusedFileError, fileChangedError, unreadableFileError } from './refusal.ts';

/** A regular file behind one descriptor, and what it was when it was opened. The caller closes it. */
export interface OpenFile {
  readonly handle: FileHandle;
  /** Without links. */
  readonly path: string;
  /** Bytes, never 0. */
  readonly length: number;
  readonly opened: BigIntStats;
  /** Harmless when repeated. */
  close(): Promise<void>;
}

/**
 * Opens what a model named: an absolute path or a `file:` URI of a regular file in one of the roots.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`; of a path outside the roots it says nothing
 */
export async function openUploadFile(file: string, names: RootNames): Promise<OpenFile> {
  const given = parseFileArgument(file);
  const real = await locateInRoots(given, await findRoots(names));
  return openRegularFile(real);
}

// Windows has neither flag, and needs neither: it has no pipes in folders, and `isWhereItWas` sees links.
const readSafely = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a path without links. Between the look at it and the opening, another program could put something else in
 * its place: what was opened must be what was looked at, and still lie at that path.
 * @throws ArtworkError `upload_refused`
 */
export async function openRegularFile(real: string): Promise<OpenFile> {
  const seen = await lookAt(real);
  // Opening a device can already do something, so it is looked at before.
  if (!seen.isFile()) throw notRegular(seen);
  const handle = await open(real, readSafely).catch((error: unknown) => {
    throw unopened(error);
  });
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile() || !isSameFile(seen, opened) || !(await isWhereItWas(handle, real, opened))) {
      throw fileChangedError('another took its place while it was opened');
    }
    if (opened.size === 0n) throw refusedFileError('empty', 'The file is empty: export it again.');
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= handle.close();
      return closing;
    };
    return { handle, path: real, length: Number(opened.size), opened, close };
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
  if (process.platform === 'linux') {
    const path = await readlink(`/proc/self/fd/${handle.fd}`).catch(withoutProc);
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
      return fileChangedError('it was there, and then it was not');
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
  const what = status.isDirectory()
    ? 'a folder: name one file in it'
    : 'a pipe, a socket or a device: name a regular file';
  return refusedFileError('not_regular', `This is ${what}.`);
}
