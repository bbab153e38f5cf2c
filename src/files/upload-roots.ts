import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../errors.ts';
import { type Paths, paths } from '../machine.ts';
import { mapLimit } from '../wire/pacing.ts';
import { isFileUri, parseFileArgument, pathOfUri, unfitPath } from './file-argument.ts';
import { isFileRefused, refusedFileError, requireNotAborted } from './refusal.ts';

/** The folders that files may be read from, as they are on the disk at this moment. */
export interface UploadRoots {
  /** As they were named, for messages. */
  readonly named: readonly string[];
  /** Roots of the host that lie on other machines, and are no folders of this one. */
  readonly elsewhere: readonly string[];
  /** Those that exist, without links. */
  readonly real: readonly string[];
  /** Whether `real`, a path without links, is one of them or lies in one. */
  hold(real: string): Promise<boolean>;
}

/** Folders open for uploads: those of the settings, and those that the host names as `file:` URIs. */
export interface RootNames {
  /** ARTWORK_UPLOAD_ROOTS: absolute paths. */
  readonly configured: readonly string[];
  /** The host's `roots`, as it last told them; what is no folder of this machine is left out. */
  readonly host: readonly string[];
}

/**
 * Looks the folders up anew, since both they and the host's list may change while the server runs.
 * @throws ArtworkError `upload_refused` (`no_roots`) where there is none, or none exists
 */
async function findRoots({ configured, host }: RootNames): Promise<UploadRoots> {
  const named = [...new Set([...configured, ...host.flatMap((uri) => folderOfRoot(uri) ?? [])])];
  const elsewhere = host.filter((uri) => isOfAnother(uri) && folderOfRoot(uri) === null);
  if (named.length === 0) throw withoutRoots('No folder is open for uploads', elsewhere);
  const found = (await Promise.all(named.map(identify))).filter((folder) => folder !== null);
  const folders = new Set(found.map(({ id }) => id));
  if (found.length === 0) {
    throw withoutRoots(`None of the folders that are open for uploads exists (${namesOf(named)})`, elsewhere);
  }
  return {
    named,
    elsewhere,
    real: found.map(({ real }) => real),
    async hold(real) {
      // Most are found by their names, which is no look at the disk for each folder above them.
      if (found.some((root) => paths.liesBelow(root.real, real))) return true;
      for (let folder = real; ; folder = path.dirname(folder)) {
        const found = await identify(folder);
        if (found !== null && folders.has(found.id)) return true;
        if (folder === path.dirname(folder)) return false;
      }
    },
  };
}

/**
 * What a folder is, whatever it is called: some file systems take names that differ in case or in Unicode
 * normalisation for the same, others don't. Null where there is no folder that can be looked at.
 */
