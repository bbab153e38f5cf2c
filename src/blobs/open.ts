import { ArtworkError } from '../errors.ts';
import { openRegularFile } from '../files/open-file.ts';
import { isFileRefused } from '../files/refusal.ts';
import { hashFile, type ReadOptions, type UploadBytes } from '../files/upload-bytes.ts';
import { type ExpectedCopy, missingBlobsError } from './missing.ts';

/**
 * Opens a copy and reads it once.
 * @throws ArtworkError `upload_refused` (`kept_bytes_missing`) where it is gone, or not what was kept
 */
export async function openBlob(name: string, kept: ExpectedCopy, options: ReadOptions): Promise<UploadBytes> {
  let bytes: UploadBytes;
  try {
    bytes = await hashFile(await openRegularFile(name), options);
  } catch (error) {
    // Any other refusal: it is not there, or not a file, or empty.
    const refused = error instanceof ArtworkError && error.category === 'upload_refused';
    throw refused && !isFileRefused(error, 'unreadable') ? missingBlobsError([kept], null) : error;
  }
  if (bytes.length === kept.length && bytes.sha256 === kept.sha256) return bytes;
  await bytes.close();
  throw missingBlobsError([kept], null);
}

/** The first of these copies that is there, and is what was kept. @throws as `openKept` */
export async function openFirstBlob(
  names: readonly string[],
  kept: ExpectedCopy,
  options: ReadOptions,
): Promise<UploadBytes> {
  for (const name of names.slice(0, -1)) {
    try {
      return await openBlob(name, kept, options);
    } catch (error) {
      if (!isFileRefused(error, 'kept_bytes_missing')) throw error;
    }
  }
  return openBlob(names.at(-1) ?? '', kept, options);
}
