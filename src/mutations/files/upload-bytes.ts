import { createHash } from 'node:crypto';
import type { StreamBody } from '../../catalogue/stream-body.ts';
import { chunksOf } from './chunks.ts';
import { type Sha256, sha256Of } from './digest.ts';
import { takeRoom } from './held-bytes.ts';
import type { OpenFile } from './open-file.ts';
import { sourceChanged } from './refusal.ts';
import { requireUnchanged } from './unchanged.ts';

export interface ReadOptions {
  /** Aborting it rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many of the file's bytes are done, after each chunk. */
  readonly onProgress?: ((bytes: number, length: number) => void) | undefined;
}

/** The bytes of one file, hashed and ready to be sent from the descriptor that they were hashed from. */
export interface UploadBytes {
  readonly file: OpenFile;
  readonly length: number;
  readonly sha256: Sha256;
  /**
   * A body for one request (interface document, Single-Asset upload). What it hands over are the bytes that
   * have the digest, and its last chunk is withheld until the file is seen to be untouched: what changed
   * underneath never arrives whole. It fails with `upload_refused` (`source_changed`, `unreadable`) or
   * `cancelled`.
   */
  body(options?: ReadOptions): StreamBody;
  /** Closes the file too. Harmless when repeated. */
  close(): Promise<void>;
}

/**
 * Reads and hashes a file. Closing the result closes the file; so does a failure.
 * @throws ArtworkError `upload_refused` (`source_changed`, `unreadable`), `cancelled`
 */
export async function hashFile(file: OpenFile, options: ReadOptions = {}): Promise<UploadBytes> {
  const giveBack = takeRoom(file.length);
  const close = async () => {
    giveBack?.();
    await file.close();
  };
  try {
    const held: Buffer[] = [];
    const sha256 = await digestOf(file, options, (chunk) => {
      if (giveBack !== null) held.push(chunk);
    });
    const body = (each: ReadOptions = {}): StreamBody => ({
      length: file.length,
      open: () => untouched(file, giveBack === null ? rehashed(file, sha256, each) : held, each),
    });
    return { file, length: file.length, sha256, body, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The digest of a file, which stays open.
 * @throws ArtworkError `upload_refused` (`source_changed`, `unreadable`), `cancelled`
 */
export async function digestOf(
  file: OpenFile,
  { signal, onProgress }: ReadOptions = {},
  take: (chunk: Buffer) => void = () => {},
): Promise<Sha256> {
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of chunksOf(file.handle, file.length, signal)) {
    hash.update(chunk);
    take(chunk);
    done += chunk.length;
    onProgress?.(done, file.length);
  }
  await requireUnchanged(file);
  return sha256Of(hash.digest('hex'));
}

/** Yields the last chunk only once the file is seen to be what it was. */
async function* untouched(
  file: OpenFile,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  { onProgress }: ReadOptions,
): AsyncGenerator<Buffer, void, void> {
  let done = 0;
  for await (const chunk of chunks) {
    done += chunk.length;
    if (done === file.length) await requireUnchanged(file);
    yield chunk;
    onProgress?.(done, file.length);
  }
}

/** Reads a file again; its last chunk comes only where all of it still has the digest. */
async function* rehashed(
  file: OpenFile,
  declared: Sha256,
  { signal }: ReadOptions,
): AsyncGenerator<Buffer, void, void> {
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of chunksOf(file.handle, file.length, signal)) {
    hash.update(chunk);
    read += chunk.length;
    if (read === file.length && hash.digest('hex') !== declared) {
      throw sourceChanged('its bytes are others than those that were hashed');
    }
    yield chunk;
  }
}
