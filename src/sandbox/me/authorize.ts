import type { IncomingMessage } from 'node:http';
import { findAccessToken, recordUse } from '../oauth/connections.ts';
import type { ResourceScope } from '../oauth/scopes.ts';
import type { ServerContext } from '../server-context.ts';
import { ProtectedError } from './protected-error.ts';

/** The account and the app that a protected request acts for, and what it may do. */
export interface Caller {
  /** The account that owns what may be changed (`owner_id`). */
  readonly accountId: number;
  readonly clientId: string;
  readonly connectionId: string;
  readonly scopes: ReadonlySet<string>;
}

/** Scopes that a request needs: every one of these, or any one (the interface document, Endpoints). */
export type RequiredScopes =
  | { readonly every: readonly ResourceScope[] }
  | { readonly any: readonly ResourceScope[] };

/**
 * Checks the headers of a protected request: no cookies, one valid bearer token of this service, and the scopes
 * that the operation needs (What the service does, 4 and 5; Authentication 11). The operation itself checks
 * ownership. The connection's last use becomes now.
 * @throws ProtectedError 400 for cookies, 401 for the token, 403 for a scope.
 */
export function authorizeRequest(
  { database, baseUrl }: Pick<ServerContext, 'database' | 'baseUrl'>,
  request: IncomingMessage,
  required: RequiredScopes,
): Caller {
  if (request.headers.cookie !== undefined) {
    throw new ProtectedError(400, 'cookies_not_allowed', 'Protected requests must not carry cookies.');
  }
  const given = request.headersDistinct.authorization ?? [];
  if (given.length === 0) {
    const message = 'Send an access token as Authorization: Bearer.';
    throw new ProtectedError(401, 'missing_token', message, { headers: { 'www-authenticate': 'Bearer' } });
  }
  // Two such headers are refused: Node would show only one of them.
  const token = given.length === 1 ? /^Bearer +([\w\-.~+/]+=*)$/i.exec(given[0] ?? '')?.[1] : undefined;
  const found = token === undefined ? undefined : findAccessToken(database, token);
  if (found === undefined || found.audience !== `${baseUrl}/me`) throw invalidToken();
  const { accountId, clientId, connectionId, scopes } = found;
  recordUse(database, connectionId, found.lastUsedAt);
  const caller = { accountId, clientId, connectionId, scopes };
  requireScopes(caller, required);
  return caller;
}

/** RFC 6750, 3.1. The answer does not say what is wrong with the token. */
function invalidToken(): ProtectedError {
  const message = 'The access token is unknown, has expired, was revoked or is for another service.';
  const challenge = `Bearer error="invalid_token", error_description="${message}"`;
  return new ProtectedError(401, 'invalid_token', message, { headers: { 'www-authenticate': challenge } });
}

/**
 * Called again where the body decides which scopes are needed, such as a grouped edit that replaces artwork.
 * @throws ProtectedError 403.
 */
export function requireScopes(caller: Caller, required: RequiredScopes): void {
  const all = 'every' in required;
  const scopes = all ? required.every : required.any;
  const isGranted = (scope: ResourceScope) => caller.scopes.has(scope);
  if (all ? scopes.every(isGranted) : scopes.some(isGranted)) return;
  const message = `This operation needs ${scopes.join(all ? ' and ' : ' or ')}.`;
  const challenge = `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`;
  throw new ProtectedError(403, 'insufficient_scope', message, {
    details: { [all ? 'requiredScopes' : 'requiredAnyScope']: scopes, grantedScopes: [...caller.scopes] },
    headers: { 'www-authenticate': challenge },
  });
}
