import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { ArtworkError } from '../../errors.ts';
import { type Answered, type Callback, listenAddresses, readCallback } from './attempts.ts';
import { portRefusedError, signInWaitsError } from './failures.ts';
import {
  askWhoListens,
  type CallbackPage,
  foreignPage,
  listenerHeaders,
  outcomePage,
  pageHeaders,
  sendSignInPage,
} from './page.ts';

export type CallbackListener = Awaited<ReturnType<typeof listenForCallback>>;

/**
 * How long a browser may take from the callback to the page with its outcome. ms, counted in ticks: after a pause of the
 * whole process the page's timer would be due before the request that has waited meanwhile is read.
 */
const pageMs = 3000;
const tickMs = 100;
/** How many pages are kept for callbacks that no sign-in waits for. */
const mostPages = 20;
/** The parameter that names a page to show, beside the registered query. */
const pageName = 'artwork-mcp-page';

/**
 * Listens on exactly the registered loopback callback (Authentication 5): its host, port, path and query; everything else
 * is 404. After `answer` the browser is redirected to an address without code and state, so that they don't stay in its
 * history. Only a callback of a sign-in that another process waits for stays in the address bar: the person may have to
 * paste it there.
 * @param user `ARTWORK_USER`
 * @throws ArtworkError conflict (`sign_in_waits`: one of ours listens there; `port_taken`), internal (`port_unusable`)
 */
export async function listenForCallback(
  redirectUri: string,
  user: string,
  answer: (callback: Callback) => Promise<Answered>,
) {
  const registered = new URL(redirectUri);
  const pages = new Map<string, { readonly page: CallbackPage; readonly timer: NodeJS.Timeout }>();
  let answering = 0;
  let closing = false;
  let drained: (() => void) | null = null;

  const isBusy = () => answering > 0 || pages.size > 0;
  const settled = () => {
    if (!isBusy()) drained?.();
  };
  const forget = (id: string) => {
    clearInterval(pages.get(id)?.timer);
    pages.delete(id);
    settled();
  };

  const show = (id: string, page: CallbackPage) => {
    let left = pageMs / tickMs;
    const tick = () => {
      left -= 1;
      if (left === 0) forget(id);
    };
    pages.set(id, { page, timer: setInterval(tick, tickMs) });
  };
  const addressOf = (id: string): string => {
    const address = new URL(redirectUri);
    address.searchParams.append(pageName, id);
    return address.pathname + address.search;
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? '';
    const callback = request.headers.host === registered.host ? readCallback(redirectUri, target) : null;
    if (callback === null) return sendSignInPage(response, nothingHere);
    const shown = new URLSearchParams(target.split('?')[1]).get(pageName);
    if (request.method !== 'GET') {
      response.setHeader('allow', 'GET');
      return sendSignInPage(response, { ...nothingHere, status: 405 });
    }
    const found = shown === null ? undefined : pages.get(shown);
    if (shown !== null && found !== undefined) {
      response.once('close', () => forget(shown));
      return sendSignInPage(response, found.page);
    }
    if (callback.state === null && callback.code === null && callback.error === null) {
      return sendSignInPage(response, nothingHere);
    }
    answering += 1;
    try {
      const answered = await answer(callback);
      if (answered.outcome === 'refused' && answered.error.code === 'state_unknown') {
        return sendSignInPage(response, foreignPage);
      }
      // A site that knows the state of an ended sign-in could send these for ever, and must not keep the port taken.
      if (answered.outcome === 'refused' && (closing || pages.size >= mostPages)) {
        return sendSignInPage(response, outcomePage(answered));
      }
      const id = randomBytes(16).toString('base64url');
      show(id, outcomePage(answered));
      response.writeHead(303, { ...pageHeaders, location: addressOf(id) }).end();
    } finally {
      answering -= 1;
      settled();
    }
  };

  const servers: Server[] = [];
  const stop = async () => {
    await Promise.all(
      servers.map(async (server) => {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
  };
  /** Null: it listens. A port that its holder frees at this moment is tried again. */
  const bind = async (server: Server, host: string, tries = 3): Promise<ListenFault | null> => {
    try {
      server.listen({ host, port: Number(registered.port || 80) });
      await once(server, 'listening');
      return null;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : null;
      const holder = code === 'EADDRINUSE' ? await askWhoListens(redirectUri, user) : null;
      if (holder?.is === 'free' && tries > 1) return bind(server, host, tries - 1);
      const refused =
        holder?.is === 'sign_in'
          ? signInWaitsError(redirectUri, holder)
          : portRefusedError(redirectUri, code);
      return { code, error: refused };
    }
  };
  for (const address of listenAddresses(redirectUri)) {
    const server = createServer(limits, (request, response) => {
      response.setHeaders(new Map(Object.entries(listenerHeaders(user))));
      // `answer` turns its failures into pages; what fails here is the connection.
      respond(request, response).catch(() => response.destroy());
    });
    server.maxConnections = 100;
    dropOldestSilent(server);
    const fault = await bind(server, address);
    if (fault === null) {
      servers.push(server);
      continue;
    }
    // A machine without IPv6 has the other address of localhost.
    const absent = fault.code === 'EADDRNOTAVAIL' || fault.code === 'EAFNOSUPPORT';
    if (absent && servers.length > 0) continue;
    await stop();
    throw fault.error;
  }
  return {
    /** Waits a few seconds for browsers to fetch the pages that they were redirected to, then frees the port. */
    async close(): Promise<void> {
      closing = true;
      if (isBusy()) {
        await new Promise<void>((resolve) => {
          drained = resolve;
        });
      }
      await stop();
    },
  };
}

interface ListenFault {
  /** The system's. */
  readonly code: string | null;
  readonly error: ArtworkError;
}

/** Node checks its request timeouts only every 30 s unless `connectionsCheckingInterval` says otherwise. */
const limits: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
};
/** How many connections may be open that have not sent a whole request head. */
const mostSilent = 20;

/** Any program of this machine can open connections and send nothing: the oldest make room for the browser's. */
function dropOldestSilent(server: Server): void {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
    const [oldest] = silent;
    if (silent.size > mostSilent) oldest?.destroy();
  });
  server.prependListener('request', ({ socket }) => silent.delete(socket));
}

const nothingHere: CallbackPage = {
  status: 404,
  heading: 'Nothing here',
  sentences: ['Sign-ins of artwork-mcp end at this address; this request is not the end of one.'],
};
