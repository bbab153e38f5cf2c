import { ArtworkError, type Next } from '../errors.ts';
import { confirmationWords, missingScopes, type NeededScopes, scopeMissingError } from './scopes.ts';

/**
 * What a refused protected request means to its caller (interface document, Errors: 401 and 403). A 403
 * is `scope_missing` unless every needed scope was granted; then the resource is not the caller's.
 */
export function protectedError(
  error: ArtworkError,
  needed: NeededScopes,
  granted: readonly string[],
): ArtworkError {
  const { status, code, category } = error;
  if (status === 403 && category === 'forbidden' && missingScopes(needed, granted).length > 0) {
    return scopeMissingError(needed, granted, { status, code: code === category ? undefined : code });
  }
  if (category === 'forbidden' && status === 403 && error.next === undefined)
    return withNext(error, notOwned);
  return status === 401 && error.next === undefined ? reconnectRequired(error, granted) : error;
}

/** "Permissions never override ownership" (Authentication, Scopes). */
export const notOwned: Next = {
  why: 'Every needed permission is granted, so it is another account’s, and only that one can read it here or change it. What is this account’s own find_upload_destinations lists; a picture of your own is put beside another’s by upload_asset with operation add, and what another has made is seen by get_entity, get_set and view_artwork.',
};

function withNext(
  { category, code, status, message, details, issues }: ArtworkError,
  next: Next,
): ArtworkError {
  return new ArtworkError(category, message, {
    code: code === category ? undefined : code,
    status,
    details,
    issues,
    next,
  });
}

function reconnectRequired(
  { code, category, status, message, details, issues }: ArtworkError,
  granted: readonly string[],
): ArtworkError {
  return new ArtworkError('reconnect_required', message, {
    code: code === category ? undefined : code,
    status,
    details,
    issues,
    next: {
      tool: 'connect_account',
      arguments: {},
      why: `The service no longer accepts this connection: its owner has to sign in again.${confirmationWords(granted)}`,
    },
  });
}
