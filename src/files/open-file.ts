import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { modes } from '../machine.ts';
import { codeOf } from '../storage/store-error.ts';
import { fileChangedError, refusedFileError, requireNotAborted, unreadableFileError } from './refusal.ts';
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
 * Opens a file of this program's own, which is known by its digest: nobody else writes there, and wherever a link on
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
  const what = status.isDirectory()
    ? 'a folder: name one file in it'
    : 'a pipe, a socket or a device: name a regular file';
  return refusedFileError('not_regular', `This is ${what}.`);
}

/** Bytes read and handed over at a time: measured, a quarter of it sends at half the speed, and more no faster. */
export const chunkBytes = 1024 * 1024;

/** Gives the memory that a chunk is read into. */
export type ChunkMemory = (position: number, length: number) => Buffer;

/** Memory of its own for each chunk, for who passes them on. Not from the pool, which others share. */
export const separateMemory: ChunkMemory = (_position, length) => Buffer.allocUnsafeSlow(length);

/** Two chunks of memory, taken in turn, for a reader that is done with a chunk before it asks for the next. */
export function alternatingMemory(memory: Buffer = Buffer.allocUnsafeSlow(2 * chunkBytes)): ChunkMemory {
  return (position, length) => {
    const from = (position / chunkBytes) % 2 === 0 ? 0 : chunkBytes;
    return memory.subarray(from, from + length);
  };
}

/** Each chunk where it belongs in a buffer for all of them. */
export function memoryWithin(whole: Buffer): ChunkMemory {
  return (position, length) => whole.subarray(position, position + length);
}

type Read = { readonly chunk: Buffer } | { readonly failure: unknown };

/**
 * The first `length` bytes of a file, from its descriptor and by position, so that nothing depends on where
 * another reader stopped. The next chunk is read while the last one is used.
 * @throws ArtworkError `upload_refused` (`source_changed` where it is shorter, `unreadable`), `cancelled`
 */
export async function* chunksOf(
  handle: FileHandle,
  length: number,
  place: ChunkMemory,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const readAt = (position: number): Promise<Read> | null => {
    const left = length - position;
    return left > 0 ? settle(readFully(handle, position, place(position, Math.min(chunkBytes, left)))) : null;
  };
  let position = 0;
  let next = readAt(position);
  try {
    while (next !== null) {
      requireNotAborted(signal);
      const read: Read = await next;
      if ('failure' in read) throw read.failure;
      position += read.chunk.length;
      next = readAt(position);
      yield read.chunk;
    }
  } finally {
    // The caller closes the descriptor afterwards, and must not do so under a read.
    await next;
  }
}

/** A failure is kept until it is asked for: no code waits for a chunk while the one before it is sent. */
function settle(reading: Promise<Buffer>): Promise<Read> {
  return reading.then(
    (chunk) => ({ chunk }),
    (failure: unknown) => ({ failure }),
  );
}

async function readFully(handle: FileHandle, position: number, chunk: Buffer): Promise<Buffer> {
  for (let filled = 0; filled < chunk.length; ) {
    const { bytesRead } = await handle
      .read(chunk, filled, chunk.length - filled, position + filled)
      .catch((error: unknown) => {
        throw unreadableFileError(error);
      });
    if (bytesRead === 0) throw fileChangedError('it became shorter while it was read');
    filled += bytesRead;
  }
  return chunk;
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

/** All files together, in bytes, however many are sent at once: three of the largest that the document tells of. */
const room = 64 * 1024 * 1024;
/** How long memory is kept for the next file, ms. */
const restMs = 1_000;

let taken = 0;
/** Memory that was given back. Making it anew for each of many files costs more than reading them. */
let spare: Buffer[] = [];
let rest: NodeJS.Timeout | undefined;

/** Memory for a whole file. */
export interface BufferedFile {
  readonly buffer: Buffer;
  /**
   * Gives the room back. Harmless when repeated. `again`: the memory is not read any more, so that another file
   * may have it.
   */
  giveBack(again: boolean): void;
}

/**
 * Memory for a file that is read once, hashed, and sent from there: half the work of reading and hashing it
 * twice, and no other program can change it meanwhile.
 * @returns null where there is no room for it: then the file is read again
 */
export function reserveBuffer(length: number): BufferedFile | null {
  const size = Math.ceil(length / chunkBytes) * chunkBytes;
  if (taken + size > room) return null;
  taken += size;
  const whole = takeSpare(size) ?? Buffer.allocUnsafeSlow(size);
  let given = false;
  return {
    buffer: whole.subarray(0, length),
    giveBack(again) {
      if (given) return;
      given = true;
      taken -= size;
      if (again) putSpare(whole);
    },
  };
}

function takeSpare(size: number): Buffer | undefined {
  const found = spare.find((one) => one.length === size);
  if (found !== undefined) spare = spare.filter((one) => one !== found);
  // What is held and what is spare together stay within the room.
  let left = room - taken;
  spare = spare.filter((one) => {
    left -= one.length;
    return left >= 0;
  });
  return found;
}

function putSpare(whole: Buffer): void {
  spare.push(whole);
  clearTimeout(rest);
  rest = setTimeout(() => {
    spare = [];
  }, restMs).unref();
}
