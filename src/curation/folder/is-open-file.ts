import { ArtworkError } from '../../errors.ts';
import { parseFileArgument } from '../../files/file-argument.ts';
import { findRoots, locateInRoots, type RootNames } from '../../files/upload-roots.ts';

/** Whether it names, as a path or a `file:` URI, something that lies in a folder open for uploads. */
export async function isOpenFile(file: string, roots: RootNames): Promise<boolean> {
  try {
    await locateInRoots(parseFileArgument(file), await findRoots(roots));
    return true;
  } catch (error) {
    if (error instanceof ArtworkError) return false;
    throw error;
  }
}
