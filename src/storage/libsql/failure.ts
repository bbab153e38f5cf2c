import type { ArtworkError } from '../../errors.ts';
import { codeOf, storeError } from '../store-error.ts';

/** Whether another connection held the lock: nothing was done, and it is worth trying again. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/** The file is ours, but not as it was written. */
export function damagedStore(file: string, cause?: unknown): ArtworkError {
  return storeError(
    'store_unreadable',
    `${file} is damaged: restore the whole folder from a backup; without one, move the folder away to begin anew, which forgets the sign-in and what was sent.`,
    cause,
  );
}

/** What an error of libsql means to a person. SQLite's messages name tables and columns, never values. */
export function libsqlFailure(file: string, error: unknown): ArtworkError {
  const code = codeOf(error);
  const family = /^SQLITE_[A-Z]+/.exec(code ?? '')?.[0];
  switch (family) {
    case 'SQLITE_FULL':
      return storeError(
        'store_full',
        `The disk that holds ${file} is full: free some space, then try again.`,
        error,
      );
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return damagedStore(file, error);
    default:
      return storeError(
        'store_unreadable',
        `${file} can't be read or written${code === null ? '' : ` (${code})`}: check that it is a file of yours, that its folder can be written, and that the disk is well.`,
        error,
      );
  }
}
