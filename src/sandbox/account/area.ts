import type { Provider } from 'oidc-provider';
import type { Addresses } from '../oauth/addresses.ts';
import type { Keys } from '../oauth/keys.ts';
import type { Lifetimes } from '../oauth/lifetimes.ts';
import type { Database } from '../store/database.ts';
import type { AccountDirectory } from './accounts.ts';
import type { ShownOnce } from './shown-once.ts';

/** What the account's pages are made of. */
export interface Area {
  readonly database: Database;
  readonly addresses: Addresses;
  readonly keys: Keys;
  readonly lifetimes: Lifetimes;
  readonly provider: Provider;
  readonly accounts: AccountDirectory;
  readonly secrets: ShownOnce;
}
