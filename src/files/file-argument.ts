import nodePath from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArtworkError } from '../errors.ts';
import { unfitWindowsPath } from './windows-path.ts';

// Longer than any path of Linux or macOS; Windows takes 32,767.
const longest = 32_767;

/**
 * The absolute path that a `file` argument names: an absolute path, or a `file:` URI of this machine. It is
 * not resolved: `..` stays, since behind a link it means something else than its text says.
 * @throws ArtworkError `invalid_arguments`
 */
export function parseFile(
  file: string,
  platform: NodeJS.Platform = process.platform,
  argument: 'file' | 'folder' = 'file',
): string {
  const invalid = (why: string, cause?: unknown) => unfitPath(argument, why, cause);
  const windows = platform === 'win32';
  if (file.length > longest) throw invalid('is too long for a path');
  const path = /^file:/i.test(file) ? pathOfUri(file, windows, invalid) : file;
  if (path.includes('\0')) throw invalid('holds a null character');
  if (windows) {
    const unfit = unfitWindowsPath(path);
    if (unfit !== null) throw invalid(unfit);
  } else if (!nodePath.posix.isAbsolute(path)) throw invalid('is not absolute');
  return path;
}

type Invalid = (why: string, cause?: unknown) => ArtworkError;

function pathOfUri(uri: string, windows: boolean, invalid: Invalid): string {
  if (!URL.canParse(uri)) throw invalid('is not a valid file: URI');
  const url = new URL(uri);
  if (url.host !== '') throw invalid('names another machine');
  if (url.search !== '' || url.hash !== '') {
    throw invalid('has a query or a fragment: in a file: URI, ? is written %3F and # is written %23');
  }
  try {
    return fileURLToPath(url, { windows });
  } catch (error) {
    if (error instanceof URIError || error instanceof TypeError) {
      throw invalid('is a file: URI whose percent-encoding names no path of this machine', error);
    }
    throw error;
  }
}

function unfitPath(argument: string, why: string, cause?: unknown): ArtworkError {
  return new ArtworkError(
    'invalid_arguments',
    `\`${argument}\` ${why}. Give an absolute path on this machine, or a file: URI such as file:///pictures/poster.png.`,
    { cause },
  );
}
