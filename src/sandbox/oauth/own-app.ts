import type { Registration } from './registration.ts';
import { allScopes } from './scopes.ts';

/** The app that every embedded catalogue knows from the start, so that nobody has to register one. */
export const ownApp = {
  clientId: 'artwork-mcp',
  name: 'artwork-mcp',
  redirectUri: 'http://127.0.0.1:43917/callback',
  type: 'public',
  scopes: allScopes,
} as const satisfies Registration & { clientId: string };
