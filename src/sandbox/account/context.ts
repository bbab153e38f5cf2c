import type { Provider } from 'oidc-provider';
import type { Addresses } from '../oauth/addresses.ts';
import type { Keys } from '../oauth/keys.ts';
import type { Lifetimes } from '../oauth/provider.ts';
import type { Database } from '../store/database.ts';
import type { AccountDirectory } from './accounts.ts';
import type { Tickets } from './ticket.ts';

/** What the account pages work with. */
export interface AccountContext {
  readonly database: Database;
  readonly addresses: Addresses;
  readonly keys: Keys;
  readonly lifetimes: Lifetimes;
  readonly provider: Provider;
  readonly accounts: AccountDirectory;
  readonly secrets: OneTimeSecrets;
  readonly tickets: Tickets;
}

/**
 * Keeps a new client secret in memory between the form that creates it and the page that shows it: to reload
 * that page neither shows the secret again nor registers a second app. The secret is stored nowhere.
 */
interface OneTimeSecrets {
  put(clientId: string, sessionUid: string, secret: string): void;
  /** Returns the secret the first time the session that created it asks, and null from then on. */
  take(clientId: string, sessionUid: string): string | null;
}

const secretLifetimeMs = 5 * 60 * 1000;

export function createOneTimeSecrets(): OneTimeSecrets {
  const secrets = new Map<string, { sessionUid: string; secret: string; until: number }>();
  return {
    put(clientId, sessionUid, secret) {
      const now = Date.now();
      for (const [id, entry] of secrets) if (entry.until < now) secrets.delete(id);
      secrets.set(clientId, { sessionUid, secret, until: now + secretLifetimeMs });
    },
    take(clientId, sessionUid) {
      const entry = secrets.get(clientId);
      if (entry === undefined || entry.sessionUid !== sessionUid) return null;
      secrets.delete(clientId);
      return entry.until < Date.now() ? null : entry.secret;
    },
  };
}
