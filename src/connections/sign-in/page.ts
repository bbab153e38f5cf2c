import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Answered } from './attempts.ts';

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; padding: 2rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Security headers of everything that is sent to the browser. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
};

export interface Page {
  readonly status: number;
  readonly heading: string;
  readonly sentences: readonly string[];
}

/** What a person is told in the browser when a sign-in has ended. Nothing secret, nothing of the URL. */
export function outcomePage(ended: Answered): Page {
  if (ended.outcome === 'connected') {
    const who = ended.account === null ? '' : ` as ${ended.account}`;
    return {
      status: 200,
      heading: 'Connected',
      sentences: [`artwork-mcp is now signed in${who}.`, 'You can close this page.'],
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

export function sendPage(response: ServerResponse, { status, heading, sentences }: Page): void {
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
</main>
</body>
</html>
`;
  response.writeHead(status, { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' }).end(html);
}

function asText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
