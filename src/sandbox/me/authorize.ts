import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.ts';
import { type Exchange, Refusal } from '../http.ts';
import { type Connection, connectionOf } from '../oauth/connection.ts';
import type { resourceScopes } from '../oauth/scopes.ts';
import type { Store } from '../store.ts';

type Scope = (typeof resourceScopes)[number];

/** The scopes that a request needs: all of these, or any one of them. */
export type Needed = { readonly every: readonly Scope[] } | { readonly any: readonly Scope[] };

/** A protected request that was let in: for which account, and what its app may do. */
export interface Call extends Exchange {
  readonly context: Context;
  readonly store: Store;
  readonly caller: Connection;
}

/**
 * Lets in a request that carries one living access token of this service with the needed scopes, and no cookie. The
 * operation itself checks who owns what.
 * @throws Refusal 400, 401 or 403
 */
export function authorize(context: Context, request: IncomingMessage, needed: Needed): Connection {
  if (request.headers.cookie !== undefined) {
    throw new Refusal(400, 'cookies_not_allowed', 'A protected request carries no cookie.');
  }
  const given = request.headersDistinct.authorization ?? [];
  if (given.length === 0) {
    const headers = { 'www-authenticate': 'Bearer' };
    throw new Refusal(401, 'missing_token', 'Send an access token as Authorization: Bearer.', { headers });
  }
  // Node would show only the first of two such headers.
  const token = given.length === 1 ? /^Bearer +([\w\-.~+/]+=*)$/i.exec(given[0] ?? '')?.[1] : undefined;
  const caller = token === undefined ? null : connectionOf(context, token);
  if (caller === null) {
    const message = 'The access token is unknown, has expired, was revoked or is for another service.';
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
    throw new Refusal(401, 'invalid_token', message, { headers });
  }
  requireScopes(caller, needed);
  return caller;
}

/** Called again where the body decides what is needed. @throws Refusal 403 */
export function requireScopes({ scopes }: Connection, needed: Needed): void {
  const wanted = 'every' in needed ? needed.every : needed.any;
  const lacking = wanted.filter((scope) => !scopes.has(scope));
  if ('every' in needed ? lacking.length === 0 : lacking.length < wanted.length) return;
  const message = `This needs ${wanted.join('every' in needed ? ' and ' : ' or ')}.`;
  throw new Refusal(403, 'insufficient_scope', message, {
    details: { requiredScopes: wanted, grantedScopes: [...scopes] },
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${wanted.join(' ')}"` },
  });
}
