import { statfs } from 'node:fs/promises';
import { ArtworkError } from '../errors.ts';
import { fileFailureError, isStoreError } from '../storage/store-error.ts';

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
