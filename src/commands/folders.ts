import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { sleep } from '../clock.ts';
import { codeOf } from '../errors.ts';
import { type Settings, SettingsError } from '../settings.ts';

/** Why a folder can't be used now. */
export interface FolderFault {
  readonly folder: string;
  /** The words that follow its path: `does not exist`. */
  readonly is: string;
  /** Only another setting mends it. Otherwise a disk may be plugged in, or a permission given, at any time. */
  readonly forGood: boolean;
}

/** A network folder may never answer. ms */
const patienceMs = 2_000;

/** The folders that can't be read now. */
export async function findFaults(folders: readonly string[]): Promise<readonly FolderFault[]> {
  const waiting = new AbortController();
  const silence = sleep(patienceMs, waiting.signal).then(() => ({ is: 'does not answer', forGood: false }));
  const looks = folders.map(async (folder) => {
    const fault = await Promise.race([look(folder), silence]);
    return fault === null ? [] : [{ folder, ...fault }];
  });
  const faults = await Promise.all(looks);
  waiting.abort();
  return faults.flat();
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

/** The faults in words, with their folders. */
export function faultWords(faults: readonly FolderFault[]): string {
  return faults.map(({ folder, is }) => `${folder} ${is}`).join(', ');
}

/**
 * What the start of the server warns of: a line for each setting whose folders can't be used now.
 * @throws SettingsError where a setting names a file, which never becomes usable by itself
 */
export async function folderWarnings(settings: Settings): Promise<readonly string[]> {
  const [uploads, downloads] = [await findFaults(settings.uploadRoots), await findDownloadFaults(settings)];
  const found = [
    ['ARTWORK_UPLOAD_ROOTS', uploads, 'Uploads from there are refused until this is fixed.'],
    ['ARTWORK_DOWNLOAD_ROOT', downloads, 'Downloads are refused until this is fixed.'],
  ] as const;
  return found.flatMap(([name, faults, meanwhile]) => {
    const wrong = faults.filter(({ forGood }) => forGood);
    if (wrong.length > 0) throw new SettingsError(`${name} must name a folder: ${faultWords(wrong)}.`);
    return faults.length === 0 ? [] : [`${name}: ${faultWords(faults)}. ${meanwhile}`];
  });
}

/** Why nothing can be downloaded into the folder that is set; empty where it can, and where none is set. */
export async function findDownloadFaults({ downloadRoot, home }: Settings): Promise<readonly FolderFault[]> {
  if (downloadRoot === null) return [];
  const faults = await findFaults([downloadRoot]);
  if (faults.length > 0) return faults;
  const { downloadRootFault } = await import('../curation/download/root.ts');
  const fault = await downloadRootFault(downloadRoot, home);
  return fault === null ? [] : [{ folder: downloadRoot, is: fault.is, forGood: false }];
}
