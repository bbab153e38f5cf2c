import { createHash } from 'node:crypto';

/** Whose connection to what. Two keys never share a pointer or a record. */
export interface ConnectionKey {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  readonly clientId: string;
  /** The name on this machine (`ARTWORK_USER`), not the account on the service. */
  readonly user: string;
  /** Where the pointer lies in the atomic store. */
  readonly pointer: string;
}

/** Begins the name of every user's pointer. */
export const pointerPrefix = 'connection:';

export function connectionKey(service: string, clientId: string, user: string): ConnectionKey {
  // JSON keeps the three apart whatever they hold; the digest makes any length fit a key.
  const digest = createHash('sha256')
    .update(JSON.stringify([service, clientId, user]))
    .digest('base64url');
  return { service, clientId, user, pointer: `${pointerPrefix}${digest}` };
}
