import type { ServerResponse } from 'node:http';
import { type Content, Html, html } from './html.ts';

/** Where the account pages are, and who is signed in. */
interface PageFrame {
  /** Root-relative path of the account's pages. */
  readonly accountPath: string;
  /** Root-relative path of the pages of this session. */
  readonly pagesPath: string;
  readonly signedIn: { readonly name: string; readonly formToken: string } | null;
}

export interface Page {
  readonly title: string;
  /** Narrow for one question, wide for lists. */
  readonly width: 'narrow' | 'wide';
  readonly main: Content;
}

/** A whole document around the content of a page. */
export function renderPage(frame: PageFrame, page: Page): Html {
  return html`${new Html('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Artwork Catalogue</title>
<link rel="stylesheet" href="${frame.accountPath}/style.css">
<link rel="icon" href="${frame.accountPath}/icon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="${frame.pagesPath}/apps"><img src="${frame.accountPath}/icon.svg" alt="" width="28" height="28"> Artwork Catalogue</a>
${frame.signedIn === null ? null : signedInForm(frame.pagesPath, frame.signedIn)}
</header>
<main id="main" class="${page.width}" tabindex="-1">
${page.main}
</main>
<footer class="foot"><p>Embedded catalogue. It runs on this computer for trying things out; nothing here is published.</p></footer>
</body>
</html>
`;
}

function signedInForm(pagesPath: string, signedIn: { name: string; formToken: string }): Html {
  return html`<form class="who" method="post" action="${pagesPath}/sign-out">
<input type="hidden" name="form_token" value="${signedIn.formToken}">
<span>Signed in as <b>${signedIn.name}</b></span>
<button class="plain">Sign out</button>
</form>`;
}

/** A page that says what went wrong and what to do next. `details` are for the developer of the app. */
export function problemPage(
  title: string,
  advice: string,
  details: readonly (readonly [name: string, text: string])[] = [],
): Page {
  return {
    title,
    width: 'narrow',
    main: html`<div class="card"><h1>${title}</h1><p>${advice}</p>${detailList(details)}</div>`,
  };
}

function detailList(details: readonly (readonly [string, string])[]): Content {
  if (details.length === 0) return null;
  const rows = details.map(([name, text]) => html`<dt>${name}</dt><dd><code>${text}</code></dd>`);
  return html`<details><summary>Details for the maker of the app</summary><dl>${rows}</dl></details>`;
}

/**
 * Headers of every page. Only our own stylesheet and images load, no page frames it, no cache keeps it, and
 * forms go to our own origin. Browsers apply `form-action` to a form's redirects too, so a page whose form
 * redirects to an app's callback names the origin of the callback.
 *
 * The referrer is sent to our own origin; with no referrer at all, browsers would send forms with `Origin:
 * null`.
 */
export function pageHeaders(callback?: string): Record<string, string> {
  const target = callback === undefined ? '' : ` ${formActionSource(callback)}`;
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
function formActionSource(callback: string): string {
  const { hostname, origin, protocol } = new URL(callback);
  return hostname.startsWith('[') ? protocol : origin;
}

export function sendPage(response: ServerResponse, status: number, page: Html, callback?: string): void {
  response.writeHead(status, pageHeaders(callback)).end(page.toString());
}

/** Redirects after a form, so that to reload the next page sends nothing again. */
export function seeOther(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': '0' }).end();
}
