import type { FileHandle } from 'node:fs/promises';
import { fileChangedError, requireNotAborted, unreadableFileError } from './refusal.ts';

/** Bytes read and handed over at a time: measured, a quarter of it sends at half the speed, and more no faster. */
export const chunkBytes = 1024 * 1024;

/** Gives the memory that a chunk is read into. */
export type ChunkMemory = (position: number, length: number) => Buffer;

/** Memory of its own for each chunk, for a reader that passes them on. Not from the pool, which others share. */
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
