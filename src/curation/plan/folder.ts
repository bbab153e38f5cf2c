import type { Dirent } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../../errors.ts';
import { type CheckedFile, checkFile } from '../../files/check.ts';
import { isRefused, refusedFile } from '../../files/refusal.ts';
import { type Located, locate, type Roots } from '../../files/roots.ts';
import { mapLimit } from '../../map-limit.ts';
import { isSystemFolder, kindOfFile } from '../../model/names/file-name.ts';

/**
 * The folder that an argument names: an absolute path or a `file:` URI of a folder in one of the roots.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`; of a path outside the roots it says nothing
 */
export async function findFolder(given: string, roots: Roots): Promise<Located> {
  const found = await locate(given, roots, 'folder').catch((error: unknown) => {
    if (isRefused(error, 'missing')) {
      const words = 'There is no such folder: check its name, upper and lower case too.';
      throw refusedFile('missing', words, error.next === undefined ? {} : { next: error.next });
    }
    if (isRefused(error, 'unreadable')) throw unreadableFolder(error);
    throw error;
  });
  const status = await lstat(found.path).catch((error: unknown) => {
    if (codeOf(error) === null) throw error;
    throw unreadableFolder(error);
  });
  if (!status.isDirectory()) {
    throw new ArtworkError('invalid_arguments', 'This is a file: give the folder that it lies in.', {
      issues: [{ code: 'folder', message: 'is no folder', path: ['folder'] }],
    });
  }
  return found;
}

/** The error of a folder that this user may not read. */
function unreadableFolder(cause: unknown): ArtworkError {
  return refusedFile('unreadable', 'The folder may not be read: check its permissions.', { cause });
}

/** What the matcher takes no notice of. */
export type Passed = 'junk' | 'link' | 'unfit_name' | 'unreadable' | 'too_deep';

interface FoundFiles {
  /** Pictures by their names, relative to the folder, with `/`; in a fixed order. */
  readonly files: readonly string[];
  /** How many others there are, by why they were passed over. */
  readonly passed: Readonly<Partial<Record<Passed, number>>>;
  /** Some of them; of junk a few. */
  readonly named: readonly { readonly path: string; readonly why: Passed }[];
}

/** Levels of folders below the chosen one; what lies deeper is named, and not looked at. */
export const deepest = 8;
/** Files and folders that are looked at, whatever they are. */
export const mostEntries = 20_000;
/** One plan, and one Set's creation, take no more. */
export const mostPictures = 2_000;
/** Files whose names do not say what they are, and whose bytes are looked at. */
const mostOdd = 200;
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
  { path: root, isOpen }: Located,
  signal: AbortSignal | undefined,
): Promise<FoundFiles> {
  const files: string[] = [];
  const passed: Partial<Record<Passed, number>> = {};
  const named: { path: string; why: Passed }[] = [];
  const junk: typeof named = [];
  let entries = 0;
  let odd = 0;

  const pass = (at: string, why: Passed): void => {
    passed[why] = (passed[why] ?? 0) + 1;
    if (why !== 'junk' && named.length < mostNamed) named.push({ path: at, why });
    if (why === 'junk' && junk.length < mostJunkNamed && !isUnfit(at)) junk.push({ path: at, why });
  };
  const takeFile = (at: string): void => {
    const kind = kindOfFile(at);
    if (kind === 'odd') odd += 1;
    const isJunk = kind === 'junk' || (kind === 'odd' && odd > mostOdd);
    const unfit = isJunk ? 'junk' : isUnfit(at) ? 'unfit_name' : null;
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
        else if (await leadsToFile(path.join(root, at), isOpen)) takeFile(at);
        else pass(at, 'link');
      } else if (!entry.isDirectory() || isSystemFolder(entry.name)) pass(at, 'junk');
      else if (depth === deepest) pass(at, 'too_deep');
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
    const found: Dirent[] = [];
    for await (const entry of await opendir(folder, { bufferSize: 512 })) {
      found.push(entry);
      // Of a million files nothing more is read than tells that they are too many.
      if (found.length > mostEntries) throw tooMuch(`more than ${mostEntries} files and folders`);
    }
    // Another program may have put a link in its place, which could lead anywhere.
    if ((await realpath(folder)) !== folder) return null;
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

async function leadsToFile(link: string, isOpen: Located['isOpen']): Promise<boolean> {
  try {
    const real = await realpath(link);
    return isOpen(real) && (await stat(real)).isFile();
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

/** What a file is by its content, or why it can't be sent. */
export type InspectedPicture = { readonly facts: CheckedFile } | { readonly refused: ArtworkError };

/** What is known of a picture; null where it was not looked at, or can't be sent. */
export function factsIn(looked: InspectedPicture | undefined): CheckedFile | null {
  return looked !== undefined && 'facts' in looked ? looked.facts : null;
}

interface PictureInspection {
  readonly roots: Roots;
  readonly signal: AbortSignal | undefined;
  /** Whether there is time to begin with another file. */
  hasTime(): boolean;
  progress(done: number): void;
}

/** Reading, hashing and decoding: two at a time keep a small machine busy. */
const few = 2;
const mostRemembered = 4_000;

/**
 * By what tells one version of a file from the next; the next call goes on where one ran out of time. A folder of 60
 * title cards of 1920×1080 is planned again in 0.05 s instead of 2.1.
 */
const remembered = new Map<string, InspectedPicture>();

/**
 * Reads, hashes and decodes pictures, by their paths. Where time runs out the answer lacks those that were not
 * begun; the next call finds what this one read.
 * @throws ArtworkError `upload_refused` where no folder is open, `cancelled`
 */
export async function inspectPictures(
  paths: readonly string[],
  looking: PictureInspection,
): Promise<ReadonlyMap<string, InspectedPicture>> {
  const looks = new Map<string, InspectedPicture>();
  let begun = 0;
  await mapLimit(paths, few, async (path) => {
    const version = await versionOf(path);
    const known = version === null ? undefined : remembered.get(version);
    // However late it is, each call gets a little further than the one before.
    if (known === undefined && begun >= few && !looking.hasTime()) return;
    if (known === undefined) begun += 1;
    const looked = known ?? (await lookAt(path, looking));
    looks.set(path, looked);
    if (version !== null && isOfContent(looked)) remember(version, looked);
    looking.progress(looks.size);
  });
  return looks;
}

async function lookAt(path: string, { roots, signal }: PictureInspection): Promise<InspectedPicture> {
  try {
    return { facts: await checkFile(path, { roots, signal }) };
  } catch (error) {
    if (!(error instanceof ArtworkError) || !isAboutFile(error)) throw error;
    return { refused: error };
  }
}

/** A failure to read may be mended without a change to the file; what is no picture stays none. */
function isOfContent(looked: InspectedPicture): boolean {
  if ('facts' in looked) return true;
  return isRefused(looked.refused, 'damaged', 'unknown_type', 'empty');
}

/** Without an open folder no other file can be read either. */
function isAboutFile({ failure, details }: ArtworkError): boolean {
  return failure === 'invalid_arguments' || (failure === 'upload_refused' && details?.reason !== 'no_roots');
}

/** Null where it can't be told: then it is read anew. */
async function versionOf(path: string): Promise<string | null> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [path, dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

function remember(version: string, looked: InspectedPicture): void {
  remembered.set(version, looked);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}
