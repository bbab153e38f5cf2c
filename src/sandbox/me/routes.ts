import type { Context } from '../context.ts';
import type { Route } from '../http.ts';

/** The protected operations below `{base_url}/me`. */
export function protectedRoutes(_context: Context): readonly Route[] {
  return [];
}
