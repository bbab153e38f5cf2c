import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError } from '../../errors.ts';
import { codeOf } from '../../storage/store-error.ts';
import { isSystemFolder, kindOfFile } from '../matching/junk.ts';
import { type FoundFolder, unreadableFolder } from './find-folder.ts';

/** What the matcher takes no notice of. */
export type Passed = 'junk' | 'link' | 'unfit_name' | 'unreadable';

export interface FoundFiles {
  /** Pictures by their names, relative to the folder, with `/`; in a fixed order. */
  readonly files: readonly string[];
  /** How many others there are, by why they were passed over. */
  readonly passed: Readonly<Partial<Record<Passed, number>>>;
  /** Some of them; of junk a few. */
  readonly named: readonly { readonly path: string; readonly why: Passed }[];
}

/** Levels of folders below the chosen one. */
export const deepest = 8;
/** Files and folders that are looked at, whatever they are. */
export const mostEntries = 20_000;
/** One plan, and one Set's creation, take no more. */
export const mostPictures = 2_000;
/** Bytes; leaves room for the folder's own path. */
const longestPath = 1_000;
const mostNamed = 100;
const mostJunkNamed = 20;

/**
 * Every file below a folder. Folders that systems make are passed over, links to folders are not followed, and
 * links to files only to what lies in the roots.
 * @throws ArtworkError `upload_refused` (`unreadable`), `invalid_arguments` where it holds too much; `cancelled`
 */
export async function walkFolder(
  { path: root, roots }: FoundFolder,
  signal: AbortSignal | undefined,
): Promise<FoundFiles> {
  const files: string[] = [];
  const passed: Partial<Record<Passed, number>> = {};
  const named: { path: string; why: Passed }[] = [];
  const junk: typeof named = [];
  let entries = 0;

  const pass = (at: string, why: Passed): void => {
    passed[why] = (passed[why] ?? 0) + 1;
    if (why !== 'junk' && named.length < mostNamed) named.push({ path: at, why });
    if (why === 'junk' && junk.length < mostJunkNamed && !isUnfit(at)) junk.push({ path: at, why });
  };
  const takeFile = (at: string): void => {
    const unfit = kindOfFile(at) === 'junk' ? 'junk' : isUnfit(at) ? 'unfit_name' : null;
    if (unfit !== null) pass(at, unfit);
    else if (files.length === mostPictures) throw tooMuch(`more than ${mostPictures} pictures`);
    else files.push(at);
  };
  const visit = async (inner: string, depth: number): Promise<void> => {
    const found = await list(path.join(root, inner));
    if (found === null) {
      if (inner === '') throw unreadableFolder(null);
      pass(inner, 'unreadable');
      return;
    }
    for (const entry of found) {
      if (signal?.aborted) throw new ArtworkError('cancelled', 'Reading the folder was cancelled.');
      entries += 1;
      if (entries > mostEntries) throw tooMuch(`more than ${mostEntries} files and folders`);
      const at = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isFile()) takeFile(at);
      else if (entry.isSymbolicLink()) {
        if (kindOfFile(at) === 'junk' && !mayBeFolder(entry.name)) pass(at, 'junk');
        else if (await leadsToFile(path.join(root, at), roots)) takeFile(at);
        else pass(at, 'link');
      } else if (!entry.isDirectory() || isSystemFolder(entry.name)) pass(at, 'junk');
      else if (depth === deepest) throw tooMuch(`folders in folders, more than ${deepest} deep`);
      else await visit(at, depth + 1);
    }
  };
  await visit('', 0);
  return { files, passed, named: [...named, ...junk] };
}

/** Of a link, which is not followed to tell: what is called as folders are. */
function mayBeFolder(name: string): boolean {
  return path.extname(name) === '' && !isSystemFolder(name);
}

/** No text, as the store and a host would have it, or too long for both. */
function isUnfit(path: string): boolean {
  return /\p{Surrogate}/u.test(path) || Buffer.byteLength(path) > longestPath;
}

/** Null where it may not be read, or is a folder no longer. */
async function list(folder: string): Promise<Dirent[] | null> {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    // Another program may have put a link in its place, which could lead anywhere.
    if ((await realpath(folder)) !== folder) return null;
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

async function leadsToFile(link: string, roots: FoundFolder['roots']): Promise<boolean> {
  try {
    const real = await realpath(link);
    return (await roots.hold(real)) && (await stat(real)).isFile();
  } catch (error) {
    if (codeOf(error) !== null) return false;
    throw error;
  }
}

function tooMuch(what: string): ArtworkError {
  return new ArtworkError(
    'invalid_arguments',
    `The folder holds ${what}: choose a folder inside it, such as one season's, and plan them one after the other.`,
    { issues: [{ code: 'folder', message: `holds ${what}`, path: ['folder'] }] },
  );
}
