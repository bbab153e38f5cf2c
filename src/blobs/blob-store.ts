import { createHash } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../errors.ts';
import type { OpenFile } from '../files/open-file.ts';
import { isSha256, type ReadOptions, type Sha256, type UploadBytes } from '../files/upload-bytes.ts';
import { modes } from '../machine.ts';
import { makePrivateFolder, prepareHome } from '../store/home.ts';
import { namesIn } from '../store/sweep.ts';
import {
  type DeclaredCopy,
  type ExpectedCopy,
  keepBlob,
  keepingFailedError,
  openBlob,
  requireRoom,
} from './blob.ts';
import { type IsNeeded, sweepBlobs } from './sweep.ts';

export type { ExpectedCopy } from './blob.ts';

/** Where bytes are kept, in the data directory. */
export const blobFolder = 'kept';

/** The name of what an owner keeps, on the disk and in the ledger's index. */
export function blobKeyOf(owner: string): string {
  return createHash('sha256').update(owner).digest('hex');
}

/** What one owner keeps. */
interface BlobOwner {
  /** What `keptKeyOf` gives for the owner. */
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
export interface BlobStore {
  /**
   * Sees that there is room for as many bytes, before the first of several files is kept. Where the file
   * system shares bytes between copies less would do.
   */
  requireRoom(bytes: number): Promise<void>;
  /**
   * Keeps a file, if its bytes have this digest: the copy is whole, and its bytes are on the disk. Harmless when
   * repeated.
   * @throws ArtworkError `upload_refused` (`source_changed`, `unreadable`), `cancelled`
   */
  keep(owner: string, file: OpenFile, sha256: Sha256, options?: ReadOptions): Promise<void>;
  /** All that was kept for an owner is on the disk, names too, when it resolves; once for many files. */
  sync(owner: string): Promise<void>;
  /**
   * Opens a copy and reads it once: its bytes are those that were kept.
   * @throws `upload_refused` (`kept_bytes_missing`) where it is gone or damaged
   */
  open(owner: string, file: DeclaredCopy, options?: ReadOptions): Promise<UploadBytes>;
  /** Those of `files` that are not there, by a look at their names and lengths. */
  missing<File extends ExpectedCopy>(owner: string, files: readonly File[]): Promise<File[]>;
  list(owner: string): Promise<ExpectedCopy[]>;
  listOwners(): Promise<BlobOwner[]>;
  /** Frees what an owner keeps; harmless when there is nothing. */
  release(owner: string): Promise<void>;
  /**
   * Takes away what killed processes left half-written, and, where `isNeeded` is given, what owners keep that
   * no entry needs and no process has touched for a day.
   */
  sweep(isNeeded?: IsNeeded): Promise<void>;
}

/** The store of the private copies (blobs) of files that are to be sent, below the data directory. */
export function createBlobStore(home: string): BlobStore {
  const root = path.join(home, blobFolder);
  const folderOf = (owner: string) => path.join(root, blobKeyOf(owner));
  const named = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw keepingFailedError(root, error);
    });
  const sweep = (isNeeded?: IsNeeded) => sweepBlobs(root, isNeeded ?? null, Date.now());
  const unshared = new Set<bigint>();
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

  return {
    requireRoom: (bytes) => named(whenReady().then(() => requireRoom(root, bytes))),
    keep: (owner, file, sha256, options = {}) =>
      named(whenReady().then(() => keepBlob(folderOf(owner), file, sha256, { ...options, unshared }))),
    sync: (owner) => named(modes.syncFolder(folderOf(owner))),
    open: (owner, file, options = {}) =>
      named(openBlob(path.join(folderOf(owner), file.sha256), file, options)),
    async missing(owner, files) {
      const kept = new Map(
        (await named(listBlobs(folderOf(owner)))).map((file) => [file.sha256, file.length]),
      );
      return files.filter((file) => kept.get(file.sha256) !== file.length);
    },
    list: (owner) => named(listBlobs(folderOf(owner))),
    async listOwners() {
      const owners = await named(namesIn(root));
      return Promise.all(
        owners.map(async (ownerKey) => {
          const files = await named(listBlobs(path.join(root, ownerKey)));
          return { ownerKey, files: files.length, bytes: files.reduce((sum, file) => sum + file.length, 0) };
        }),
      );
    },
    release: (owner) => named(rm(folderOf(owner), { recursive: true, force: true })),
    sweep: (isNeeded) => named(sweep(isNeeded)),
  };
}

/** The copies in an owner's folder, drafts left out; none where there is no such folder. */
async function listBlobs(folder: string): Promise<ExpectedCopy[]> {
  const files = await Promise.all(
    (await namesIn(folder)).filter(isSha256).map(async (sha256) => {
      const length = await lengthOf(path.join(folder, sha256));
      return length === null ? [] : [{ sha256, length }];
    }),
  );
  return files.flat();
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
