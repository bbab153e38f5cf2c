import type { Context } from '../context.ts';

/** What an access token stands for. */
export interface Connection {
  readonly accountId: number;
  readonly scopes: ReadonlySet<string>;
  readonly clientId: string;
}

/** The connection of a valid access token for `{base_url}/me`; null for any other token. */
export function connectionOf(_context: Context, _accessToken: string): Connection | null {
  return null;
}

/** Ends this access token and all others of its connection, as if their time were over. Renewal stays possible. */
export function expireAccessTokens(_context: Context, _accessToken: string): void {}
