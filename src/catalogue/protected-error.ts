import { ArtworkError } from '../errors.ts';
import { confirmation, missingScopes, type NeededScopes, scopeMissing } from './scopes.ts';

/**
 * What a refused protected request means to whoever made it (interface document, Errors: 401 and 403). A 403
 * is `scope_missing` unless every needed scope was granted; then the resource is not the caller's.
 */
export function protectedError(
  error: ArtworkError,
  needed: NeededScopes,
  granted: readonly string[],
): ArtworkError {
  const { status, code, category } = error;
  if (status === 403 && category === 'forbidden' && missingScopes(needed, granted).length > 0) {
    return scopeMissing(needed, granted, { status, code: code === category ? undefined : code });
  }
  return status === 401 && error.next === undefined ? reconnectRequired(error, granted) : error;
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
      why: `The service no longer accepts this connection: its owner has to sign in again.${confirmation(granted)}`,
    },
  });
}
