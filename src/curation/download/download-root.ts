import { type BigIntStats, constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf, type ErrorFacts, invalidArguments, type Next } from '../../errors.ts';
import { modes, type Paths, paths } from '../../machine.ts';
import { isSafeName, nameOf } from './file-names.ts';

/** The one folder below which anything is written, as it was when the call began. */
export interface DownloadRoot extends SeenFolder {
  /** ARTWORK_HOME, which nothing is written into where it lies below the root; null where it is not there yet. */
  readonly home: SeenFolder | null;
}

/** Where a folder led to when it was first seen usable. Only a person, who starts the server again, leads it elsewhere. */
const firstSeen = new Map<string, string>();

/**
 * Why nothing can be written below a folder as it is now; null: it can. In words that go on after its path.
 * @param home ARTWORK_HOME: what is kept there, and swept, must not meet with a library of artwork
 */
export async function downloadRootFault(
  folder: string,
  home: string,
): Promise<{ readonly is: string; readonly code: string } | null> {
  try {
    if (!(await stat(folder)).isDirectory())
      return { is: 'is not a folder', code: 'download_root_no_folder' };
    if (paths.liesBelow(await realHome(home), await realpath(folder))) {
      return {
        is: 'is ARTWORK_HOME or lies in it, where this program keeps its own data: it must be another folder',
        code: 'download_root_in_home',
      };
    }
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const real = await realpath(folder);
    const first = firstSeen.get(folder) ?? real;
    firstSeen.set(folder, first);
    if (real === first) return null;
    const is = `led to ${first} when the server was started, and leads to ${real} now`;
    return { is, code: 'download_root_changed' };
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    return code === 'ENOENT'
      ? { is: 'does not exist', code: 'download_root_missing' }
      : { is: `can't be written to (${code})`, code: 'download_root_not_writable' };
  }
}

/**
 * Looks the folder up anew, since a disk may come and go while the server runs.
 * @param configured ARTWORK_DOWNLOAD_ROOT, an absolute path
 * @param home ARTWORK_HOME
 * @throws ArtworkError `conflict` where it is not set or can't be written to: only a person can mend it
 */
export async function openDownloadRoot(configured: string | null, home: string): Promise<DownloadRoot> {
  if (configured === null) {
    throw closed('No folder is open for downloads, since ARTWORK_DOWNLOAD_ROOT is not set.', {
      code: 'download_root_unset',
      why: 'Only a person can open one: set ARTWORK_DOWNLOAD_ROOT to a folder that artwork may be written below, such as the assets folder of Kometa, and start the server again.',
    });
  }
  const fault = await downloadRootFault(configured, home);
  if (fault === null) {
    const seen = await seeFolderStill(firstSeen.get(configured) ?? configured);
    // Asked again: what was seen may be what a link has led to for a moment.
    if (seen === null || (await realOf(configured)) !== seen.path) throw exchanged(configured, configured);
    return { ...seen, home: await seeHome(home) };
  }
  throw closed(`ARTWORK_DOWNLOAD_ROOT: ${configured} ${fault.is}.`, {
    code: fault.code,
    why: 'Only a person can mend it: make the folder, plug in its disk, let this user write to it, or set ARTWORK_DOWNLOAD_ROOT to another one and start the server again. Then the same call can be made again.',
  });
}

/**
 * The folders that an argument names below the root: relative, or an absolute path that lies in it.
 * @throws ArtworkError `invalid_arguments` with the nearest name that is safe on every file system
 */
export function foldersIn(
  root: Pick<DownloadRoot, 'path'>,
  folder: string | undefined,
  { syntax, namesIn }: Paths = paths,
): readonly string[] {
  if (folder === undefined) return [];
  const below = syntax.isAbsolute(folder) ? syntax.relative(root.path, syntax.resolve(folder)) : folder;
  const names = namesIn(below).filter((name) => name !== '' && name !== '.');
  if (names.includes('..') || syntax.isAbsolute(below)) {
    throw wrongFolder(`lies outside of the folder for downloads, ${root.path}: name one below it`, {
      why: `Files are only written below ${root.path}: the person names a folder there, or opens another one with ARTWORK_DOWNLOAD_ROOT.`,
    });
  }
  const wrong = names.find((name) => !isSafeName(name));
  if (wrong === undefined) {
    const isShort = names.length <= deepest && Buffer.byteLength(below) <= longestFolder;
    if (isShort) return names;
    throw wrongFolder(`is too deep or too long: name a shorter one below ${root.path}`);
  }
  const safe = nameOf(wrong, 240);
  const instead = safe === null ? 'use letters' : `such as "${safe}"`;
  throw wrongFolder(`has a name that not every file system takes, below ${root.path}: ${instead}`);
}

