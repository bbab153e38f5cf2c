import type { Mount } from '../premises.ts';
import { createAuthorization } from './authorization.ts';
import type { Lifetimes } from './lifetimes.ts';

/** @param authUrl `{auth_url}`; default: the origin. */
export function authorizationMount(
  options: { readonly authUrl?: string; readonly lifetimes?: Partial<Lifetimes> } = {},
): Mount {
  return async ({ database, dataDir, baseUrl, origin }) => {
    const { lifetimes, authUrl = origin } = options;
    const authorization = await createAuthorization({
      database,
      dataDir,
      baseUrl,
      authUrl,
      ...(lifetimes === undefined ? {} : { lifetimes }),
    });
    return authorization.handle;
  };
}
