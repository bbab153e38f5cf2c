// Not from 'node:fs/promises', which is loaded at once: most starts have no folder to look at.
import { constants, promises as fs } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../errors.ts';
import type { Settings } from '../settings.ts';

/** A folder of the settings that can't be used now. */
export interface FaultyFolder extends Fault {
  readonly setting: string;
  readonly folder: string;
}

interface Fault {
  /** The words that follow its path: `does not exist`. */
  readonly is: string;
  /** It never becomes usable by itself. Otherwise a disk may be plugged in, or a permission given, at any time. */
  readonly isWrong: boolean;
}

/** A network folder may never answer. ms */
const patienceMs = 2_000;

/** The folders of the settings that can't be used now. */
export async function findFaultyFolders(settings: Settings): Promise<readonly FaultyFolder[]> {
  const { uploadRoots, downloadRoot } = settings;
  if (uploadRoots.length === 0 && downloadRoot === null) return [];
  const silence = delay(patienceMs, { is: 'does not answer', isWrong: false }, { ref: false });
  const look = async (setting: string, folder: string, fault: Promise<Fault | null>) => {
    const found = await Promise.race([fault, silence]);
    return found === null ? [] : [{ setting, folder, ...found }];
  };
  const looks = uploadRoots.map((root) => look('ARTWORK_UPLOAD_ROOTS', root, uploadFault(root)));
  if (downloadRoot !== null)
    looks.push(look('ARTWORK_DOWNLOAD_ROOT', downloadRoot, downloadFault(downloadRoot)));
  return (await Promise.all(looks)).flat();
}

async function uploadFault(folder: string): Promise<Fault | null> {
  try {
    if (!(await fs.stat(folder)).isDirectory()) return { is: 'is not a folder', isWrong: true };
    await fs.access(folder, constants.R_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    return { is: code === 'ENOENT' ? 'does not exist' : `can't be read (${code})`, isWrong: false };
  }
}

async function downloadFault(folder: string): Promise<Fault | null> {
  const { downloadRootFault } = await import('../curation/download/root.ts');
  const fault = await downloadRootFault(folder);
  return fault && { is: fault.is, isWrong: fault.code === 'download_root_no_folder' };
}
