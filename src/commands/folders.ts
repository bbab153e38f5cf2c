import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../errors.ts';
import type { Settings } from '../settings.ts';

/** Why a folder can't be used now. */
interface FolderFault {
  readonly folder: string;
  /** The words that follow its path: `does not exist`. */
  readonly is: string;
  /** Only another setting mends it. Otherwise a disk may be plugged in, or a permission given, at any time. */
  readonly forGood: boolean;
}

/** A network folder may never answer. ms */
const patienceMs = 2_000;

/** The folders that can't be read now. */
async function findFaults(folders: readonly string[]): Promise<readonly FolderFault[]> {
  const silence = delay(patienceMs, { is: 'does not answer', forGood: false }, { ref: false });
  const looks = folders.map(async (folder) => {
    const fault = await Promise.race([look(folder), silence]);
    return fault === null ? [] : [{ folder, ...fault }];
  });
  return (await Promise.all(looks)).flat();
}

async function look(folder: string): Promise<Omit<FolderFault, 'folder'> | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return { is: 'is not a folder', forGood: true };
    await access(folder, constants.R_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    return { is: code === 'ENOENT' ? 'does not exist' : `can't be read (${code})`, forGood: false };
  }
}

/** A setting with folders that can't be used now. */
export interface FaultySetting {
  readonly setting: string;
  /** The folders with what is wrong with each: `/mnt/disk does not exist`. */
  readonly faults: string;
  /** What does not work until it is corrected. */
  readonly meanwhile: string;
  /** The setting names a file, which never becomes usable by itself. */
  readonly isWrong: boolean;
}

export async function findFaultySettings(settings: Settings): Promise<readonly FaultySetting[]> {
  const found = [
    ['ARTWORK_UPLOAD_ROOTS', await findFaults(settings.uploadRoots), 'Uploads from there are refused'],
    ['ARTWORK_DOWNLOAD_ROOT', await findDownloadFaults(settings), 'Downloads are refused'],
  ] as const;
  return found.flatMap(([setting, all, refused]) => {
    const wrong = all.filter(({ forGood }) => forGood);
    const faults = (wrong.length > 0 ? wrong : all).map(({ folder, is }) => `${folder} ${is}`).join(', ');
    const meanwhile = `${refused} until this is fixed.`;
    return all.length === 0 ? [] : [{ setting, faults, meanwhile, isWrong: wrong.length > 0 }];
  });
}

/** Why nothing can be downloaded into the folder that is set; empty where it can, and where none is set. */
async function findDownloadFaults({ downloadRoot, home }: Settings): Promise<readonly FolderFault[]> {
  if (downloadRoot === null) return [];
  const faults = await findFaults([downloadRoot]);
  if (faults.length > 0) return faults;
  const { downloadRootFault } = await import('../curation/download/root.ts');
  const fault = await downloadRootFault(downloadRoot, home);
  return fault === null ? [] : [{ folder: downloadRoot, is: fault.is, forGood: false }];
}
