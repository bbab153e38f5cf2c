import type { FileHandle } from 'node:fs/promises';
import { ArtworkError } from '../errors.ts';
import { sourceChanged, unreadable } from './refusal.ts';

/** Bytes read and handed over at a time: measured, a quarter of it sends at half the speed, and more no faster. */
export const chunkBytes = 1024 * 1024;

/** Gives the memory that a chunk is read into. */
export type ChunkMemory = (position: number, length: number) => Buffer;

/** Memory of its own for each chunk, for who passes them on. Not from the pool, which others share. */
export const separateMemory: ChunkMemory = (_position, length) => Buffer.allocUnsafeSlow(length);

/** The same memory again and again, for who is done with a chunk before asking for the next. */
export function alternatingMemory(): ChunkMemory {
  const [one, other] = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)];
  return (position, length) => ((position / chunkBytes) % 2 === 0 ? one : other).subarray(0, length);
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

/** @throws ArtworkError `cancelled` */
export function requireNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ArtworkError('cancelled', 'Reading the file was cancelled.');
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
        throw unreadable(error);
      });
    if (bytesRead === 0) throw sourceChanged('it became shorter while it was read');
    filled += bytesRead;
  }
  return chunk;
}
