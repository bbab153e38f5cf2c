import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { refusal } from '../me/protected-error.ts';
import { systemCode } from '../sandbox-error.ts';
import type { Database } from '../store/database.ts';
import type { FileHeaders } from './file-headers.ts';
import type { Format } from './limits.ts';

/** A file that has arrived whole, and that nothing refers to yet. */
export interface StagedFile {
  readonly path: string;
  /** Lowercase hex. */
  readonly sha256: string;
  /** Its first bytes. */
  readonly head: Buffer;
  /** Removes the file, unless it has been moved. */
  discard(): Promise<void>;
}

const headLength = 16;

/** The folder of files that are being received. */
export function stagingFolder(dataDir: string): string {
  return path.join(dataDir, 'uploads');
}

/**
 * Streams the body into a new file (mode 0600) and hashes it, in constant memory.
 * @throws ProtectedError when the body differs from its declaration; the request's own error when it is cut.
 *   Then no file is left.
 */
export async function receiveFile(
  request: IncomingMessage,
  folder: string,
  declared: Pick<FileHeaders, 'contentLength' | 'sha256'>,
): Promise<StagedFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${randomUUID()}.part`);
  const discard = () => rm(file, { force: true });
  try {
    const { head, sha256, length } = await writeBody(request, file);
    if (length !== declared.contentLength) {
      const message = 'The body is not as long as declared.';
      throw refusal(422, 'asset.file.length_mismatch', message, ['Content-Length']);
    }
    if (declared.sha256 !== null && declared.sha256 !== sha256) {
      const message = 'The body does not have the declared SHA-256.';
      throw refusal(422, 'asset.file.digest_mismatch', message, ['X-Upload-SHA256'], { sha256 });
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
    // Not destroyed on a failure, so that the answer can still be sent.
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

/** A file among the stored pictures. Its creator removes it when the upload is refused. */
interface StoredFile {
  /** Its key among the stored pictures: `uploaded_file` of an Asset. */
  readonly key: string;
  remove(): Promise<void>;
}

const prefix = 'upload-';

/** Moves a received file to where public reads find it, before anything refers to it. */
export async function storeFile(
  staged: Pick<StagedFile, 'path'>,
  dataDir: string,
  assetId: string,
  format: Format,
): Promise<StoredFile> {
  const folder = path.join(dataDir, 'pictures');
  const key = `${prefix}${assetId}.${format}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(staged.path, path.join(folder, key));
  return { key, remove: () => rm(path.join(folder, key), { force: true }) };
}

/** Removes stored files that nothing refers to any more; ignores missing ones. */
export async function removeStoredFiles(dataDir: string, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => rm(path.join(dataDir, 'pictures', key), { force: true })));
}

const ageMs = 60 * 60_000;

/**
 * Removes what a process left that was killed during an upload: files older than an hour that nothing refers
 * to. `referred` tells whether anything besides the Assets refers to a stored file.
 */
export async function sweepUploads(
  database: Database,
  dataDir: string,
  referred: (key: string) => boolean,
): Promise<void> {
  const isAsset = (key: string) =>
    database.first('SELECT 1 FROM assets WHERE uploaded_file = ?', key) !== undefined;
  await sweep(stagingFolder(dataDir), '', () => false);
  await sweep(path.join(dataDir, 'pictures'), prefix, (key) => isAsset(key) || referred(key));
}

async function sweep(folder: string, start: string, wanted: (file: string) => boolean): Promise<void> {
  const oldest = Date.now() - ageMs;
  const files = (await unlessGone(readdir(folder))) ?? [];
  for (const file of files.filter((name) => name.startsWith(start) && !wanted(name))) {
    const found = await unlessGone(stat(path.join(folder, file)));
    if (found !== undefined && found.mtimeMs < oldest) await rm(path.join(folder, file), { force: true });
  }
}

/** Undefined for a missing file: another process may be sweeping too. */
async function unlessGone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
