import { constants, type BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { codeOf } from '../storage/store-error.ts';
import { parseFile } from './file-argument.ts';
import { locate } from './locate.ts';
import { refuse, sourceChanged, unreadable } from './refusal.ts';
import { findRoots, type RootNames } from './upload-roots.ts';

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
  const given = parseFile(file);
  const real = await locate(given, await findRoots(names));
  return openRegular(real);
}

// Windows has neither flag, and needs neither: it has no pipes in folders, and `isWhereItWas` sees links.
const readSafely = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a path without links. Between the look at it and the opening, another program could put something else in
 * its place: what was opened must be what was looked at, and still lie at that path.
 * @throws ArtworkError `upload_refused`
 */
export async function openRegular(real: string): Promise<OpenFile> {
  const seen = await lookAt(real);
  // Opening a device can already do something, so it is looked at before.
  if (!seen.isFile()) throw notRegular(seen);
  const handle = await open(real, readSafely).catch((error: unknown) => {
    throw unopened(error);
  });
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile() || !isSame(seen, opened) || !(await isWhereItWas(handle, real, opened))) {
      throw sourceChanged('another took its place while it was opened');
    }
    if (opened.size === 0n) throw refuse('empty', 'The file is empty: export it again.');
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
export function isSame(one: BigIntStats, other: BigIntStats): boolean {
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
    if (!isSame(await lookAt(real), opened)) return false;
  }
  return true;
}

const looks = 5;

/** A container without /proc. */
function withoutProc(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw unreadable(error);
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
      return sourceChanged('it was there, and then it was not');
    case 'EACCES':
    case 'EPERM':
      return refuse('unreadable', 'The file may not be read: check its permissions.', { cause: error });
    case 'EMFILE':
    case 'ENFILE':
      return refuse('unreadable', 'Too many files are open: try again when other work has ended.', {
        cause: error,
      });
    default:
      return unreadable(error);
  }
}

function notRegular(status: BigIntStats): Error {
  const what = status.isDirectory()
    ? 'a folder: name one file in it'
    : 'a pipe, a socket or a device: name a regular file';
  return refuse('not_regular', `This is ${what}.`);
}
