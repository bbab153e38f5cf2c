import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { prepareHome } from '../../../storage/home.ts';
import type { ReadOptions, UploadBytes } from '../upload-bytes.ts';
import { keepingFailed, requireRoom } from './disk-full.ts';
import { keepCopy } from './keep.ts';
import { listCopies, namesIn } from './list.ts';
import type { KeptFile } from './missing.ts';
import { openKept } from './open.ts';
import { makePrivateFolder } from './private-folder.ts';
import { sweepKept } from './sweep.ts';

export { keptBytesMissing, type KeptFile } from './missing.ts';

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

  return {
    requireRoom: (bytes) => named(whenReady().then(() => requireRoom(root, bytes))),
    keep: (owner, bytes, options = {}) =>
      named(whenReady().then(() => keepCopy(folderOf(owner), bytes, options))),
    open: (owner, file, options = {}) =>
      named(openKept(path.join(folderOf(owner), file.sha256), file, options)),
    async missing(owner, files) {
      const kept = new Map(
        (await named(listCopies(folderOf(owner)))).map((file) => [file.sha256, file.length]),
      );
      return files.filter((file) => kept.get(file.sha256) !== file.length);
    },
    list: (owner) => named(listCopies(folderOf(owner))),
    async listOwners() {
      const owners = await named(namesIn(root));
      return Promise.all(
        owners.map(async (ownerKey) => {
          const files = await named(listCopies(path.join(root, ownerKey)));
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
