import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../storage/store-error.ts';

// The interface document says only that Asset paths are root-relative. Those that are known name the Asset's UUID.
const assetPath =
  /^\/([\w-]+\/)*[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.(png|jpe?g|webp|gif))?(\?[\w=&.%-]*)?$/i;

/**
 * Whether a path that no answer has shown may be asked of the service: it has the form of an Asset's path,
 * and its first folder is none of this machine, whose paths are never sent.
 */
export async function isAssetPath(given: string): Promise<boolean> {
  return assetPath.test(given) && !(await isHere(given));
}

async function isHere(given: string): Promise<boolean> {
  const [, first = ''] = given.split('/');
  try {
    await lstat(path.resolve('/', first));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    if (codeOf(error) === null) throw error;
    return true;
  }
}
