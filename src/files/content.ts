import { createHash } from 'node:crypto';
import { ArtworkError } from '../errors.ts';
import type { StreamBody } from '../http/exchange.ts';
import type { OpenFile } from './open-file.ts';
import { changedFile } from './refusal.ts';

/** A SHA-256 digest as X-Upload-SHA256 has it: 64 lowercase hexadecimal digits. */
export type Sha256 = string & { readonly __brand: 'Sha256' };

/** A digest that was computed here, or kept by the ledger. @throws TypeError for what is none */
export function asSha256(text: string): Sha256 {
  const isDigest = (one: string): one is Sha256 => /^[0-9a-f]{64}$/.test(one);
  if (isDigest(text)) return text;
  throw new TypeError('This is not a SHA-256 digest.');
}

/** The bytes of a file, known by their digest wherever they lie. */
export interface Content {
  readonly sha256: Sha256;
  /** Bytes. */
  readonly contentLength: number;
}

export interface Reading {
  /** Aborting it rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many of the file's bytes are done. */
  readonly onProgress?: ((bytes: number, length: number) => void) | undefined;
}

/**
 * Computes the digest of a file.
 * @param take is given each chunk, whose memory is used again once it resolves
 * @throws ArtworkError `upload_refused` (`source_changed`, `unreadable`), `cancelled`
 */
export async function contentOf(
  file: OpenFile,
  reading: Reading = {},
  take: (chunk: Buffer) => Promise<void> = async () => {},
): Promise<Content> {
  return digest(file, reading, async (chunk) => {
    await take(chunk);
    giveBack([chunk]);
  });
}

async function digest(
  file: OpenFile,
  { signal, onProgress }: Reading,
  take: (chunk: Buffer) => Promise<void>,
): Promise<Content> {
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of chunksOf(file, signal)) {
    hash.update(chunk);
    done += chunk.length;
    await take(chunk);
    onProgress?.(done, file.length);
  }
  await file.requireUnchanged();
  return { sha256: asSha256(hash.digest('hex')), contentLength: done };
}

/** The bytes of a file that is open, ready to be sent. */
export interface Sendable {
  /** A new body for one request; its last chunk leaves only if the whole has the digest. */
  body(signal: AbortSignal): StreamBody;
  /** Closes the file too. Harmless when repeated. */
  close(): Promise<void>;
}

/** Bytes of all files together that are held in memory while they wait to be sent, and how many may be. */
let held = 0;
const mostHeld = 64 * 1024 * 1024;

/**
 * Hashes a file that is to be sent at once, and holds it in memory until it is closed, where there is room for it: to
 * read and hash it once more while it is sent costs half as much again.
 * @throws ArtworkError `upload_refused` (`source_changed`, `unreadable`), `cancelled`
 */
export async function holdFile(
  file: OpenFile,
  reading: Reading = {},
): Promise<Sendable & { readonly content: Content }> {
  if (held + file.length > mostHeld) {
    const content = await contentOf(file, reading);
    return { content, body: (signal) => bodyOf(file, content.sha256, signal), close: file.close };
  }
  const chunks: Buffer[] = [];
  let room = file.length;
  let isRead = false;
  held += room;
  const letGo = () => {
    held -= room;
    room = 0;
    // A request that was given up may still read what it was given.
    if (!isRead) giveBack(chunks.splice(0));
  };
  const arrived = () => {
    isRead = false;
  };
  async function* open(): AsyncGenerator<Buffer, void, void> {
    isRead = true;
    yield* chunks;
  }
  try {
    const content = await digest(file, reading, async (chunk) => void chunks.push(chunk));
    const body = () => ({ length: file.length, open, arrived });
    return { content, body, close: () => file.close().finally(letGo) };
  } catch (error) {
    letGo();
    throw error;
  }
}

/**
 * A body for one request (interface document, Single-Asset upload), read while it is sent. It ends with an error unless
 * its bytes have the digest, so that the sender, which keeps the last chunk back until a body has ended, never sends
 * other bytes whole. The error is `upload_refused` (`source_changed`, `unreadable`) or `cancelled`.
 */
export function bodyOf(
  file: OpenFile,
  sha256: Sha256,
  signal: AbortSignal,
  differs = () => changedFile('its bytes are not those that were declared'),
): StreamBody {
  const sent: Buffer[] = [];
  async function* open(): AsyncGenerator<Buffer, void, void> {
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(file, signal)) {
      hash.update(chunk);
      // Of a large file the rest is left to the garbage collector.
      if (sent.length < mostSpare) sent.push(chunk);
      yield chunk;
    }
    if (hash.digest('hex') !== sha256) throw differs();
  }
  return { length: file.length, open, arrived: () => giveBack(sent.splice(0)) };
}

/** Measured: a quarter of it sends at half the speed, and more no faster. Bytes. */
const chunkBytes = 1024 * 1024;

/** The bytes of a file, as many as it had when it was opened; the next chunk is read while the last one is used. */
async function* chunksOf(
  file: OpenFile,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, void> {
  const read = async (position: number): Promise<Buffer> => {
    const size = Math.min(chunkBytes, file.length - position);
    const chunk = (spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)).subarray(0, size);
    if ((await file.readAt(position, chunk)) < size) throw changedFile('it became shorter meanwhile');
    return chunk;
  };
  let next: Promise<Buffer> | null = read(0);
  try {
    for (let position = chunkBytes; next !== null; position += chunkBytes) {
      if (signal?.aborted) throw new ArtworkError('cancelled', 'Reading the file was cancelled.');
      const chunk: Buffer = await next;
      next = position < file.length ? read(position) : null;
      // It is told when the chunk is asked for: nobody waits for it while the one before is sent.
      next?.catch(() => {});
      yield chunk;
    }
  } finally {
    // The caller closes the descriptor afterwards, and must not do so under a read.
    await next?.catch(() => {});
  }
}

/** Memory of chunks that nothing reads any more: to make it anew for each costs more than to read the file. */
let spare: Buffer[] = [];
let resting: NodeJS.Timeout | undefined;
const mostSpare = 32;

function giveBack(chunks: readonly Buffer[]): void {
  for (const { buffer } of chunks) if (spare.length < mostSpare) spare.push(Buffer.from(buffer));
  clearTimeout(resting);
  resting = setTimeout(() => (spare = []), 1_000).unref();
}
