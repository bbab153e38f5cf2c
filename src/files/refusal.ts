import { ArtworkError, type ErrorFacts } from '../errors.ts';

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
  /** Its first bytes promise a picture, and not all of it can be decoded. */
  | 'damaged'
  /** It is not, or no longer, what was looked at before. */
  | 'source_changed'
  /** The private copy that was kept for a resume is gone, or not what it was. */
  | 'kept_bytes_missing';

/** A file that is not sent; nothing has reached the service whole. The message says what to do, and quotes nothing of it. */
export function refusedFile(
  reason: RefusalReason,
  message: string,
  { details, ...facts }: ErrorFacts = {},
): ArtworkError {
  return new ArtworkError('upload_refused', message, { ...facts, details: { reason, ...details } });
}

/** Whether `error` refuses a file for one of these reasons. */
export function isRefused(error: unknown, ...reasons: readonly RefusalReason[]): error is ArtworkError {
  if (!(error instanceof ArtworkError) || error.failure !== 'upload_refused') return false;
  return reasons.some((reason) => error.details?.reason === reason);
}

/** Whether an error tells of one file alone: without an open folder no other file can be read either. */
export function isAboutFile(error: unknown): error is ArtworkError {
  if (!(error instanceof ArtworkError)) return false;
  const { failure } = error;
  return failure === 'invalid_arguments' || (failure === 'upload_refused' && !isRefused(error, 'no_roots'));
}

/** `how` ends the sentence "The file changed: …". */
export function changedFile(how: string): ArtworkError {
  const message = `The file changed: ${how}. It was not sent whole. Let nothing write to it, then try again.`;
  return refusedFile('source_changed', message);
}
