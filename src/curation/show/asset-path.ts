import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../errors.ts';

/** As long as any path that an answer can show. Characters. */
const longestPath = 4_000;

/**
 * Whether a path that no answer has shown may be asked of the service's pictures: it is root-relative (interface
 * document, Conventions), without a query and without dots for a name, and is none of this machine, whose paths are
 * never sent.
 */
export async function isAssetPath(given: string): Promise<boolean> {
  return isPlainPath(given) && !(await isHere(given));
}

function isPlainPath(given: string): boolean {
  if (given.length > longestPath || !/^\/[^/\\]/.test(given) || /[?#\\\p{Cc}]/u.test(given)) return false;
  const names = given.slice(1).split('/');
  const arePlain = names.every((name, at) => {
    const plain = decoded(name);
    // The last may be empty: a path can end with a slash.
    if (plain === null || /[/\\\p{Cc}]/u.test(plain) || (plain === '' && at < names.length - 1)) return false;
    // Some servers read `..;x` as dots with a parameter.
    return !/^\.{1,2}(?:;|$)/.test(plain);
  });
  // The URL is what is requested. It drops spaces at the end of a path, so that `.. ` becomes dots.
  return arePlain && decoded(new URL(given, 'http://service.invalid').pathname) === decoded(given);
}

/** Null for what is not well encoded. */
function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Whether this machine has the folders with which a path begins: both, of one that lies deeper than two. One alone tells
 * nothing, since machines and services both call a folder `media`, unless it is all that the path has.
 */
async function isHere(given: string): Promise<boolean> {
  const names = given.split('/').slice(1);
  const first = names.slice(0, Math.min(2, Math.max(1, names.length - 1)));
  try {
    await lstat(path.resolve('/', ...first));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    if (codeOf(error) === null) throw error;
    return true;
  }
}
