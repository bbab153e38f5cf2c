import { ArtworkError } from '../errors.ts';
import type { ServicePath } from './path.ts';

/**
 * Checks the path of a later page. It is appended to `{base_url}` (interface document, Endpoints), so only
 * one that goes on below the list's first page is followed: nothing that leads to another host, another
 * list, or upwards, encoded or not. A service below a path prefix may write its paths with the prefix.
 * @param prefix of `{base_url}`, without a slash at its end
 * @returns the path below `{base_url}`
 * @throws ArtworkError `bad_response`
 */
export function resolveNextPage(nextPage: string, firstPage: ServicePath, prefix: string): ServicePath {
  const path = withoutPrefix(nextPage, firstPage, prefix);
  const [pathname = '', ...query] = path.split('?');
  if (
    path.length > 2048 ||
    query.length > 1 ||
    // Printable ASCII that a URL carries as it stands; a backslash or a fragment is not among it.
    !/^[\w\-.~!$&'()*+,;=:@%/?]+$/.test(path) ||
    !(pathname === firstPage || pathname.startsWith(`${firstPage}/`)) ||
    // The first page again would be an endless walk.
    path === firstPage ||
    !pathname.split('/').every(isPlainSegment)
  ) {
    throw new ArtworkError(
      'bad_response',
      `The service named a next page that is not below ${firstPage}; it is not followed.`,
    );
  }
  return path as ServicePath;
}

/** A path that is right as it stands is taken so: the document's own example goes below `{base_url}`. */
function withoutPrefix(nextPage: string, firstPage: ServicePath, prefix: string): string {
  return !nextPage.startsWith(firstPage) && nextPage.startsWith(`${prefix}/`)
    ? nextPage.slice(prefix.length)
    : nextPage;
}

function isPlainSegment(segment: string, index: number): boolean {
  if (segment === '') return index === 0;
  let decoded = segment;
  // Decoded until it stays the same: a gateway in front of the service may decode once more than it does.
  for (let rounds = 0; decoded.includes('%'); rounds++) {
    if (rounds === 3) return false;
    try {
      decoded = decodeURIComponent(decoded);
    } catch (error) {
      if (error instanceof URIError) return false;
      throw error;
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a decoded control character is refused
  return decoded !== '.' && decoded !== '..' && !/[/\\\u0000-\u001f\u007f]/.test(decoded);
}
