import { ArtworkError } from '../errors.ts';

/** What can go wrong with the data directory. Each is `internal` to a caller, who tells them apart by code. */
export type StoreErrorCode =
  | 'home_not_private'
  | 'store_unsupported'
  | 'store_unreadable'
  | 'store_newer'
  | 'store_full'
  | 'store_busy'
  | 'store_closed'
  | 'store_refused'
  | 'key_missing'
  | 'key_unreachable'
  | 'key_wrong'
  | 'record_tampered';

/** No call of ours frees a disk or mends a folder. */
const forPerson = {
  why: 'Only a person can see to the data folder on the machine that runs this server, as the message says; then the same call can be made again.',
};

/**
 * An error of the store. The message says what to do; it may name a file, never a value that was stored.
 * `cause` is only ever an error of SQLite, of the file system or of Node's crypto, which carry no values.
 */
export function storeError(code: StoreErrorCode, message: string, cause?: unknown): ArtworkError {
  return new ArtworkError('internal', message, { code, cause, next: forPerson });
}

/** Whether `error` is the store's error with this code. */
export function isStoreError(error: unknown, code: StoreErrorCode): error is ArtworkError {
  return error instanceof ArtworkError && error.category === 'internal' && error.code === code;
}

const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The code of an error of Node or of SQLite (`ENOENT`, `SQLITE_BUSY`), or null where it has none. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code !== '' ? error.code : null;
}

/** What a failed file operation on `file` means to a person. */
export function fileFailure(file: string, error: unknown): ArtworkError {
  const code = codeOf(error);
  if (code !== null && noSpace.has(code)) {
    return storeError(
      'store_full',
      `The disk that holds ${file} is full: free some space, then try again.`,
      error,
    );
  }
  return storeError(
    'store_unreadable',
    `${file} can't be read or written${code === null ? '' : ` (${code})`}: check that the file and its folder belong to you, then try again.`,
    error,
  );
}
