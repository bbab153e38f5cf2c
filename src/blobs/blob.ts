import { constants } from 'node:fs';
import { chmod, copyFile, link, open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../errors.ts';
import { type OpenFile, openPrivateFile } from '../files/open-file.ts';
import { fileChangedError, isFileRefused, refusedFileError } from '../files/refusal.ts';
import {
  digestOfFile,
  hashFile,
  type ReadOptions,
  type Sha256,
  type UploadBytes,
} from '../files/upload-bytes.ts';
import { modes, withoutLinks } from '../machine.ts';
import { writeByDraft } from '../store/draft.ts';
import { makePrivateFolder } from '../store/home.ts';
import { fileFailureError, isStoreError } from '../store/errors.ts';
import { removeIfEmpty } from './sweep.ts';

const mostAttempts = 3;

export interface KeepOptions extends ReadOptions {
  /**
   * The devices of which a file could not share its bytes with a copy in the store: each is asked once, since asking
   * makes a file and removes it.
   */
  readonly unshared: Set<bigint>;
}

/**
 * Puts a copy of a file into an owner's folder, whole and on the disk when it resolves; its name is there for sure once
 * the folder is synced. A failure leaves nothing.
 * @param sha256 of the bytes that are meant: of others no copy is made
 */
export async function keepBlob(
  folder: string,
  file: OpenFile,
  sha256: Sha256,
  options: KeepOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptCopy(folder, file, sha256, options);
    } catch (error) {
      // Another process took the folder for empty, or the draft for a dead one's.
      if (codeOf(error) !== 'ENOENT' || attempt === mostAttempts) throw error;
    }
  }
}

async function attemptCopy(
  folder: string,
  file: OpenFile,
  sha256: Sha256,
  options: KeepOptions,
): Promise<void> {
  await makePrivateFolder(folder);
  try {
    await writeByDraft(
      path.join(folder, sha256),
      (draft) => makeCopy(file, sha256, draft, options),
      async (draft, name) => {
        if (!(await isKept(name, { sha256, length: file.length }, options))) await giveName(draft, name);
      },
    );
  } catch (error) {
    await removeIfEmpty(folder);
    throw error;
  }
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
}

/** A copy that is no longer what was kept is taken away, so that a good one can take its place. */
async function isKept(name: string, kept: ExpectedCopy, options: ReadOptions): Promise<boolean> {
  try {
    await (await openBlob(name, kept, options)).close();
    return true;
  } catch (error) {
    if (!isFileRefused(error, 'kept_bytes_missing')) throw error;
    await rm(name, { force: true });
    return false;
  }
}

/**
 * Opens a copy and reads it once.
 * @throws ArtworkError `upload_refused` (`kept_bytes_missing`) where it is gone, or not what was kept
 */
export async function openBlob(name: string, kept: DeclaredCopy, options: ReadOptions): Promise<UploadBytes> {
  let bytes: UploadBytes;
  try {
    bytes = await hashFile(await openPrivateFile(name), options);
  } catch (error) {
    // Any other refusal: it is not there, or not a file, or empty.
    const refused = error instanceof ArtworkError && error.category === 'upload_refused';
    throw refused && !isFileRefused(error, 'unreadable') ? missingBlobsError([kept], null) : error;
  }
  if (bytes.length === kept.length && bytes.sha256 === kept.sha256) return bytes;
  await bytes.close();
  throw missingBlobsError([kept], null);
}

/** One file that is, or should be, kept. */
export interface ExpectedCopy {
  readonly sha256: Sha256;
  /** Bytes. */
  readonly length: number;
}

/** The same, with the name that it was declared under, if that is known. */
export interface DeclaredCopy extends ExpectedCopy {
  readonly filename?: string;
}

const mostNamed = 20;

/**
 * Declared bytes that are not kept here, so that nothing can be sent in their place.
 * @param machine that has them, as its ledger entry names it; null where it is this one
 */
export function missingBlobsError(missing: readonly DeclaredCopy[], machine: string | null): ArtworkError {
  const names = missing.slice(0, mostNamed).map(({ filename, sha256 }) => filename ?? sha256.slice(0, 12));
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  const what = `The bytes that were declared are not kept here, or are damaged: ${names.join(', ')}${more}`;
  const where =
    machine === null
      ? 'The copies of this machine are gone; only a person can bring them back into the data directory, or abandon the mutation.'
      : `They were kept on the machine ${machine}: resume there, with its data directory.`;
  return refusedFileError('kept_bytes_missing', `${what}. ${where}`, {
    details: { missing: missing.slice(0, mostNamed), missingCount: missing.length, machine },
    next: { why: where, doNot: 'upload other files under this id, or the same ones under a new id' },
  });
}

/**
 * Makes `draft` a copy of the bytes that are meant, on the disk when the promise resolves. Where the file system can, it
 * shares the bytes with the original until one of them is written to.
 */
async function makeCopy(file: OpenFile, sha256: Sha256, draft: string, options: KeepOptions): Promise<void> {
  const { dev } = file.opened;
  if (!options.unshared.has(dev)) {
    if (await shareBytes(file, draft)) return requireCopy(draft, sha256, options);
    options.unshared.add(dev);
  }
  await requireRoom(path.dirname(draft), file.length);
  const copy = await open(draft, 'wx', 0o600);
  try {
    const digest = await digestOfFile(file, { ...options, onChunk: (chunk) => copy.writeFile(chunk) });
    if (digest !== sha256) throw otherBytes();
    await copy.sync();
  } finally {
    await copy.close();
  }
}

function otherBytes(): ArtworkError {
  return fileChangedError('its bytes are others than a moment ago');
}

async function shareBytes(file: OpenFile, draft: string): Promise<boolean> {
  try {
    await copyFile(
      modes.pathOfDescriptor(file.handle.fd) ?? file.path,
      draft,
      constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE,
    );
  } catch (error) {
    // Whatever hinders it, writing a copy either works or says why.
    if (codeOf(error) !== null) return false;
    throw error;
  }
  await chmod(draft, 0o600);
  return true;
}

async function requireCopy(draft: string, sha256: Sha256, options: ReadOptions): Promise<void> {
  const copy = await openPrivateFile(draft);
  try {
    if ((await digestOfFile(copy, options)) !== sha256) throw otherBytes();
    await copy.handle.sync();
  } finally {
    await copy.close();
  }
}

/** Bytes left free, so that the ledger beside the kept bytes can go on being written. */
const reserve = 16 * 1024 * 1024;

/**
 * Sees that a disk has room before anything is written to it; others may still take it meanwhile.
 * @throws ArtworkError `internal` (`store_full`); the system's own error for a folder that is not there
 */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(folder, { bigint: true });
  // Some file systems on the network don't tell.
  if (blocks === 0n) return;
  const free = bavail * bsize;
  if (free < BigInt(bytes + reserve)) {
    throw full(
      `Keeping a copy of what is uploaded needs ${inMb(bytes + reserve)} MB, and the disk that holds ${folder} has ${inMb(Number(free))} MB free`,
    );
  }
}

/** What a failed operation on a kept file means to a person. */
export function keepingFailedError(file: string, error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  const failure = fileFailureError(file, error);
  return isStoreError(failure, 'store_full')
    ? full('The disk became full while a copy of what is uploaded was kept', error)
    : failure;
}

function full(what: string, cause?: unknown): ArtworkError {
  return new ArtworkError('internal', `${what}. Nothing was sent. Free some space, then try again.`, {
    code: 'store_full',
    next: { why: 'Only a person can free space on the disk; then the same call can be made again.' },
    cause,
  });
}

function inMb(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
}
