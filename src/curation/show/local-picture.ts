import { chunksOf, memoryWithin } from '../../files/chunks.ts';
import { openUploadFile } from '../../files/open-file.ts';
import { refusedFileError } from '../../files/refusal.ts';
import type { RootNames } from '../../files/upload-roots.ts';

/** As much as of a picture of the catalogue. */
const mostBytes = 32 * 1024 * 1024;

/**
 * The bytes of a picture on this machine, to be shown: only from folders that are open for uploads.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled`
 */
export async function readPicture(
  file: string,
  roots: RootNames,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const opened = await openUploadFile(file, roots);
  try {
    if (opened.length > mostBytes) {
      throw refusedFileError(
        'unreadable',
        `The file has ${opened.length} bytes, which is too much to show it.`,
      );
    }
    const whole = Buffer.allocUnsafeSlow(opened.length);
    const chunks = chunksOf(opened.handle, opened.length, memoryWithin(whole), signal);
    while ((await chunks.next()).done !== true);
    await opened.requireUnchanged();
    return whole;
  } finally {
    await opened.close();
  }
}
