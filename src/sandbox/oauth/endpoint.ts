import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The request as oidc-provider is to see it: its paths start below the mount, which it reads off
 * `originalUrl` when it writes addresses of its own.
 */
export function mounted(request: IncomingMessage, mount: string): IncomingMessage {
  const url = withoutIdleNonce((request.url ?? '').slice(mount.length));
  return Object.assign(request, { url, originalUrl: mount + url });
}

/**
 * The document's authorization request always has a nonce. oidc-provider refuses one without the scope
 * `openid`, where it has no effect, so there it is left out.
 */
function withoutIdleNonce(url: string): string {
  const path = '/oauth2/authorize';
  if (!url.startsWith(`${path}?`)) return url;
  const parameters = new URLSearchParams(url.slice(path.length));
  if (!parameters.has('nonce') || parameters.get('scope')?.split(' ').includes('openid')) return url;
  parameters.delete('nonce');
  return `${path}?${parameters}`;
}

/** Refuses what no endpoint takes, in the shape of an OAuth error (Authentication 10). */
export function refuse(response: ServerResponse, status: 404 | 405, description: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(JSON.stringify({ error: 'invalid_request', error_description: description }));
}
