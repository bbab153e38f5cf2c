import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf, invalidArguments } from '../../errors.ts';
import { type CheckedFile, checkFile } from '../../files/check.ts';
import { isAboutFile, isRefused, refusedFile } from '../../files/refusal.ts';
import { type Located, locate, orNull, type Roots } from '../../files/roots.ts';
import { mapLimit } from '../../map-limit.ts';
import { isSystemFolder, kindOfFile } from '../../model/names/file-name.ts';

/**
 * The folder that an argument names: an absolute path or a `file:` URI of a folder in one of the roots.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`; of a path outside the roots it says nothing
 */
export async function findFolder(given: string, roots: Roots): Promise<Located> {
  const found = await locate(given, roots, 'folder');
  if ((await orNull(stat(found.path)))?.isDirectory() === true) return found;
  throw unfitFolder('names no folder: give the one that holds the pictures');
}

/** Why something in the folder is not read. */
export type Passed = 'junk' | 'link' | 'unfit_name' | 'unreadable' | 'too_deep';

interface FoundFiles {
  /** Pictures by their names, relative to the folder, with `/`; in a fixed order. */
  readonly files: readonly string[];
  /** How many others there are, by why they were passed over. */
  readonly passed: Readonly<Partial<Record<Passed, number>>>;
  /** The first of them. */
  readonly named: readonly { readonly path: string; readonly why: Passed }[];
}

/** Levels of folders below the chosen one; what lies deeper is named, and not looked at. */
export const deepest = 8;
/** Files and folders that are looked at, whatever they are. */
export const mostEntries = 20_000;
/** Our own limit for one plan, and so for the files of one creation: the interface document shows none. */
export const mostPictures = 2_000;
/** Files whose names do not say what they are, and whose bytes are looked at. */
const mostOdd = 200;
/** Bytes; leaves room for the folder's own path. */
const longestPath = 1_000;

/** Of what was passed over for one reason. */
const mostNamed = 100;

/**
 * Every file below a folder. Folders that systems make are passed over, links to folders are not followed, and links to
 * files only to what lies in the roots.
 * @throws ArtworkError `upload_refused` (`unreadable`), `invalid_arguments` where it holds too much; `cancelled`
 */
export async function walkFolder(
  { path: root, isOpen }: Located,
  signal: AbortSignal | undefined,
): Promise<FoundFiles> {
  const files: string[] = [];
  const passed: Partial<Record<Passed, number>> = {};
  const named: { path: string; why: Passed }[] = [];
  let entries = 0;
  let odd = 0;

  const pass = (at: string, why: Passed): void => {
    const count = (passed[why] ?? 0) + 1;
    passed[why] = count;
    if (count <= mostNamed) named.push({ path: at, why });
  };
  const take = (at: string): void => {
    const kind = kindOfFile(at);
    if (kind === 'odd') odd += 1;
    if (kind === 'junk' || (kind === 'odd' && odd > mostOdd)) pass(at, 'junk');
    // The store and hosts take text only, and not at any length.
    else if (/\p{Surrogate}/u.test(at) || Buffer.byteLength(at) > longestPath) pass(at, 'unfit_name');
    else if (files.push(at) > mostPictures) throw tooMuch(mostPictures, 'pictures');
  };
  const visit = async (inner: string, depth: number): Promise<void> => {
    const found = await list(path.join(root, inner));
    if (found === null) {
      if (inner === '') throw refusedFile('unreadable', 'The folder may not be read: check its permissions.');
      return pass(inner, 'unreadable');
    }
    for (const entry of found) {
      if (signal?.aborted) throw new ArtworkError('cancelled', 'Reading the folder was cancelled.');
      entries += 1;
      if (entries > mostEntries) throw tooMuch(mostEntries, 'files and folders');
      const at = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isFile()) take(at);
      else if (entry.isSymbolicLink()) {
        if (await leadsToFile(path.join(root, at), isOpen)) take(at);
        else pass(at, 'link');
      } else if (!entry.isDirectory() || isSystemFolder(entry.name)) pass(at, 'junk');
      else if (depth === deepest) pass(at, 'too_deep');
      else await visit(at, depth + 1);
    }
  };
  await visit('', 0);
  return { files, passed, named };
}

/** Null where it may not be read. */
async function list(folder: string): Promise<Dirent[] | null> {
  try {
    const found: Dirent[] = [];
    for await (const entry of await opendir(folder, { bufferSize: 512 })) {
      // Of a million files nothing more is read than tells that they are too many.
      if (found.push(entry) > mostEntries) throw tooMuch(mostEntries, 'files and folders');
    }
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

async function leadsToFile(link: string, isOpen: Located['isOpen']): Promise<boolean> {
  const real = await orNull(realpath(link));
  return real !== null && isOpen(real) && (await orNull(stat(real)))?.isFile() === true;
}

function tooMuch(most: number, what: string): ArtworkError {
  return unfitFolder(`holds more than ${most} ${what}: plan the folders inside it, such as each season's`);
}

/** The error of a folder that can't be planned; `problem` follows the argument's name. */
export function unfitFolder(problem: string): ArtworkError {
  const issue = { code: 'folder', message: problem, path: ['folder'] };
  return invalidArguments('plan_set can’t plan this', [issue]);
}

/** What a file is by its content, or why it can't be sent. */
export type InspectedPicture = { readonly facts: CheckedFile } | { readonly refused: ArtworkError };

/** What is known of pictures, by their paths in the folder; those that were not looked at are not in it. */
export type Looks = ReadonlyMap<string, InspectedPicture>;

/** What is known of a picture; null where it was not looked at, or can't be sent. */
export function factsIn(looked: InspectedPicture | undefined): CheckedFile | null {
  return looked !== undefined && 'facts' in looked ? looked.facts : null;
}

interface Inspection {
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
 * Reads, hashes and decodes pictures of a folder. Where time runs out the answer lacks those that were not begun; the
 * next call finds what this one read.
 * @throws ArtworkError `upload_refused` where no folder is open, `cancelled`
 */
export async function inspectPictures(
  folder: string,
  inner: readonly string[],
  { roots, signal, hasTime, progress }: Inspection,
): Promise<Looks> {
  const looks = new Map<string, InspectedPicture>();
  let begun = 0;
  await mapLimit(inner, few, async (at) => {
    const file = path.join(folder, at);
    const version = await versionOf(file);
    const known = version === null ? undefined : remembered.get(version);
    // However late it is, each call gets a little further than the one before.
    if (known === undefined && begun >= few && !hasTime()) return;
    if (known === undefined) begun += 1;
    const looked = known ?? (await lookAt(file, { roots, signal }));
    if (version !== null) remember(version, looked);
    looks.set(at, looked);
    progress(looks.size);
  });
  return looks;
}

async function lookAt(file: string, how: Pick<Inspection, 'roots' | 'signal'>): Promise<InspectedPicture> {
  try {
    return { facts: await checkFile(file, how) };
  } catch (error) {
    if (!isAboutFile(error)) throw error;
    return { refused: error };
  }
}

/** Null where it can't be told: then it is read anew. */
async function versionOf(file: string): Promise<string | null> {
  const status = await orNull(stat(file, { bigint: true }));
  if (status === null) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = status;
  return [file, dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** A failure to read may be mended without a change to the file; what is no picture stays none. */
function remember(version: string, looked: InspectedPicture): void {
  if ('refused' in looked && !isRefused(looked.refused, 'damaged', 'unknown_type', 'empty')) return;
  remembered.set(version, looked);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}
