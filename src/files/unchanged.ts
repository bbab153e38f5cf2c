import { lstat } from 'node:fs/promises';
import { codeOf } from '../storage/store-error.ts';
import { isSame, type OpenFile } from './open-file.ts';
import { sourceChanged } from './refusal.ts';

/**
 * Sees what a digest does not: that something was appended, that the file was written to behind what had
 * already been read, or that another took its name.
 * @throws ArtworkError `upload_refused` (`source_changed`)
 */
export async function requireUnchanged(file: OpenFile): Promise<void> {
  const now = await file.handle.stat({ bigint: true });
  if (now.size !== file.opened.size) throw sourceChanged('its length is another now');
  if (now.mtimeNs !== file.opened.mtimeNs) throw sourceChanged('it was written to');
  const named = await lstat(file.path, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) !== null) throw sourceChanged('it was moved or deleted');
    throw error;
  });
  if (!isSame(named, file.opened)) throw sourceChanged('another has its name now');
}
