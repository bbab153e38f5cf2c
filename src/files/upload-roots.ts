import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError } from '../errors.ts';
import { codeOf } from '../storage/store-error.ts';
import { parseFile } from './file-argument.ts';
import { refuse } from './refusal.ts';

/** The folders that files may be read from, as they are on the disk at this moment. */
export interface UploadRoots {
  /** As they were named, for messages. */
  readonly named: readonly string[];
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
export async function findRoots({ configured, host }: RootNames): Promise<UploadRoots> {
  const named = [...new Set([...configured, ...host.flatMap(folderOf)])];
  if (named.length === 0) throw withoutRoots('No folder is open for uploads');
  const found = await Promise.all(named.map(identify));
  const folders = new Set(found.filter((id) => id !== null));
  if (folders.size === 0) {
    throw withoutRoots(`None of the folders that are open for uploads exists (${named.join(', ')})`);
  }
  return {
    named,
    async hold(real) {
      for (let folder = real; ; folder = path.dirname(folder)) {
        const id = await identify(folder);
        if (id !== null && folders.has(id)) return true;
        if (folder === path.dirname(folder)) return false;
      }
    },
  };
}

/**
 * What a folder is, whatever it is called: some file systems take names that differ in case or in Unicode
 * normalisation for the same, others don't. Null where there is no folder that can be looked at.
 */
async function identify(folder: string): Promise<string | null> {
  try {
    const status = await stat(await realpath(folder), { bigint: true });
    return status.isDirectory() ? `${status.dev}:${status.ino}` : null;
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

function folderOf(uri: string): string[] {
  if (!/^file:/i.test(uri)) return [];
  try {
    return [parseFile(uri)];
  } catch (error) {
    if (error instanceof ArtworkError) return [];
    throw error;
  }
}

function withoutRoots(what: string): ArtworkError {
  const how =
    'set ARTWORK_UPLOAD_ROOTS to the folders that hold the artwork, separated as in PATH, and start the server again';
  return refuse('no_roots', `${what}: ${how}.`, {
    next: {
      why: `Only a person can open a folder: ${how}, or open the folder in the host.`,
      doNot: 'copy the file elsewhere or ask for its bytes',
    },
  });
}
