import { lstat } from 'node:fs/promises';
import { ArtworkError } from '../../errors.ts';
import { parseFileArgument } from '../../files/file-argument.ts';
import { findRoots, locateInRoots, type RootNames, type UploadRoots } from '../../files/upload-roots.ts';
import { isFileRefused, refusedFileError } from '../../files/refusal.ts';
import { codeOf } from '../../storage/store-error.ts';

export interface FoundFolder {
  /** Without links. */
  readonly path: string;
  readonly roots: UploadRoots;
}

/**
 * The folder that an argument names: an absolute path or a `file:` URI of a folder in one of the roots.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`; of a path outside the roots it says nothing
 */
export async function findFolder(given: string, names: RootNames): Promise<FoundFolder> {
  const named = parseFileArgument(given, process.platform, 'folder');
  const roots = await findRoots(names);
  const path = await locateInRoots(named, roots).catch((error: unknown) => {
    if (isFileRefused(error, 'missing')) {
      throw refusedFileError('missing', 'There is no such folder: check its name, upper and lower case too.');
    }
    if (isFileRefused(error, 'unreadable')) throw unreadableFolder(error);
    throw error;
  });
  const status = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === null) throw error;
    throw unreadableFolder(error);
  });
  if (!status.isDirectory()) {
    throw new ArtworkError('invalid_arguments', 'This is a file: give the folder that it lies in.', {
      issues: [{ code: 'folder', message: 'is no folder', path: ['folder'] }],
    });
  }
  return { path, roots };
}

/** The error of a folder that this user may not read. */
export function unreadableFolder(cause: unknown): ArtworkError {
  return refusedFileError('unreadable', 'The folder may not be read: check its permissions.', { cause });
}
