import type { IncomingMessage } from 'node:http';
import { findAccessToken } from '../oauth/access-tokens.ts';
import { noteUse } from '../oauth/connections.ts';
import type { Database } from '../store/database.ts';
import type { Access, Caller, Needed } from './caller.ts';
import { cookiesRefused, scopeMissing, tokenInvalid, tokenMissing } from './refusals.ts';

/** Where protected requests go: a catalogue's database and its `{base_url}`. */
export interface ProtectedSide {
  readonly database: Database;
  readonly baseUrl: string;
}

/**
 * Judges a protected request by its headers: no cookies, a bearer token that is ours, alive and for this
 * service, and the scopes that the operation needs (What the service does, 4 and 5; Authentication 11).
 * Ownership is the operation's own business. The connection's last use becomes now.
 */
export function authorizeRequest(side: ProtectedSide, request: IncomingMessage, needed: Needed): Access {
  if (request.headers.cookie !== undefined) return { granted: false, refusal: cookiesRefused() };
  const given = request.headersDistinct.authorization ?? [];
  if (given.length === 0) return { granted: false, refusal: tokenMissing() };
  // Two such headers are no clear word, whichever of them Node would show.
  const token = given.length === 1 ? /^Bearer +([\w\-.~+/]+=*)$/i.exec(given[0] ?? '')?.[1] : undefined;
  const found = token === undefined ? undefined : findAccessToken(side.database, token);
  if (found === undefined || found.audience !== `${side.baseUrl}/me`) {
    return { granted: false, refusal: tokenInvalid() };
  }
  const { accountId, clientId, connectionId, scopes } = found;
  noteUse(side.database, connectionId, found.lastUsedAt);
  return requireScopes({ accountId, clientId, connectionId, scopes }, needed);
}

/** Judges again where the body says what is needed, such as a grouped edit that replaces artwork. */
export function requireScopes(caller: Caller, needed: Needed): Access {
  const enough =
    'every' in needed
      ? needed.every.every((scope) => caller.scopes.has(scope))
      : needed.any.some((scope) => caller.scopes.has(scope));
  return enough ? { granted: true, caller } : { granted: false, refusal: scopeMissing(caller, needed) };
}
