import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { ArtworkError, codeOf, type Next } from '../errors.ts';
import { type Paths, paths } from '../machine.ts';
import { refusedFile } from './refusal.ts';

/** The folders that files may be read from. */
export interface Roots {
  /** ARTWORK_UPLOAD_ROOTS: absolute paths. */
  readonly configured: readonly string[];
  /** The host's roots, `file:` URIs, as it told them last. */
  readonly host: readonly string[];
}

/** What an argument names, in an open folder. */
export interface Located {
  /** Without links. */
  readonly path: string;
  /** Whether another path without links lies in an open folder too. */
  isOpen(real: string): boolean;
}

type Named = 'file' | 'folder';

/**
 * Finds what an argument names: an absolute path or a `file:` URI, in an open folder once all links are followed. Both
 * folders and links are looked up anew, since they change while the server runs. Of what lies elsewhere nothing is
 * said, not even whether it is there.
 * @throws ArtworkError `invalid_arguments` for what names nothing on this machine; `upload_refused` (`no_roots`,
 *   `outside_roots`, `missing`, `unreadable`)
 */
export async function locate(given: string, roots: Roots, what: Named = 'file'): Promise<Located> {
  const open = await openFolders(roots);
  const isOpen = (real: string) => open.some((folder) => paths.liesBelow(folder.real, real));
  // What no open folder could make right is told first.
  if (open.length === 0) throw parsePath(given, what) && nothingOpen(roots.configured);
  try {
    const folders = open.map(({ real }) => real);
    return { path: await find(parsePath(given, what, folders), isOpen, what), isOpen };
  } catch (error) {
    throw explained(error, given, open);
  }
}

/** Whether an argument is written as the URI of a file. */
export function isFileUri(given: string): boolean {
  return /^file:/i.test(given);
}

/** Longer than any path of Linux or macOS; Windows takes as many. */
const longestPath = 32_767;

/**
 * The absolute path that an argument names; nothing is looked up. `..` stays, since behind a link it means something
 * else than its text says.
 * @param open folders without links: one that a person has opened may lie on another machine
 * @throws ArtworkError `invalid_arguments`
 */
export function parsePath(
  given: string,
  what: Named = 'file',
  open: readonly string[] = [],
  machine: Paths = paths,
): string {
  const path = isFileUri(given) ? pathOfUri(given, machine) : given;
  const isPath = path !== null && given.length <= longestPath && !path.includes('\0');
  const unfit = isPath
    ? machine.unfit(path, open)
    : 'is not a path or the file: URI of one (%3F and %23 stand for ? and #)';
  if (isPath && unfit === null) return path;
  const message = `\`${what}\` ${unfit}. Give an absolute path on this machine, or a file: URI such as file:///pictures/poster.png.`;
  throw new ArtworkError('invalid_arguments', message);
}

/** Null for the URI of something else, or of another machine where paths can't name one. */
function pathOfUri(uri: string, machine: Paths): string | null {
  if (!URL.canParse(uri)) return null;
  const url = new URL(uri);
  if (url.search !== '' || url.hash !== '' || (url.host !== '' && !machine.reachesOthers)) return null;
  try {
    return machine.ofUri(url);
  } catch (error) {
    // Its percent-encoding names no path.
    if (error instanceof URIError || error instanceof TypeError) return null;
    throw error;
  }
}

/** A folder that is open, and there: as it was given, and without links. */
type Folder = Readonly<Record<'named' | 'real', string>>;

/**
 * The folders of the settings and those of the host. A host in which no folder is open may offer `file://`, the whole
 * disk: only a person opens that, in the settings.
 */
async function openFolders({ configured, host }: Roots): Promise<Folder[]> {
  const own = await Promise.all(configured.map(identify));
  const told = await Promise.all(host.flatMap((uri) => folderOfHost(uri) ?? []).map(identify));
  const isWholeDisk = (real: string) => !real.startsWith('\\\\') && paths.syntax.parse(real).root === real;
  const fit = told.filter((folder) => folder !== null && !isWholeDisk(folder.real));
  return [...own, ...fit].filter((folder) => folder !== null);
}

/**
 * The folder that a root of the host names; null: none. On Windows it can be a share of another machine
 * (`file://nas/share`), which the person has opened in the host: an argument alone never leads there.
 */
