import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { sleep } from '../clock.ts';
import { SettingsError } from '../settings.ts';

/** Why no file can be read from a folder that is open for uploads. */
export interface RootFault {
  readonly root: string;
  /** What it is, in words that go on after its path. */
  readonly is: string;
  /** Only another setting mends it; else a disk may be plugged in, or a permission given, while the server runs. */
  readonly forGood: boolean;
}

/** A network folder may never answer; what asks does not wait for it. */
const patienceMs = 2_000;

/** The folders that no file can be read from as they are now. */
export async function faultyRoots(roots: readonly string[]): Promise<readonly RootFault[]> {
  if (roots.length === 0) return [];
  const ended = new AbortController();
  const silence = sleep(patienceMs, ended.signal).then(() => ({ is: 'does not answer', forGood: false }));
  const looked = await Promise.all(
    roots.map(async (root) => ({ root, fault: await Promise.race([lookAt(root), silence]) })),
  );
  ended.abort();
  return looked.flatMap(({ root, fault }) => (fault === null ? [] : [{ root, ...fault }]));
}

/** Folders that one line can name. */
const mostNamed = 10;

/**
 * What the start of the server says of its folders, in one line; null: nothing.
 * @throws SettingsError where one is no folder, and so can't become usable by itself
 */
export async function warningOf(roots: readonly string[]): Promise<string | null> {
  const faults = await faultyRoots(roots);
  const wrong = faults.find(({ forGood }) => forGood);
  if (wrong !== undefined) {
    throw new SettingsError(`ARTWORK_UPLOAD_ROOTS must name folders: ${wrong.root} ${wrong.is}.`);
  }
  if (faults.length === 0) return null;
  const told = faults.slice(0, mostNamed).map(({ root, is }) => `${root} ${is}`);
  if (faults.length > mostNamed) told.push(`${faults.length - mostNamed} others`);
  return `ARTWORK_UPLOAD_ROOTS: ${told.join(', ')}. Uploads from there are refused until that is mended; all else works.`;
}

/**
 * What the start of the server says of the folder for downloads, in one line; null: nothing.
 * @throws SettingsError where it is no folder, and so can't become usable by itself
 */
export async function warningOfDownloads(root: string | null, home: string): Promise<string | null> {
  if (root === null) return null;
  const [gone] = await faultyRoots([root]);
  if (gone?.forGood === true) {
    throw new SettingsError(`ARTWORK_DOWNLOAD_ROOT must name a folder: ${root} ${gone.is}.`);
  }
  const { downloadRootFault } = await import('../curation/download/root.ts');
  const fault = gone ?? (await downloadRootFault(root, home));
  if (fault === null) return null;
  return `ARTWORK_DOWNLOAD_ROOT: ${root} ${fault.is}. Downloads are refused until that is mended; all else works.`;
}

async function lookAt(root: string): Promise<Omit<RootFault, 'root'> | null> {
  try {
    const found = await stat(root);
    if (!found.isDirectory()) return { is: 'is not a folder', forGood: true };
    await access(root, constants.R_OK | constants.X_OK);
    return null;
  } catch (error) {
    // Only the file system rejects here, always with a code.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { is: code === 'ENOENT' ? 'does not exist' : `can't be read (${code})`, forGood: false };
  }
}