const deepest = 8;
/** Bytes. */
const longestFolder = 600;

/** What is not there yet has no folder in it either. */
async function realHome(home: string): Promise<string> {
  try {
    return await realpath(home);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return path.resolve(home);
    throw error;
  }
}

async function seeHome(home: string): Promise<SeenFolder | null> {
  const real = await realOf(home);
  return real === null ? null : seeFolderStill(real);
}

/** Null where it has gone. */
async function seeFolderStill(folder: string): Promise<SeenFolder | null> {
  try {
    return await seeFolder(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function closed(
  message: string,
  { code, why }: { readonly code: string; readonly why: string },
): ArtworkError {
  const facts: ErrorFacts = { code, next: { why } };
  return new ArtworkError('conflict', message, facts);
}

function wrongFolder(what: string, next?: Next): ArtworkError {
  const issues = [{ code: 'folder', message: what, path: ['folder'] }];
  return invalidArguments('download_set was called with wrong arguments', issues, next);
}

/** A folder at or below the root, held open, so that what is done in it is done in no other one. */
export interface EnteredFolder {
  /** Without links: what people and records call it. */
  readonly path: string;
  /**
   * Leads to this folder, whatever lies at its path by now. Where the system has no such path it is `path`, and
   * `requireUnchanged` alone tells.
   */
  readonly held: string;
  /**
   * Sees that its path still leads to it, and through no link: it is asked right before anything is written there, and
   * after it.
   * @throws ArtworkError `conflict` where this folder, the root or one between them was exchanged
   */
  requireUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** Enters a folder for as long as some work takes. See `enterFolder`. */
export async function inFolder<Result>(
  root: DownloadRoot,
  folders: readonly string[],
  make: boolean,
  work: (folder: EnteredFolder | null) => Promise<Result>,
): Promise<Result> {
  const folder = await enterFolder(root, folders, make);
  try {
    return await work(folder);
  } finally {
    await folder?.close();
  }
}

/**
 * A folder below the root as it is on the disk. Links are followed only to what lies in the root. The caller closes it.
 * @param make whether folders that are missing are made
 * @returns null where it is missing and was not to be made
 * @throws ArtworkError `forbidden` for a link out of the root, `conflict` where a folder was exchanged meanwhile; the
 *   system's own error where it can't be made
 */
export async function enterFolder(
  root: DownloadRoot,
  folders: readonly string[],
  make: boolean,
): Promise<EnteredFolder | null> {
  let at = await hold(root, root.path, root.path, []);
  try {
    for (const name of folders) {
      // Else a folder would be made in a root that is not there any more.
      if (make) await at.requireUnchanged();
      if (make && (await makeFolder(path.join(at.held, name)))) await modes.syncFolder(at.held);
      const next = await enterNext(root, at, name);
      await at.close();
      if (next === null && make) throw exchanged(path.join(at.path, name), root.path);
      if (next === null) return null;
      at = next;
    }
    await at.requireUnchanged();
    return at;
  } catch (error) {
    await at.close();
    throw error;
  }
}

async function enterNext(
  root: DownloadRoot,
  { path: above, held, seen }: Held,
  name: string,
): Promise<Held | null> {
  const named = path.join(above, name);
  const status = await statusOf(path.join(held, name));
  if (status === null) return null;
  if (status.isSymbolicLink()) return followLink(root, named);
  if (!status.isDirectory()) throw notFolder(named);
  return hold(root, path.join(held, name), named, seen);
}

/** What a link leads to is entered from the root, folder by folder, and through no other link. */
async function followLink(root: DownloadRoot, link: string): Promise<Held> {
  const real = await realOf(link);
  if (real === null || !paths.liesBelow(root.path, real)) throw linkOut(link);
  let at = await hold(root, root.path, root.path, []);
  for (const name of path.relative(root.path, real).split(path.sep).filter(Boolean)) {
    const above = at;
    try {
      const named = path.join(above.path, name);
      if ((await statusOf(path.join(above.held, name)))?.isDirectory() !== true) throw notFolder(named);
      at = await hold(root, path.join(above.held, name), named, above.seen);
    } finally {
      await above.close();
    }
  }
  return at;
}

/** Null for a link that leads nowhere. */
async function realOf(link: string): Promise<string | null> {
  try {
    return await realpath(link);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

interface Held extends EnteredFolder {
  /** It, and the folders that lead to it from the root. */
  readonly seen: readonly SeenFolder[];
}

/**
 * Opens a folder, through no link.
 * @param way a path that leads to it now
 */
async function hold(
  root: DownloadRoot,
  way: string,
  named: string,
  above: readonly SeenFolder[],
): Promise<Held> {
  const heldAs = async (
    held: string,
    { dev, ino }: BigIntStats,
    close: () => Promise<void>,
  ): Promise<Held> => {
    const seen = [...above, { path: named, dev, ino }];
    // By what it is: some file systems take other letters for the same name.
    if (root.home?.dev === dev && root.home.ino === ino) {
      await close();
      throw inHome(named);
    }
    return {
      path: named,
      held,
      seen,
      async requireUnchanged() {
        for (const folder of [root, ...seen])
          if (!(await isSeenFolderStill(folder))) throw exchanged(folder.path, root.path);
      },
      close,
    };
  };
  if (modes.openFolder === null) return heldAs(named, await lstat(way, { bigint: true }), async () => {});
  let handle: FileHandle;
  try {
    handle = await open(way, modes.openFolder);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ELOOP' && code !== 'ENOTDIR' && code !== 'ENOENT') throw error;
    throw exchanged(named, root.path);
  }
  let isClosed = false;
  // Its path is a link; with the slash it is the folder that is meant.
  const descriptor = modes.pathOfDescriptor(handle.fd);
  return heldAs(
    descriptor === null ? named : `${descriptor}/`,
    await handle.stat({ bigint: true }),
    async () => {
      if (!isClosed) await handle.close();
      isClosed = true;
    },
  );
}

/** @returns whether it was not there */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Null where nothing is. */
async function statusOf(file: string): Promise<Stats | null> {
  try {
    return await lstat(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function linkOut(folder: string): ArtworkError {
  return new ArtworkError('forbidden', `${folder} is a link that leads out of the folder for downloads.`, {
    code: 'download_link',
    next: { why: 'Only a person can take the link away, or open the folder that it leads to instead.' },
  });
}

function inHome(folder: string): ArtworkError {
  return new ArtworkError('forbidden', `${folder} is ARTWORK_HOME, where this program keeps its own data.`, {
    code: 'download_in_home',
    next: { why: 'The person names another folder below ARTWORK_DOWNLOAD_ROOT.' },
  });
}

function notFolder(file: string): ArtworkError {
  return new ArtworkError('conflict', `${file} is a file where a folder is needed.`, {
    code: 'download_in_the_way',
    next: { why: 'Only a person can move that file away; or give another folder.' },
  });
}

function exchanged(folder: string, root: string): ArtworkError {
  const what = folder === root ? 'The folder for downloads' : folder;
  return new ArtworkError('conflict', `${what} was moved, or replaced, while it was written to.`, {
    code: 'download_folder_changed',
    next: { why: 'Once the folder stays as it is the same call can be made again.' },
  });
}

/** A folder at a path without links, and what told it from others when it was first seen. */
interface SeenFolder {
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Notes which folder of the disk a path leads to now, to be told from a later one.
 * @throws the system's own error
 */
export async function seeFolder(folder: string): Promise<SeenFolder> {
  const { dev, ino } = await lstat(folder, { bigint: true });
  return { path: folder, dev, ino };
}

/** Whether its path leads to the same folder still: not to a link, even one that leads to it, and not to nothing. */
async function isSeenFolderStill({ path, dev, ino }: SeenFolder): Promise<boolean> {
  let now: BigIntStats;
  try {
    now = await lstat(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
  return now.isDirectory() && now.dev === dev && now.ino === ino;
}
