import type { Context } from '../context.ts';
import type { Route } from '../http.ts';

/** Sign-in, consent and Apps pages below `{auth_url}/account`. */
export function accountRoutes(_context: Context): readonly Route[] {
  return [];
}
