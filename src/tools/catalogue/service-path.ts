import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { ArtworkError, codeOf } from '../../errors.ts';
import type { Context } from '../../mcp/context.ts';

/**
 * Only a path that an answer has shown, or one of the form that they have, goes to the service: a path of this machine
 * would tell what lies on it.
 * @throws ArtworkError `invalid_arguments`
 */
export async function requireServicePath(
  given: string,
  { shownPaths }: Pick<Context, 'shownPaths'>,
): Promise<void> {
  if (shownPaths.has(given) || (isPlainPath(given) && !(await isHere(given)))) return;
  const message =
    'This path is not sent to the service: it is on this machine, or it has dots or a query. Give a path as an answer shows it. For a file of this machine, use `file`.';
  throw new ArtworkError('invalid_arguments', message);
}

/** Root-relative (interface document, Conventions), without a query, and without dots for a name however encoded. */
function isPlainPath(given: string): boolean {
  if (!/^\/[^/\\]/.test(given) || /[?#\\\p{Cc}]/u.test(given)) return false;
  const plain = decoded(given);
  // Some servers read `..;x` as dots with a parameter.
  if (plain === null || /[\\\p{Cc}]/u.test(plain) || /\/\.{1,2}(?:[;/]|$)/.test(plain)) return false;
  // The URL is what is requested: it drops spaces at the end of a path, so that `.. ` becomes dots.
  return decoded(new URL(given, 'http://service.invalid').pathname) === plain;
}

/** Null for what is not well encoded. */
function decoded(given: string): string | null {
  try {
    return decodeURIComponent(given);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Whether this machine has the first two folders of a path. One alone tells nothing, since machines and services both
 * call a folder `media`, unless the path has no more.
 */
async function isHere(given: string): Promise<boolean> {
  const names = given.split('/').slice(1);
  try {
    await lstat(path.resolve('/', ...names.slice(0, Math.min(2, Math.max(1, names.length - 1)))));
    return true;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR';
  }
}
