import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Answered } from './attempts.ts';

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; padding: 2rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
button { font: inherit; padding: .5rem 1rem; margin: .25rem .5rem .25rem 0; }
`;

function policy(forms: "'none'" | "'self'"): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** By which what listens at the callback says to programs on this machine that it is a sign-in of ours. */
export const listenerName = 'artwork-mcp';
/** Names the process that waits, for a person who wants to end it. No page of another site can read it. */
export const processHeader = 'x-artwork-mcp-process';

/** Security headers of everything that is sent to the browser. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy("'none'"),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
  server: listenerName,
  [processHeader]: String(process.pid),
};

export interface CallbackPage {
  readonly status: number;
  readonly heading: string;
  readonly sentences: readonly string[];
  /** Where the page asks for a word: the address that it is sent to. */
  readonly asks?: string;
}

/** The field of the form, and its two values. */
export const wordName = 'word';
export const words = { replace: 'replace', keep: 'keep' } as const;

/** Asks the person, who has just signed in, what nothing else can tell. @param address what takes the word */
export function questionPage(address: string): CallbackPage {
  return {
    status: 200,
    heading: 'Replace the connection?',
    sentences: [
      'artwork-mcp is connected already, and the service does not tell whether that is the account that you have just signed in with.',
      'Replace it if this is the account that artwork-mcp is to use from now on. If you keep the connection that there is, the new one is ended.',
    ],
    asks: address,
  };
}

/** What a person is told in the browser when a sign-in has ended. Nothing secret, nothing of the URL. */
export function outcomePage(ended: Answered): CallbackPage {
  if (ended.outcome === 'connected') {
    const who = ended.account === null ? '' : ` as ${ended.account}`;
    return {
      status: 200,
      heading: 'Connected',
      sentences: [
        `artwork-mcp is now signed in${who}.`,
        ...withheldWords(ended.withheld),
        'You can close this page.',
      ],
    };
  }
  const { error } = ended;
  const person = error.next?.tool === undefined ? (error.next?.why ?? null) : null;
  return {
    status: 400,
    heading: error.code === 'access_denied' ? 'Sign-in declined' : 'Not connected',
    sentences: [error.message, ...(person === null ? [] : [person]), 'You can close this page.'],
  };
}

/**
 * Told for the answer to a sign-in that does not wait in this process. It may wait in another one, which can't listen:
 * the address is its only copy, so that this page stays at it and holds nothing of it. To any other program the code
 * is worth nothing, since the verifier is in the process that drew it.
 */
export const foreignPage: CallbackPage = {
  status: 400,
  heading: 'Not the sign-in that waits here',
  sentences: [
    'This answer belongs to no sign-in that is waiting here, and it was not used.',
    'If "artwork-mcp connect" waits for it in a terminal of yours, copy the whole address of this page from the address bar and paste it there, and nowhere else.',
    'If not, close this page, and open the address that was shown last.',
  ],
};

/** Permissions that were asked for and not granted; no sentence where there are none. */
export function withheldWords(withheld: readonly string[]): readonly string[] {
  if (withheld.length === 0) return [];
  return [
    `Not granted, though asked for: ${withheld.join(' ')}. What needs them is refused until a new sign-in grants them.`,
  ];
}

export function sendPage(response: ServerResponse, { status, heading, sentences, asks }: CallbackPage): void {
  const title = asText(`${heading} · artwork-mcp`);
  const paragraphs = sentences.map((sentence) => `<p>${asText(sentence)}</p>`).join('\n');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${asText(heading)}</h1>
${paragraphs}
${asks === undefined ? '' : form(asks)}</main>
</body>
</html>
`;
  const headers = asks === undefined ? pageHeaders : { ...pageHeaders, ...formHeaders };
  response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(html);
}

/** A form tells its origin only where the policy lets it; the page's address holds nothing of the sign-in. */
const formHeaders = { 'content-security-policy': policy("'self'"), 'referrer-policy': 'same-origin' };

function form(address: string): string {
  const button = (word: string, text: string) =>
    `<button name="${wordName}" value="${word}">${asText(text)}</button>`;
  return `<form method="post" action="${asText(address)}">
<p>${button(words.replace, 'Replace it')} ${button(words.keep, 'Keep the one there is')}</p>
</form>
`;
}

function asText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
