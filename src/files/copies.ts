import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, lstat, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../errors.ts';
import { modes } from '../machine.ts';
import { fileFailureError } from '../store/errors.ts';
import { makePrivateFolder, prepareHome } from '../store/home.ts';
import { bodyOf, type Content, contentOf, type Reading, type Sendable } from './content.ts';
import { type OpenFile, openPath } from './open-file.ts';
import { refusedFile } from './refusal.ts';

/** Where copies lie in the data directory: a folder for each store, in it one for each keeper, in it files by digest. */
export const copiesFolder = 'kept';

/** Bytes that were declared, under the name that they have there. */
export type DeclaredContent = Content & { readonly filename: string };

/**
 * Private copies of files, so that what was declared to the service can be sent as it was whatever becomes of the
 * originals. A *keeper* is the name under which one call keeps its files: the call that claims a change notes its keeper
 * with it, and another call frees its own, which nothing else needs.
 *
 * Failures of the disk are `internal` (`store_full`, `store_unreadable`, `home_not_private`).
 */
export interface Copies {
  /** A name under which nothing is kept. */
  newKeeper(): string;
  /**
   * Copies a file, and computes its digest meanwhile. The bytes of the copy are whole and on the disk when it resolves;
   * its name is so after `sync`.
   * @throws ArtworkError `upload_refused` (`source_changed`, `unreadable`), `cancelled`
   */
  keep(keeper: string, file: OpenFile, reading?: Reading): Promise<Content>;
  /** All that a keeper has is on the disk, names too, when it resolves; once for many files. */
  sync(keeper: string): Promise<void>;
  /** Those of `files` that are not there, by a look at their names and lengths. */
  missing<File extends Content>(keeper: string, files: readonly File[]): Promise<readonly File[]>;
  /**
   * Opens a copy to send it. Its digest is compared while it is sent: a damaged one never leaves whole.
   * @throws ArtworkError `upload_refused` (`kept_bytes_missing`) where it is gone
   */
  open(keeper: string, file: DeclaredContent): Promise<Sendable>;
  /** Frees what a keeper has; harmless when there is nothing. */
  free(keeper: string): Promise<void>;
  /** Frees, in the folder of this store alone, what no call has touched for a day and what is not needed. */
  sweep(isNeeded: (keeper: string) => Promise<boolean>): Promise<void>;
}

const day = 24 * 60 * 60_000;

/**
 * The private copies of a store's changes. Two stores can take turns in one data directory: neither knows what the other
 * one's copies are needed for.
 * @param storeId names the store for as long as it exists
 */
export function createCopies(home: string, storeId: () => Promise<string>): Copies {
  const root = path.join(home, copiesFolder);
  const ownFolder = async () => path.join(root, asName(await storeId()));
  const folderOf = async (keeper: string) => path.join(await ownFolder(), asName(keeper));
  const prepare = async (): Promise<void> => {
    await prepareHome(home);
    for (const folder of [root, await ownFolder()]) await makePrivateFolder(folder);
  };
  const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // What is wrong with the original is told already.
      throw error instanceof ArtworkError || codeOf(error) === null ? error : fileFailureError(root, error);
    }
  };
  return {
    newKeeper: randomUUID,
    keep: (keeper, file, reading = {}) =>
      onDisk(async () => {
        await prepare();
        const folder = await folderOf(keeper);
        await makePrivateFolder(folder);
        const draft = path.join(folder, `${randomUUID()}.part`);
        try {
          const content = await copyTo(draft, file, reading);
          await rename(draft, path.join(folder, content.sha256));
          return content;
        } finally {
          await rm(draft, { force: true });
        }
      }),
    sync: (keeper) => onDisk(async () => modes.syncFolder(await folderOf(keeper))),
    missing: (keeper, files) =>
      onDisk(async () => {
        const folder = await folderOf(keeper);
        const lengths = await Promise.all(files.map(({ sha256 }) => lengthOf(path.join(folder, sha256))));
        return files.filter(({ contentLength }, at) => lengths[at] !== contentLength);
      }),
    open: (keeper, declared) =>
      onDisk(async () => {
        const copy = path.join(await folderOf(keeper), declared.sha256);
        const missing = () => missingCopies([declared], null);
        if ((await lengthOf(copy)) !== declared.contentLength) throw missing();
        const file = await openPath(await realpath(copy));
        return { body: (signal) => bodyOf(file, declared.sha256, signal, missing), close: file.close };
      }),
    free: (keeper) => onDisk(async () => rm(await folderOf(keeper), { recursive: true, force: true })),
    sweep: (isNeeded) =>
      onDisk(async () => {
        const own = await ownFolder();
        for (const keeper of (await readdir(own).catch(orGone)) ?? []) {
          const folder = path.join(own, keeper);
          const touched = (await stat(folder).catch(orGone))?.mtimeMs ?? Number.POSITIVE_INFINITY;
          // Asked of what is old alone, which is little. A call takes much less from keeping to claiming.
          if (Date.now() - touched < day || (await isNeeded(keeper))) continue;
          await rm(folder, { recursive: true, force: true });
        }
      }),
  };
}

/** What comes from a store names a folder of ours, and leads nowhere else. */
function asName(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new TypeError('This is not the name of a folder of copies.');
  return id;
}

/**
 * Makes `draft` a copy, on the disk when the promise resolves. Where the file system can, it shares the bytes with the
 * original until one of them is written to. The digest is that of the copy.
 */
async function copyTo(draft: string, file: OpenFile, reading: Reading): Promise<Content> {
  if (await shareBytes(file, draft)) {
    const copy = await openPath(await realpath(draft));
    try {
      const content = await contentOf(copy, reading);
      await copy.sync();
      await file.requireUnchanged();
      return content;
    } finally {
      await copy.close();
    }
  }
  const copy = await open(draft, 'wx', 0o600);
  try {
    const content = await contentOf(file, reading, (chunk) => copy.writeFile(chunk));
    await copy.sync();
    return content;
  } finally {
    await copy.close();
  }
}

async function shareBytes(file: OpenFile, draft: string): Promise<boolean> {
  try {
    await copyFile(file.direct, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    await chmod(draft, 0o600);
    return true;
  } catch (error) {
    // Whatever hinders it, writing a copy either works or says why.
    if (codeOf(error) === null) throw error;
    await rm(draft, { force: true });
    return false;
  }
}

/** Null for what is not there, or not any more. */
async function lengthOf(file: string): Promise<number | null> {
  return (await lstat(file).catch(orGone))?.size ?? null;
}

function orGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}

const mostNamed = 20;

/**
 * The error of declared bytes that are not kept here, so that nothing can be sent in their place.
 * @param machine that has them, as its ledger names it; null where it is this one
 */
export function missingCopies(missing: readonly DeclaredContent[], machine: string | null): ArtworkError {
  const named = missing.slice(0, mostNamed);
  const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : '';
  const names = named.map(({ filename }) => filename).join(', ');
  const why =
    machine === null
      ? 'The copies on this machine are gone. Only a person can restore them into the data directory, or abandon the change.'
      : `The copies are on the machine ${machine}. Resume there, with its data directory.`;
  const message = `Copies of these files are missing or damaged: ${names}${more}. ${why}`;
  const details = { missing: named, missingCount: missing.length, machine };
  const doNot = 'upload other files under this id, or the same ones under a new id';
  return refusedFile('kept_bytes_missing', message, { details, next: { why, doNot } });
}