export function folderOfHost(uri: string, machine: Paths = paths): string | null {
  const path = isFileUri(uri) ? pathOfUri(uri, machine) : null;
  if (path === null || path.includes('\0') || machine.unfit(path, [path]) !== null) return null;
  const { host } = new URL(uri);
  // Other names than those of machines are devices there.
  return host === '' || /^[\w-][\w.-]*$/.test(host) ? path : null;
}

/** Null where there is no folder that can be looked at. */
async function identify(named: string): Promise<Folder | null> {
  const real = await orNull(realpath(named));
  const isFolder = real !== null && (await orNull(stat(real)))?.isDirectory();
  return isFolder ? { named, real } : null;
}

/**
 * Follows a path from what of it is surely there to its end: only where the part before lies in an open folder it may
 * be said that the rest is missing. A link to nothing could lead anywhere.
 */
async function find(path: string, isOpen: Located['isOpen'], what: Named): Promise<string> {
  const real = await orNull(realpath(path));
  if (real !== null) {
    if (isOpen(real)) return real;
    throw outside();
  }
  const parent = paths.syntax.dirname(path);
  if (parent === path) throw outside();
  const folder = await find(parent, isOpen, what);
  const entry = await entryNamed(folder, paths.syntax.basename(path), what);
  const target = await orNull(realpath(entry));
  if (target !== null && isOpen(target)) return target;
  if (target !== null || (await orNull(lstat(entry)))?.isSymbolicLink()) throw outside();
  throw unreadablePath(what);
}

/** The entry of this name, else the only one whose name differs in its Unicode normalisation alone. */
async function entryNamed(folder: string, name: string, what: Named): Promise<string> {
  const entry = paths.syntax.join(folder, name);
  try {
    await lstat(entry);
    return entry;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') throw unreadablePath(what, error);
  }
  const names = (await orNull(readdir(folder))) ?? [];
  const [only, ...others] = names.filter((each) => each.normalize('NFC') === name.normalize('NFC'));
  if (only !== undefined && others.length === 0) return paths.syntax.join(folder, only);
  throw refusedFile('missing', `There is no such ${what}. Check its name, with upper and lower case.`);
}

function unreadablePath(what: Named, cause?: unknown): ArtworkError {
  const message = `The ${what} may not be read: check its permissions, and those of the folders around it.`;
  return refusedFile('unreadable', message, { cause });
}

function outside(): ArtworkError {
  const message = 'This is outside the folders that are open. Links out of them are not followed.';
  const why =
    'Only a person can open another folder, with ARTWORK_UPLOAD_ROOTS or in the host, or move the file into an open one.';
  return refusedFile('outside_roots', message, {
    next: { why, doNot: 'try other spellings of the same path' },
  });
}

function nothingOpen(configured: readonly string[]): ArtworkError {
  const names = configured.slice(0, mostNamed).join(', ');
  const what =
    names === '' ? 'No folder is open for uploads' : `None of the folders for uploads exists (${names})`;
  const how =
    'set ARTWORK_UPLOAD_ROOTS to the folders that hold the artwork, separated as in PATH, and start the server again';
  const why = `Only a person can open a folder: ${how}, or open the folder in the host.`;
  const next: Next = { why, doNot: 'copy the file elsewhere or ask for its bytes' };
  return refusedFile('no_roots', `${what}: ${how}.`, { next });
}

/** The error of a path that leads to nothing, with the folders where the file could be. */
function explained(error: unknown, given: string, folders: readonly Folder[]): unknown {
  if (!(error instanceof ArtworkError)) return error;
  const names = folders.slice(0, mostNamed).map(({ named }) => named);
  const open = `Folders that are open: ${names.join(', ')}${folders.length > mostNamed ? ' and others' : ''}.`;
  const how = /^https?:/i.test(given)
    ? 'Files are not fetched from the web. The person saves the picture into an open folder.'
    : 'The person says where it is, or puts it into an open folder.';
  const next = error.next ?? { why: `${how} ${open}` };
  return new ArtworkError(error.failure, `${error.message} ${open}`, { ...error, next });
}

const mostNamed = 10;

/** What the file system answers, or null for an error of its own. */
export async function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return null;
  }
}
