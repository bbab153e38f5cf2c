import { createHash, randomUUID } from 'node:crypto';
import { link, lstat, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError } from '../../../errors.ts';
import { prepareHome } from '../../../storage/home.ts';
import { codeOf } from '../../../storage/store-error.ts';
import { isSha256, type Sha256 } from '../digest.ts';
import { openRegular } from '../open-file.ts';
import { isRefused } from '../refusal.ts';
import { hashFile, type ReadOptions, type UploadBytes } from '../upload-bytes.ts';
import { copyBytes } from './copy.ts';
import { keepingFailed, requireRoom } from './disk-full.ts';
import { keptBytesMissing } from './missing.ts';
import { makePrivateFolder, syncFolder } from './private-folder.ts';
import { draftName, removeIfEmpty, sweepKept } from './sweep.ts';

/** One file that is, or should be, kept. */
export interface KeptFile {
  readonly sha256: Sha256;
  /** Bytes. */
  readonly length: number;
}

/** What one owner keeps. */
export interface KeptOwner {
  /** What `keyOf` gives for the owner. */
  readonly ownerKey: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Private copies of files, so that what was declared to the service can be sent as it was whatever becomes
 * of the originals. An owner is whatever they are kept for, as a text: a clientMutationId with its connection,
 * say. On the disk there are only digests: of owners as folders, of bytes as files.
 *
 * Failures of the disk are `internal` (`store_full`, `store_unreadable`, `home_not_private`).
 */
export interface KeptBytes {
  /**
   * Sees that there is room for as many bytes, before the first of several files is kept. Where the file
   * system shares bytes between copies less would do.
   */
  requireRoom(bytes: number): Promise<void>;
  /** Keeps a file that was hashed. When it resolves the copy is whole and on the disk; harmless when repeated. */
  keep(owner: string, bytes: UploadBytes, options?: ReadOptions): Promise<void>;
  /**
   * Opens a copy and reads it once: its bytes are those that were kept.
   * @throws `upload_refused` (`kept_bytes_missing`) where it is gone or damaged
   */
  open(owner: string, file: KeptFile, options?: ReadOptions): Promise<UploadBytes>;
  /** Those of `files` that are not there, by a look at their names and lengths. */
  missing<File extends KeptFile>(owner: string, files: readonly File[]): Promise<File[]>;
  list(owner: string): Promise<KeptFile[]>;
  listOwners(): Promise<KeptOwner[]>;
  /** Frees what an owner keeps; harmless when there is nothing. */
  release(owner: string): Promise<void>;
  /**
   * Takes away what killed processes left half-written, and, where `isNeeded` is given, what owners keep that
   * nobody needs and nobody has touched for a day.
   */
  sweep(isNeeded?: (ownerKey: string) => boolean): Promise<void>;
  keyOf(owner: string): string;
}

export function createKeptBytes(home: string): KeptBytes {
  const root = path.join(home, 'kept');
  const folderOf = (owner: string) => path.join(root, keyOf(owner));
  const named = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw keepingFailed(root, error);
    });
  const sweep = (isNeeded?: (ownerKey: string) => boolean) => sweepKept(root, isNeeded ?? null, Date.now());
  let ready: Promise<void> | undefined;
  const prepare = async () => {
    await prepareHome(home);
    await makePrivateFolder(root);
    await sweep();
  };
  /** Once; a failure is not remembered, since a person may mend it. */
  const whenReady = async () => {
    ready ??= prepare();
    try {
      await ready;
    } catch (error) {
      ready = undefined;
      throw error;
    }
  };

  const keep = async (owner: string, bytes: UploadBytes, options: ReadOptions): Promise<void> => {
    await whenReady();
    const folder = folderOf(owner);
    const name = path.join(folder, bytes.sha256);
    await makePrivateFolder(folder);
    if (await isKept(name, bytes, options)) return;
    const draft = path.join(folder, draftName(randomUUID()));
    try {
      await copyBytes(bytes, draft, options);
      await giveName(draft, name);
      await syncFolder(folder);
    } catch (error) {
      await rm(draft, { force: true });
      await removeIfEmpty(folder);
      throw error;
    }
  };

  return {
    requireRoom: (bytes) => named(whenReady().then(() => requireRoom(root, bytes))),
    keep: (owner, bytes, options = {}) => named(keep(owner, bytes, options)),
    open: (owner, file, options = {}) =>
      named(openKept(path.join(folderOf(owner), file.sha256), file, options)),
    async missing(owner, files) {
      const kept = new Map(
        (await named(listFolder(folderOf(owner)))).map((file) => [file.sha256, file.length]),
      );
      return files.filter((file) => kept.get(file.sha256) !== file.length);
    },
    list: (owner) => named(listFolder(folderOf(owner))),
    async listOwners() {
      const owners = await named(namesIn(root));
      return Promise.all(
        owners.map(async (ownerKey) => {
          const files = await named(listFolder(path.join(root, ownerKey)));
          return { ownerKey, files: files.length, bytes: files.reduce((sum, file) => sum + file.length, 0) };
        }),
      );
    },
    async release(owner) {
      await named(rm(folderOf(owner), { recursive: true, force: true }));
    },
    sweep: (isNeeded) => named(sweep(isNeeded)),
    keyOf,
  };
}

function keyOf(owner: string): string {
  return createHash('sha256').update(owner).digest('hex');
}

/** Another process may have kept the same bytes meanwhile: its copy, which may be in use, stays. */
async function giveName(draft: string, name: string): Promise<void> {
  try {
    await link(draft, name);
  } catch (error) {
    const code = codeOf(error);
    if (code !== null && withoutLinks.has(code)) return rename(draft, name);
    if (code !== 'EEXIST') throw error;
  }
  await rm(draft, { force: true });
}

/** What file systems without hard links answer (FAT, some network shares). */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);

/** A copy that is no longer what was kept is taken away, so that a good one can take its place. */
async function isKept(name: string, kept: KeptFile, options: ReadOptions): Promise<boolean> {
  try {
    await (await openKept(name, kept, options)).close();
    return true;
  } catch (error) {
    if (!isRefused(error, 'kept_bytes_missing')) throw error;
    await rm(name, { force: true });
    return false;
  }
}

async function openKept(name: string, kept: KeptFile, options: ReadOptions): Promise<UploadBytes> {
  let bytes: UploadBytes;
  try {
    bytes = await hashFile(await openRegular(name), options);
  } catch (error) {
    // Any other refusal: it is not there, or not a file, or empty.
    const refused = error instanceof ArtworkError && error.category === 'upload_refused';
    throw refused && !isRefused(error, 'unreadable') ? keptBytesMissing([kept], null) : error;
  }
  if (bytes.length === kept.length && bytes.sha256 === kept.sha256) return bytes;
  await bytes.close();
  throw keptBytesMissing([kept], null);
}

async function listFolder(folder: string): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for (const sha256 of (await namesIn(folder)).filter(isSha256)) {
    const length = await lengthOf(path.join(folder, sha256));
    if (length !== null) files.push({ sha256, length });
  }
  return files;
}

/** Null for what another process has just released. */
async function lengthOf(file: string): Promise<number | null> {
  try {
    return (await lstat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