async function identify(folder: string): Promise<{ readonly id: string; readonly real: string } | null> {
  try {
    const real = await realpath(folder);
    const status = await stat(real, { bigint: true });
    return status.isDirectory() ? { id: `${status.dev}:${status.ino}`, real } : null;
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

/**
 * The folder that a root of the host names; null: none. A path of Windows can name one of another machine
 * (`file://nas/share`), which the person has opened in the host: an argument alone never leads there.
 */
export function folderOfRoot(uri: string, machine: Paths = paths): string | null {
  if (!isFileUri(uri)) return null;
  try {
    if (!isOfAnother(uri)) return parseFileArgument(uri, 'folder', [], machine);
    // Other names than those of machines are devices there.
    if (!machine.reachesOthers || !/^[\w-][\w.-]*$/.test(new URL(uri).host)) return null;
    const share = pathOfUri(uri, machine, (why, cause) => unfitPath('folder', why, cause));
    return machine.unfit(share, [share]) === null ? share : null;
  } catch (error) {
    if (error instanceof ArtworkError) return null;
    throw error;
  }
}

function isOfAnother(uri: string): boolean {
  return isFileUri(uri) && URL.canParse(uri) && new URL(uri).host !== '';
}

function withoutRoots(what: string, elsewhere: readonly string[]): ArtworkError {
  const how =
    'set ARTWORK_UPLOAD_ROOTS to the folders that hold the artwork, separated as in PATH, and start the server again';
  return refusedFileError('no_roots', `${what}: ${how}.${elsewhereWords(elsewhere)}`, {
    next: {
      why: `Only a person can open a folder: ${how}, or open the folder in the host.`,
      doNot: 'copy the file elsewhere or ask for its bytes',
    },
  });
}

/** What a person gives in the place of roots that this system can't reach by their names. */
function elsewhereWords(elsewhere: readonly string[]): string {
  if (elsewhere.length === 0) return '';
  const them = elsewhere.length === 1 ? 'which names another machine' : 'which name other machines';
  return ` The host offers ${namesOf(elsewhere)}, ${them}: a person mounts it here, and opens the folder that it is mounted on, such as /mnt/share.`;
}

/** Something in one of the roots, by its path without links. */
export interface LocatedFile {
  readonly path: string;
  readonly roots: UploadRoots;
}

/**
 * What an argument names: an absolute path or a `file:` URI of something in one of the roots.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`; of a path outside the roots it says nothing
 */
export async function locateArgument(
  given: string,
  names: RootNames,
  argument: 'file' | 'folder' = 'file',
): Promise<LocatedFile> {
  const roots = await findRoots(names).catch((error: unknown) => {
    // What no open folder could make right is told first.
    parseFileArgument(given, argument);
    throw error;
  });
  try {
    return { path: await locateInRoots(parseFileArgument(given, argument, roots.real), roots), roots };
  } catch (error) {
    throw withOpenFolders(error, given, roots);
  }
}

/** The error to throw: for a path that names nothing here, it tells the open folders. */
function withOpenFolders(error: unknown, given: string, roots: UploadRoots): unknown {
  const isLost =
    error instanceof ArtworkError &&
    (error.category === 'invalid_arguments' || isFileRefused(error, 'missing'));
  if (!isLost) return error;
  const open = `Folders that are open: ${namesOf(roots.named)}.`;
  const isOfWeb = /^https?:/i.test(given);
  const why = isOfWeb
    ? `Nothing is fetched from the web: the person saves the picture into an open folder. ${open}`
    : `The person says where it lies, or puts it into an open folder. ${open}`;
  return new ArtworkError(error.category, `${error.message} ${open}`, {
    ...error,
    next: error.next ?? { why },
  });
}

/** Looks at a time: many wait for the disk. */
const looks = 10;

/**
 * Where files lie that models named, and how long they are, without opening them; null for what can't be read or is
 * no regular file.
 * @throws ArtworkError `upload_refused` (`no_roots`), `cancelled`
 */
export async function findFiles(
  given: readonly string[],
  names: RootNames,
  signal: AbortSignal,
): Promise<readonly ({ readonly path: string; readonly length: number } | null)[]> {
  const roots = await findRoots(names);
  return mapLimit(given, looks, async (file) => {
    requireNotAborted(signal);
    try {
      const real = await locateInRoots(parseFileArgument(file, 'file', roots.real), roots);
      const status = await lstat(real);
      return status.isFile() ? { path: real, length: status.size } : null;
    } catch (error) {
      if (error instanceof ArtworkError || codeOf(error) !== null) return null;
      throw error;
    }
  });
}

type Place =
  | { readonly is: 'inside'; readonly real: string }
  | { readonly is: 'outside' | 'missing' | 'unreadable' };

/**
 * The path without links of something that lies in the roots. What lies elsewhere is refused with the same
 * words whether it exists or not, also where a link in the roots leads there.
 * @throws ArtworkError `upload_refused` (`outside_roots`, `missing`, `unreadable`)
 */
async function locateInRoots(file: string, roots: UploadRoots): Promise<string> {
  const place = await placeOf(file, roots);
  switch (place.is) {
    case 'inside':
      return place.real;
    case 'outside':
      throw outside(roots);
    case 'missing':
      throw refusedFileError('missing', 'There is no such file: check its name, upper and lower case too.');
    case 'unreadable':
      throw refusedFileError(
        'unreadable',
        'The file or its folder may not be read: check their permissions.',
      );
  }
}

/** What is said of everything that does not lie in the roots. */
function outside({ named, elsewhere }: UploadRoots): ArtworkError {
  return refusedFileError(
    'outside_roots',
    `Files are only read from the folders that are open for uploads (${namesOf(named)}), and links out of them are not followed.${elsewhereWords(elsewhere)}`,
    {
      next: {
        why: 'Only a person can open another folder, with ARTWORK_UPLOAD_ROOTS or in the host, or move the file into an open one.',
        doNot: 'try other spellings of the same path',
      },
    },
  );
}

function namesOf(named: readonly string[]): string {
  return [...named.slice(0, mostNamed), ...(named.length > mostNamed ? ['and others'] : [])].join(', ');
}

const mostNamed = 10;

/** From the file upwards to what exists: only of what the roots themselves hold may more be said. */
async function placeOf(file: string, roots: UploadRoots): Promise<Place> {
  const real = await resolveLinks(file);
  if (real !== null) return (await roots.hold(real)) ? { is: 'inside', real } : { is: 'outside' };
  const parent = path.dirname(file);
  if (parent === file) return { is: 'outside' };
  const folder = await placeOf(parent, roots);
  return folder.is === 'inside' ? placeIn(folder.real, path.basename(file), roots) : folder;
}

async function placeIn(folder: string, name: string, roots: UploadRoots): Promise<Place> {
  const entry = await entryNamed(folder, name);
  if (typeof entry !== 'string') return entry;
  const real = await resolveLinks(entry);
  if (real !== null) return (await roots.hold(real)) ? { is: 'inside', real } : { is: 'outside' };
  // A link that can't be followed may lead out of the roots, where nothing may be said about what is there.
  const status = await orCode(lstat(entry));
  return typeof status !== 'string' && status.isSymbolicLink() ? { is: 'outside' } : { is: 'unreadable' };
}

/** The entry of this name, else the only one whose name differs in its Unicode normalisation alone. */
async function entryNamed(folder: string, name: string): Promise<string | Place> {
  const exact = path.join(folder, name);
  const status = await orCode(lstat(exact));
  if (typeof status !== 'string') return exact;
  if (status === 'EACCES' || status === 'EPERM') return { is: 'unreadable' };
  const names = await orCode(readdir(folder));
  if (typeof names === 'string') return { is: 'missing' };
  const wanted = name.normalize('NFC');
  const [only, ...others] = names.filter((each) => each.normalize('NFC') === wanted);
  return only === undefined || others.length > 0 ? { is: 'missing' } : path.join(folder, only);
}

async function resolveLinks(file: string): Promise<string | null> {
  try {
    return await realpath(file);
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

/** What the file system answers, or the code of its error. */
async function orCode<T extends object>(answer: Promise<T>): Promise<T | string> {
  try {
    return await answer;
  } catch (error) {
    const code = codeOf(error);
    if (code !== null) return code;
    throw error;
  }
}
