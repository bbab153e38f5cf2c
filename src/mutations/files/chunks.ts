import type { FileHandle } from 'node:fs/promises';
import { ArtworkError } from '../../errors.ts';
import { sourceChanged, unreadable } from './refusal.ts';

/** Bytes read at a time: measured, larger ones send no faster. */
export const chunkBytes = 256 * 1024;

type Read = { readonly chunk: Buffer } | { readonly failure: unknown };

/**
 * The first `length` bytes of a file, from its descriptor and by position, so that nothing depends on where
 * somebody else left off. The next chunk is read while the last one is used; memory stays at a few of them.
 * @throws ArtworkError `upload_refused` (`source_changed` where it is shorter, `unreadable`), `cancelled`
 */
export async function* chunksOf(
  handle: FileHandle,
  length: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const readAt = (position: number): Promise<Read> | null =>
    position < length ? settle(readFully(handle, position, Math.min(chunkBytes, length - position))) : null;
  let position = 0;
  let next = readAt(position);
  try {
    while (next !== null) {
      if (signal?.aborted) throw new ArtworkError('cancelled', 'Reading the file was cancelled.');
      const read: Read = await next;
      if ('failure' in read) throw read.failure;
      position += read.chunk.length;
      next = readAt(position);
      yield read.chunk;
    }
  } finally {
    // Whoever closes the descriptor afterwards must not do so under a read.
    await next;
  }
}

/** A failure is kept until it is asked for: nobody waits for a chunk while the one before it is sent. */
function settle(reading: Promise<Buffer>): Promise<Read> {
  return reading.then(
    (chunk) => ({ chunk }),
    (failure: unknown) => ({ failure }),
  );
}

async function readFully(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  // Not from the shared pool: a chunk that waits in a socket would hold on to its neighbours.
  const chunk = Buffer.allocUnsafeSlow(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await handle
      .read(chunk, filled, length - filled, position + filled)
      .catch((error: unknown) => {
        throw unreadable(error);
      });
    if (bytesRead === 0) throw sourceChanged('it became shorter while it was read');
    filled += bytesRead;
  }
  return chunk;
}
