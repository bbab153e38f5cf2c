import { ArtworkError } from '../errors.ts';
import { type Paths, paths } from '../machine.ts';

// Longer than any path of Linux or macOS; Windows takes 32,767.
const longest = 32_767;

/**
 * The absolute path that a `file` argument names: an absolute path, or a `file:` URI of this machine. It is
 * not resolved: `..` stays, since behind a link it means something else than its text says.
 * @param open folders that a person has opened, without links
 * @throws ArtworkError `invalid_arguments`
 */
export function parseFileArgument(
  file: string,
  argument: 'file' | 'folder' = 'file',
  open: readonly string[] = [],
  machine: Paths = paths,
): string {
  const invalid = (why: string, cause?: unknown) => unfitPath(argument, why, cause);
  if (file.length > longest) throw invalid('is too long for a path');
  const named = isFileUri(file) ? pathOfUri(file, machine, invalid) : file;
  if (named.includes('\0')) throw invalid('holds a null character');
  const unfit = machine.unfit(named, open);
  if (unfit !== null) throw invalid(unfit);
  return named;
}

/** Whether a name of a file is a `file:` URI. */
export function isFileUri(name: string): boolean {
  return /^file:/i.test(name);
}

type Invalid = (why: string, cause?: unknown) => ArtworkError;

/** The path that a `file:` URI names. */
export function pathOfUri(uri: string, machine: Paths, invalid: Invalid): string {
  if (!URL.canParse(uri)) throw invalid('is not a valid file: URI');
  const url = new URL(uri);
  if (url.host !== '' && !machine.reachesOthers) throw invalid('names another machine');
  if (url.search !== '' || url.hash !== '') {
    throw invalid('has a query or a fragment: in a file: URI, ? is written %3F and # is written %23');
  }
  try {
    return machine.ofUri(url);
  } catch (error) {
    if (error instanceof URIError || error instanceof TypeError) {
      throw invalid('is a file: URI whose percent-encoding names no path of this machine', error);
    }
    throw error;
  }
}

/** The error of an argument that names no file of this machine. */
export function unfitPath(argument: string, why: string, cause?: unknown): ArtworkError {
  return new ArtworkError(
    'invalid_arguments',
    `\`${argument}\` ${why}. Give an absolute path on this machine, or a file: URI such as file:///pictures/poster.png.`,
    { cause },
  );
}
