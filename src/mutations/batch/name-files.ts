import { ArtworkError } from '../../errors.ts';
import { nameIn, type Names, nameOfArtwork } from '../names.ts';
import type { Declared } from '../declared.ts';

/** How many files the message itself names. */
const mostInMessage = 5;

/**
 * The service names items by their place in the admission, which the caller may never have seen: the
 * files are named beside it.
 */
export function nameFiles(error: ArtworkError, { items }: Declared, names: Names = {}): ArtworkError {
  const named: string[] = [];
  const issues = error.issues?.map((issue) => {
    const [list, place] = issue.path;
    const isItem = (list === 'declaredFiles' || list === 'items') && /^\d{1,6}$/.test(place ?? '');
    const item = isItem ? items[Number(place)] : undefined;
    const filename = item?.file?.filename;
    if (item === undefined || filename === undefined) return issue;
    if (!named.includes(filename)) named.push(filename);
    const target = nameIn(names, item.targetKind, item.targetId);
    const what = target === undefined ? filename : `${filename} (${nameOfArtwork(item.slot, target)})`;
    return { ...issue, message: `${what}: ${issue.message}` };
  });
  if (named.length === 0) return error;
  const { category, code, status, details, next } = error;
  const more = named.length > mostInMessage ? ` and ${named.length - mostInMessage} more` : '';
  const message = `${error.message} (${named.slice(0, mostInMessage).join(', ')}${more})`;
  return new ArtworkError(category, message, { code, status, details, issues, next, cause: error });
}
