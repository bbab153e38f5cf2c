import { ArtworkError, type Next } from '../errors.ts';

/** Why a file is not sent, as `details.reason` of an `upload_refused` error. */
export type RefusalReason =
  /** No folder is open for uploads. */
  | 'no_roots'
  /** Not below a folder that is open for uploads; whether it exists is not said. */
  | 'outside_roots'
  | 'missing'
  /** A folder, a device, a pipe or a socket. */
  | 'not_regular'
  /** It may not be read, or the disk fails. */
  | 'unreadable'
  | 'empty'
  /** It has more bytes than any picture. */
  | 'too_large'
  /** Neither PNG, JPEG, WebP nor GIF. */
  | 'unknown_type'
  /** Its first bytes promise a picture that can't be decoded. */
  | 'damaged'
  /** It is not, or no longer, what was looked at before. */
  | 'source_changed'
  /** The private copy that was kept for a resume is gone or not what it was. */
  | 'kept_bytes_missing';

/** A file that is not sent; nothing has reached the service whole. The message says what to do. */
export function refusedFileError(
  reason: RefusalReason,
  message: string,
  facts: { readonly details?: Record<string, unknown>; readonly next?: Next; readonly cause?: unknown } = {},
): ArtworkError {
  return new ArtworkError('upload_refused', message, {
    details: { reason, ...facts.details },
    next: facts.next,
    cause: facts.cause,
  });
}

/** Whether `error` refuses a file for this reason. */
export function isFileRefused(error: unknown, reason: RefusalReason): error is ArtworkError {
  return (
    error instanceof ArtworkError && error.category === 'upload_refused' && error.details?.reason === reason
  );
}

/**
 * The header of a WebP can tell no more, and it is 200 times what the interface document shows as a limit (Errors,
 * `asset.file.maxSize`): a longer file is no picture, and reading it whole takes minutes or hours. Bytes.
 */
export const mostPictureBytes = 4 * 1024 ** 3;

/** @throws ArtworkError `upload_refused` (`too_large`) for what is longer than any picture */
export function requirePictureLength(length: number): void {
  if (length <= mostPictureBytes) return;
  throw refusedFileError(
    'too_large',
    `The file has ${length} bytes, and no picture has more than ${mostPictureBytes}: it was not read. Export the picture again, or name another file.`,
  );
}

/** `how` ends the sentence "The file changed while …". */
export function fileChangedError(how: string): ArtworkError {
  return refusedFileError(
    'source_changed',
    `The file changed: ${how}. It was not sent whole. Let nothing write to it, then try again.`,
  );
}

/** A failed read of a file that was already open. Causes are errors of the file system, which quote no content. */
export function unreadableFileError(cause: unknown): ArtworkError {
  return refusedFileError(
    'unreadable',
    'The file could not be read to its end: check the disk that it is on.',
    {
      cause,
    },
  );
}

/**
 * Stops the reading of a file whose call was cancelled.
 * @throws ArtworkError `cancelled`
 */
export function requireNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ArtworkError('cancelled', 'Reading the file was cancelled.');
}
