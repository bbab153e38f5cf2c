import type { ServerResponse } from 'node:http';
import type { Caller, Needed, Refusal } from './caller.ts';

/** Headers of every answer to a protected request (What the service does, 6). */
export const privateHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-store',
} as const;

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, { ...refusal.headers }).end(JSON.stringify(refusal.body));
}

export function cookiesRefused(): Refusal {
  return refuse(400, 'cookies_not_allowed', 'Protected requests must not carry cookies.');
}

export function tokenMissing(): Refusal {
  return refuse(401, 'missing_token', 'Send an access token as Authorization: Bearer.', {}, 'Bearer');
}

/** RFC 6750, 3.1. What is wrong with the token is not told: to whoever holds it, it is worth nothing. */
export function tokenInvalid(): Refusal {
  const description = 'The access token is unknown, has expired, was revoked or is for another service.';
  const challenge = `Bearer error="invalid_token", error_description="${description}"`;
  return refuse(401, 'invalid_token', description, {}, challenge);
}

export function scopeMissing(caller: Caller, needed: Needed): Refusal {
  const every = 'every' in needed;
  const scopes = every ? needed.every : needed.any;
  const list = scopes.join(every ? ' and ' : ' or ');
  return refuse(
    403,
    'insufficient_scope',
    `This operation needs ${list}.`,
    { [every ? 'requiredScopes' : 'requiredAnyScope']: scopes, grantedScopes: [...caller.scopes] },
    `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
  );
}

function refuse(
  status: Refusal['status'],
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  challenge?: string,
): Refusal {
  return {
    status,
    headers: { ...privateHeaders, ...(challenge === undefined ? {} : { 'www-authenticate': challenge }) },
    body: { error: { code, message, details, issues: [] } },
  };
}
