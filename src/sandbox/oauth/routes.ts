import type { Context } from '../context.ts';
import type { Route } from '../http.ts';

/** The authorization server below `{auth_url}/api/auth` and `{base_url}/api/auth`. */
export function oauthRoutes(_context: Context): readonly Route[] {
  return [];
}
