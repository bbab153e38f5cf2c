import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Agent, request } from 'undici';
import { scopesUntoldWords } from '../grant.ts';
import type { Answered } from './attempts.ts';
import type { SignedIn } from './complete.ts';

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

/** The `server` header by which programs on this machine recognize a sign-in of ours. */
const listenerName = 'artwork-mcp';
/** Names the waiting process, so that a person can end it. A page of another site can't read it. */
const processHeader = 'x-artwork-mcp-process';

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
  server: listenerName,
  [processHeader]: String(process.pid),
};

export interface CallbackPage {
  readonly status: number;
  readonly heading: string;
  readonly sentences: readonly string[];
}

/** The outcome of a sign-in, for the person in the browser. It holds no secret and nothing of the URL. */
export function outcomePage(ended: Answered): CallbackPage {
  if (ended.outcome === 'connected') {
    const who = ended.account === null ? '' : ` as ${ended.account}`;
    return {
      status: 200,
      heading: 'Connected',
      sentences: [
        `artwork-mcp is now signed in${who}.`,
        ...permissionWords(ended),
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
 * Answers a callback for which no sign-in waits in this process. Another process may wait for it and not be able to listen:
 * so this page leaves the callback in the address bar, for the person to copy. The code is worthless without the
 * verifier, which never leaves the process that drew it.
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

/** Sentences on scopes that were asked for and were not granted, or may not have been; empty if there are none. */
export function permissionWords({
  withheld,
  scopesUntold,
}: Pick<SignedIn, 'withheld' | 'scopesUntold'>): readonly string[] {
  const untold = scopesUntold ? [scopesUntoldWords] : [];
  if (withheld.length === 0) return untold;
  return [
    `Not granted, though asked for: ${withheld.join(' ')}. What needs them is refused until a new sign-in grants them.`,
    ...untold,
  ];
}

/** Sends a page of the sign-in to the browser. */
export function sendSignInPage(response: ServerResponse, { status, heading, sentences }: CallbackPage): void {
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

/** Names whose sign-in waits, so that a person is told if it is another user's; a digest, since every program can ask. */
const userHeader = 'x-artwork-mcp-user';

/** The header that tells whose sign-in listens here. @param user `ARTWORK_USER` */
export function listenerHeaders(user: string): Readonly<Record<string, string>> {
  return { [userHeader]: digestOf(user) };
}

function digestOf(user: string): string {
  return createHash('sha256').update(user).digest('base64url');
}

/** Who holds the port of a callback. */
export type PortHolder =
  | {
      readonly is: 'sign_in';
      /** The number of its process; null: it does not tell. */
      readonly processId: number | null;
      readonly ofSameUser: boolean;
    }
  | { readonly is: 'other_program' }
  | { readonly is: 'free' };

/**
 * Asks which program listens at a registered callback, with a request that ends no sign-in. Any program can claim to be
 * one of ours: the answer is used for a message to a person only.
 * @param user whose sign-in is to begin (`ARTWORK_USER`)
 */
export async function askWhoListens(redirectUri: string, user: string): Promise<PortHolder> {
  const dispatcher = new Agent();
  try {
    const { headers, body } = await request(redirectUri, { dispatcher, signal: AbortSignal.timeout(5_000) });
    await body.dump();
    if (headers.server !== listenerName) return { is: 'other_program' };
    const told = headers[processHeader];
    const isNumber = typeof told === 'string' && /^[1-9]\d{0,9}$/.test(told);
    const ofSameUser = headers[userHeader] === digestOf(user);
    return { is: 'sign_in', processId: isNumber ? Number(told) : null, ofSameUser };
  } catch (error) {
    // It speaks no HTTP, or has ended since. undici rejects with Errors only.
    if (!(error instanceof Error)) throw error;
    return { is: 'code' in error && error.code === 'ECONNREFUSED' ? 'free' : 'other_program' };
  } finally {
    await dispatcher.close();
  }
}
