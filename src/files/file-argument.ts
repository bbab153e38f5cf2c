import nodePath from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArtworkError } from '../errors.ts';

// Longer than any path of Linux or macOS; Windows takes 32,767.
const longest = 32_767;

/**
 * The absolute path that a `file` argument names: an absolute path, or a `file:` URI of this machine. It is
 * not resolved: `..` stays, since behind a link it means something else than its text says.
 * @throws ArtworkError `invalid_arguments`
 */
export function parseFileArgument(
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

/**
 * What makes a Windows path unfit as a file to upload, or null: paths to other machines (opening one hands
 * the user's credentials to them), devices, streams of files, and names that Windows silently changes, so
 * that the file that is opened is not the one that was named.
 */
export function unfitWindowsPath(path: string): string | null {
  if (/^[\\/]{2}/.test(path)) return 'names another machine or a device';
  if (!/^[a-z]:[\\/]/i.test(path)) return 'does not start with a drive, as in C:\\';
  const names = path.slice(3).split(/[\\/]+/);
  if (names.some((name) => name.includes(':'))) return 'names a stream of a file';
  if (names.some((name) => device.test(name))) return 'names a device';
  if (names.some((name) => /[. ]$/.test(name) && name !== '.' && name !== '..')) {
    return 'has a name that ends in a dot or a space';
  }
  return null;
}

// Windows takes these for devices in every folder, with any extension, and with spaces before it.
const device = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(\.|$)/i;
