import type { Bearer } from '../../connections/grant.ts';
import { requireSameAccount } from '../session.ts';
import type { Delivery } from '../delivery/delivery.ts';

/** Access tokens for work that outlives one of them, always of the account that it was begun for. */
export interface Tokens {
  /** @throws ArtworkError `not_connected`, `reconnect_required`, or why there is none now */
  current(): Promise<Bearer>;
  /** The service said 401 to this one. @throws as `current` */
  renew(rejected: Bearer): Promise<Bearer>;
}

/** The access tokens for the requests of a submission, of its own account alone. */
export function tokensFor({ ports: { connections }, scope, signals }: Delivery): Tokens {
  const ofSameAccount = (bearer: Bearer): Bearer => {
    requireSameAccount(bearer, scope);
    return bearer;
  };
  const signal = signals.closing;
  return {
    current: async () => ofSameAccount(await connections.bearer({ signal })),
    renew: async (rejected) => ofSameAccount(await connections.onUnauthorized(rejected, { signal })),
  };
}
