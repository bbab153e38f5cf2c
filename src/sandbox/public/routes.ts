import type { Context } from '../context.ts';
import type { Route } from '../http.ts';

/** Every path that needs no sign-in. */
export function publicRoutes(_context: Context): readonly Route[] {
  return [];
}
