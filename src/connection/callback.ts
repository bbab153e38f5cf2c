import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { ArtworkError, codeOf } from '../errors.ts';
import { ownCommand } from '../own-command.ts';
import { isLoopback } from '../settings.ts';

/** What came to the registered callback (Authentication 7). A member is null where it did not come. */
export interface Callback {
  readonly state: string | null;
  readonly code: string | null;
  readonly iss: string | null;
  readonly error: string | null;
}

/** What the person's browser shows: one line. */
export interface Page {
  readonly status: number;
  readonly line: string;
  /** The address stays in the address bar, to be pasted elsewhere. */
  readonly keepsAddress?: boolean;
}

/** Whether a browser of this machine brings the callback here; else a person pastes it (Authentication 5). */
export function canListen(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return url.protocol === 'http:' && isLoopback(url);
}

/**
 * Reads an address as a callback: the registered origin and path, every registered parameter to the letter, and each
 * parameter of the answer once. Null where it is something else.
 */
function readCallback(redirectUri: string, address: string): Callback | null {
  const [registered, came] = [new URL(redirectUri), URL.canParse(address) ? new URL(address) : null];
  if (came?.origin !== registered.origin || came.pathname !== registered.pathname) return null;
  const given = [...came.searchParams];
  for (const [name, value] of registered.searchParams) {
    const at = given.findIndex((pair) => pair[0] === name && pair[1] === value);
    if (at < 0) return null;
    given.splice(at, 1);
  }
  const member = (name: string): string | null => {
    const values = given.filter((pair) => pair[0] === name);
    return values.length === 1 ? values[0]?.[1] || null : null;
  };
  return { state: member('state'), code: member('code'), iss: member('iss'), error: member('error') };
}

/**
 * Reads the callback URL that a person copied from the browser's address bar.
 * @throws ArtworkError invalid_arguments (`not_the_callback`), which says what to paste instead and quotes nothing
 */
export function readPastedCallback(redirectUri: string, text: string): Callback {
  const callback = readCallback(redirectUri, text.trim().replace(/^<(.*)>$/, '$1'));
  if (callback?.state && (callback.error !== null || callback.code !== null)) return callback;
  // An incomplete answer would use up the sign-in.
  const { origin, pathname } = new URL(redirectUri);
  const message = `This is not the whole address of the sign-in's last page. Copy all of it from the browser: it begins with ${origin}${pathname} and holds a code and a state.`;
  throw new ArtworkError('invalid_arguments', message, { code: 'not_the_callback' });
}

/**
 * Listens on exactly the registered loopback callback (Authentication 5); everything else is 404.
 * @param answer never rejects
 * @returns frees the port, once the browser has its page
 * @throws ArtworkError conflict (`sign_in_waits`: one of ours listens there; `port_taken`), internal (`port_unusable`)
 */
export async function listenForCallback(
  redirectUri: string,
  answer: (callback: Callback) => Promise<Page>,
): Promise<() => Promise<void>> {
  const registered = new URL(redirectUri);
  const answering = new Set<Promise<unknown>>();
  const respond = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeaders(headers);
    const isHere = asked.headers.host === registered.host && asked.method === 'GET';
    const callback = isHere ? readCallback(redirectUri, `${registered.origin}${asked.url}`) : null;
    const isAnswer = callback !== null && (callback.state ?? callback.code ?? callback.error) !== null;
    const gone = once(response, 'close');
    send(response, isAnswer ? await answer(callback) : nothingHere);
    await gone;
  };
  const limits = { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 };
  const server = createServer(limits, (asked, response) => {
    const work = respond(asked, response)
      .catch(() => response.destroy()) // The browser went away.
      .finally(() => answering.delete(work));
    answering.add(work);
  });
  server.maxConnections = 100;
  server.listen({
    host: registered.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(registered.port || 80),
  });
  await once(server, 'listening').catch(async (cause: unknown) => {
    throw await portError(redirectUri, codeOf(cause) ?? 'unknown');
  });
  return async () => {
    server.close();
    await Promise.race([
      Promise.all(answering),
      new Promise((resolve) => setTimeout(resolve, 3_000).unref()),
    ]);
    server.closeAllConnections();
  };
}

/** By these headers programs of this machine recognize a sign-in of ours; a page of another site can't read them. */
const [ourName, processHeader] = ['artwork-mcp', 'x-artwork-mcp-process'];

/**
 * Asks whether it is a sign-in of ours that listens at a registered callback, and in which process; null: it does not
 * say so. Any program can claim to be one: the answer is used for a message to a person only.
 */
export function askWhoListens(redirectUri: string): Promise<{ readonly processId: string } | null> {
  return new Promise((resolve) => {
    const asked = request(redirectUri, { agent: false, signal: AbortSignal.timeout(1_000) }, (response) => {
      response.resume();
      const { server, [processHeader]: told } = response.headers;
      const processId = /^[1-9]\d{0,9}$/.test(String(told)) ? String(told) : 'unknown';
      resolve(server === ourName ? { processId } : null);
    });
    asked.on('error', () => resolve(null)); // It speaks no HTTP, or has ended since.
    asked.end();
  });
}

async function portError(redirectUri: string, code: string): Promise<ArtworkError> {
  const { host } = new URL(redirectUri);
  const isTaken = code === 'EADDRINUSE';
  const ours = isTaken ? await askWhoListens(redirectUri) : null;
  if (ours !== null) {
    const message = `Another sign-in of artwork-mcp (process ${ours.processId}) waits at ${host}. Only one can wait there at a time.`;
    const why =
      'A person finishes that sign-in in the browser. Or they end it: with Ctrl+C in the terminal of `connect`, or by ending the host that began it. It ends by itself after ten minutes. Then make the same call again.';
    return new ArtworkError('conflict', message, { code: 'sign_in_waits', next: { why } });
  }
  const message = `${host} ${isTaken ? 'is in use by another program' : `can't be listened on (${code})`}.`;
  const why = `A person ends the program that holds the port. Or they run \`${ownCommand('connect --no-browser')}\` in a terminal, and paste the callback URL there. Or they register an app with another callback, and set ARTWORK_CLIENT_ID and ARTWORK_REDIRECT_URI.`;
  const facts = { code: isTaken ? 'port_taken' : 'port_unusable', next: { why } };
  return new ArtworkError(isTaken ? 'conflict' : 'internal', message, facts);
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');
const style = 'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.25rem}';
/** Takes the code and the state out of the address bar, and so out of the browser's history. */
const script = "history.replaceState(null,'',location.pathname)";
const policy = `default-src 'none'; style-src 'sha256-${digestOf(style)}'; script-src 'sha256-${digestOf(script)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const headers = new Map([
  ['content-security-policy', policy],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cache-control', 'no-store'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['connection', 'close'],
  ['server', ourName],
  [processHeader, String(process.pid)],
]);

function send(response: ServerResponse, { status, line, keepsAddress = false }: Page): void {
  const shown = line.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>artwork-mcp</title><style>${style}</style>`;
  const own = keepsAddress ? '' : `<script>${script}</script>`;
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><html lang="en"><head>${head}</head><body><p>${shown}</p>${own}</body></html>\n`);
}

const nothingHere: Page = {
  status: 404,
  line: 'Sign-ins of artwork-mcp end at this address; this request is not the end of one.',
};
