import { createHash } from 'node:crypto';
import type { StreamBody } from '../wire/exchange.ts';
import {
  alternatingMemory,
  type ChunkMemory,
  chunkBytes,
  chunksOf,
  memoryWithin,
  reserveBuffer,
  separateMemory,
} from './chunks.ts';
import type { OpenFile } from './open-file.ts';
import { fileChangedError, requireNotAborted } from './refusal.ts';

export interface ReadOptions {
  /** Aborting it rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many of the file's bytes are done, after each chunk. */
  readonly onProgress?: ((bytes: number, length: number) => void) | undefined;
}

interface DigestOptions extends ReadOptions {
  /** Given each chunk, whose memory is used again once it resolves. */
  readonly onChunk?: (chunk: Buffer) => Promise<void>;
}

/** The bytes of one file, hashed and ready to be sent from the descriptor that they were hashed from. */
export interface UploadBytes {
  readonly file: OpenFile;
  readonly length: number;
  readonly sha256: Sha256;
  /** All of them, where there was room in memory. */
  readonly held: Buffer | null;
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
  const lease = reserveBuffer(file.length);
  // A request that was given up may still read what it was given.
  let handedOver = false;
  const close = async () => {
    lease?.giveBack(!handedOver);
    await file.close();
  };
  try {
    const sha256 = await digestInto(
      lease === null ? alternatingMemory() : memoryWithin(lease.buffer),
      file,
      options,
    );
    await file.requireUnchanged();
    const body = (each: ReadOptions = {}): StreamBody => {
      const open = () => {
        handedOver = true;
        return untouched(file, lease === null ? rehashed(file, sha256, each) : slicesOf(lease.buffer, each));
      };
      const arrived = () => {
        handedOver = false;
      };
      return { length: file.length, open, arrived };
    };
    return { file, length: file.length, sha256, held: lease?.buffer ?? null, body, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The digest of a file's first bytes, as many as it had when it was opened. It stays open.
 * @throws ArtworkError `upload_refused` (`source_changed`, `unreadable`), `cancelled`
 */
export async function digestOfFile(file: OpenFile, options: DigestOptions = {}): Promise<Sha256> {
  const memory = reserveBuffer(2 * chunkBytes);
  try {
    return await digestInto(alternatingMemory(memory?.buffer), file, options);
  } finally {
    memory?.giveBack(true);
  }
}

async function digestInto(
  place: ChunkMemory,
  file: OpenFile,
  { signal, onProgress, onChunk }: DigestOptions,
): Promise<Sha256> {
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of chunksOf(file.handle, file.length, place, signal)) {
    const given = onChunk?.(chunk);
    hash.update(chunk);
    await given;
    done += chunk.length;
    onProgress?.(done, file.length);
  }
  return sha256Of(hash.digest('hex'));
}

/** Yields the last chunk only once the file is seen to be what it was. */
async function* untouched(
  file: OpenFile,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, void> {
  let done = 0;
  for await (const chunk of chunks) {
    done += chunk.length;
    if (done === file.length) await file.requireUnchanged();
    yield chunk;
  }
}

function* slicesOf(whole: Buffer, { signal, onProgress }: ReadOptions): Generator<Buffer, void, void> {
  for (let position = 0; position < whole.length; position += chunkBytes) {
    requireNotAborted(signal);
    const chunk = whole.subarray(position, position + chunkBytes);
    yield chunk;
    onProgress?.(position + chunk.length, whole.length);
  }
}

/** Reads a file again; its last chunk comes only where all of it still has the digest. */
async function* rehashed(
  file: OpenFile,
  declared: Sha256,
  { signal, onProgress }: ReadOptions,
): AsyncGenerator<Buffer, void, void> {
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of chunksOf(file.handle, file.length, separateMemory, signal)) {
    hash.update(chunk);
    read += chunk.length;
    if (read === file.length && hash.digest('hex') !== declared) {
      throw fileChangedError('its bytes are others than those that were hashed');
    }
    yield chunk;
    onProgress?.(read, file.length);
  }
}

/** A SHA-256 digest as X-Upload-SHA256 has it: 64 lowercase hexadecimal digits. */
export type Sha256 = string & { readonly __brand: 'Sha256' };

/** Whether a text is a SHA-256 digest, 64 lowercase hex digits. */
export function isSha256(text: string): text is Sha256 {
  return /^[0-9a-f]{64}$/.test(text);
}

/** A digest that was just computed. @throws TypeError */
export function sha256Of(hex: string): Sha256 {
  if (!isSha256(hex)) throw new TypeError('This is not a SHA-256 digest.');
  return hex;
}
