import { createHash } from 'node:crypto';
import { type Answer, type Exchange, readBody } from '../http.ts';
import { style } from './style.ts';

/** Markup that is safe to send: text is always escaped. */
export class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

export type Content = Html | string | null | readonly Content[];

/** Escapes every value unless it is markup already. Null becomes nothing. */
export function html(ours: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(ours.reduce((text, own, index) => text + render(values[index - 1] ?? null) + own));
}

function render(content: Content): string {
  if (content === null) return '';
  if (content instanceof Html) return content.toString();
  if (typeof content === 'string') return content.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
  return content.map(render).join('');
}

/** A time in ISO 8601 UTC, for people. */
export function timeElement(iso: string): Html {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return html`<time datetime="${iso}">${new Date(iso).toLocaleString('en-GB', format)} UTC</time>`;
}

export const accountPath = '/account';

/** Where a person answers the request of an app. */
export function requestPage(uid: string): string {
  return `${accountPath}/requests/${uid}`;
}

interface Page {
  readonly status?: number;
  readonly title: string;
  /** Narrow for one question, wide for lists. */
  readonly width: 'narrow' | 'wide';
  readonly main: Content;
  /** Whose Apps it shows, and the path of their pages. */
  readonly person?: { readonly name: string; readonly path: string };
  /** Where a form of the page leads in the end: browsers let forms lead to no other site than named. */
  readonly callback?: string;
}

/** Two posters, one in front of the other. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect x="9" y="2" width="16" height="21" rx="3" fill="#b9aef5"/><rect x="3" y="5" width="16" height="21" rx="3" fill="#4b3fbf"/><path d="M3 21l5-6 4 4 2.5-3 4.5 5.5V23a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3z" fill="#f2b84b"/><circle cx="14" cy="10.5" r="2" fill="#fff"/></svg>';
const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`;

/** A whole page. It loads nothing, runs no script, is in no frame and in no cache, and sends forms to us alone. */
export function page({ status = 200, title, width, main, person, callback }: Page): Answer {
  const body = html`${new Html('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Artwork Catalogue</title>
<link rel="icon" href="${iconUrl}">
<style>${new Html(style)}</style>
</head>
<body>
<header class="top">
<a class="brand" href="${person?.path ?? accountPath}/apps">${new Html(icon)} Artwork Catalogue</a>
${person ? html`<p class="who"><span>You are <b>${person.name}</b>.</span> <a href="${accountPath}/apps">Choose another account</a></p>` : null}
</header>
<main class="${width}">
${main}
</main>
<footer class="foot">Embedded catalogue. It runs on this computer for trying things out; nothing here is published.</footer>
</body>
</html>
`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      'img-src data:',
      `form-action 'self'${callback === undefined ? '' : ` ${formTarget(callback)}`}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    // With no referrer at all, browsers would send forms with `Origin: null`.
    'referrer-policy': 'same-origin',
  };
  return { status, headers, body: body.toString() };
}

/** A policy can't name an IPv6 address; for `[::1]` it names the scheme. */
function formTarget(callback: string): string {
  const { hostname, origin, protocol } = new URL(callback);
  return hostname.startsWith('[') ? protocol : origin;
}

/** Says what went wrong and what to do next. `details` are for the developer of the app. */
export function problemPage(status: number, title: string, advice: string, details?: string): Answer {
  const more = html`<p class="soft small">For the maker of the app: <code>${details ?? ''}</code></p>`;
  const main = html`<div class="card"><h1>${title}</h1><p>${advice}</p>${details === undefined ? null : more}</div>`;
  return page({ status, title, width: 'narrow', main });
}

/** The fields of a sent form. */
export async function formOf({ request }: Exchange): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(request, 16_384)).toString('utf8'));
}

/** After a form, so that to reload the next page sends nothing again. */
export function seeOther(location: string): Answer {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}
