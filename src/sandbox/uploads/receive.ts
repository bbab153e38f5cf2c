import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { refused } from '../me/protected-error.ts';
import type { WrittenFile } from './declared-file.ts';

/** A file that has arrived whole, and that nothing refers to yet. */
export interface StagedFile {
  readonly path: string;
  /** Lowercase hex. */
  readonly sha256: string;
  /** Its first bytes. */
  readonly head: Buffer;
  /** Takes it away, unless it has been moved. */
  discard(): Promise<void>;
}

const headLength = 16;

/** Where files lie between their arrival and their end. */
export function stagingFolder(dataDir: string): string {
  return path.join(dataDir, 'uploads');
}

/**
 * Streams the body into a file of its own (mode 0600), hashing it on the way, in constant memory.
 * @throws ProtectedError when it isn't what was declared; the request's own error when it breaks off. No file
 *   is left then.
 */
export async function receive(
  request: IncomingMessage,
  folder: string,
  declared: Pick<WrittenFile, 'contentLength' | 'sha256'>,
): Promise<StagedFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${randomUUID()}.part`);
  const discard = () => rm(file, { force: true });
  try {
    const { head, sha256, length } = await writeBody(request, file);
    if (length !== declared.contentLength) {
      const message = 'The body is not as long as declared.';
      throw refused(422, 'asset.file.length_mismatch', message, ['Content-Length']);
    }
    if (declared.sha256 !== null && declared.sha256 !== sha256) {
      const message = 'The body does not have the declared SHA-256.';
      throw refused(422, 'asset.file.digest_mismatch', message, ['X-Upload-SHA256'], { sha256 });
    }
    return { path: file, sha256, head, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function writeBody(request: IncomingMessage, file: string) {
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let length = 0;
  const handle = await open(file, 'wx', 0o600);
  try {
    // Left undestroyed on a failure, so that it can still be answered.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Buffer)) throw new TypeError('A request without an encoding gives bytes.');
      if (head.length < headLength) head = Buffer.concat([head, chunk.subarray(0, headLength)]);
      length += chunk.byteLength;
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { head: head.subarray(0, headLength), sha256: hash.digest('hex'), length };
}
