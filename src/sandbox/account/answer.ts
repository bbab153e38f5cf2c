import type { ServerResponse } from 'node:http';
import type { Html } from './html.ts';

/**
 * Headers of every page: nothing but our own stylesheet is loaded, nothing frames it, nothing keeps it, and
 * forms go to us alone. Browsers hold a form's redirects to `form-action` too, so a page whose form ends at
 * an app's callback names the callback's origin.
 *
 * The referrer stays on our own origin; with none at all, browsers would send forms with `Origin: null`.
 */
export function pageHeaders(callback?: string): Record<string, string> {
  const target = callback === undefined ? '' : ` ${formTarget(callback)}`;
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      `form-action 'self'${target}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/** A policy can't name an IPv6 address; for `[::1]` it names the scheme. */
function formTarget(callback: string): string {
  const { hostname, origin, protocol } = new URL(callback);
  return hostname.startsWith('[') ? protocol : origin;
}

export function sendPage(response: ServerResponse, status: number, page: Html, callback?: string): void {
  response.writeHead(status, pageHeaders(callback)).end(page.toString());
}

/** After a form, so that reloading the next page sends nothing twice. */
export function seeOther(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': '0' }).end();
}
