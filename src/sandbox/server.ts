import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { accountRoutes } from './account/routes.ts';
import type { Context } from './context.ts';
import type { Faults } from './faults.ts';
import { frontPageRoutes } from './front-page.ts';
import {
  type Answer,
  createRouter,
  notFound,
  Refusal,
  type Route,
  refusalAnswer,
  sendAnswer,
} from './http.ts';
import { logDefect } from './log.ts';
import { protectedRoutes } from './me/routes.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { type FolderIdentity, loopback } from './process/folder.ts';
import { publicRoutes } from './public/routes.ts';
import { fillCatalogue } from './seed/fill.ts';
import { openStore, type Store } from './store.ts';

export interface ServerOptions {
  /** The folder of the database and the pictures, which exists; filled on first use. */
  readonly dataDir: string;
  readonly folder: FolderIdentity;
  /** Default: that of the folder; 0: any. */
  readonly port?: number;
  /** Such as `/catalogue/v1`; default: none. Pictures and the pages for people stay at the root of the origin. */
  readonly basePath?: string;
  /** How long a feed snapshot can be read; default: 15 minutes. */
  readonly snapshotLifetimeMs?: number;
  /** Default: 0. */
  readonly publicationLagMs?: number;
  /** Default: an hour. */
  readonly accessTokenSeconds?: number;
  /** Default: no request fails. */
  readonly faults?: Faults | null;
  readonly now?: () => Date;
  /** More routes, such as the handshake. */
  readonly routes?: (context: Context) => readonly Route[];
}

export interface CatalogueServer {
  readonly baseUrl: string;
  readonly store: Store;
  /** How many requests are unfinished, and for how long there was none. */
  activity(): { readonly pending: number; readonly idleMs: number };
  /** Takes no new connection, waits for what is unfinished (10 s at most), and closes the database. */
  close(): Promise<void>;
}

const drainMs = 10_000;

/**
 * Serves the catalogue of a data folder.
 * @throws Error with the code EADDRINUSE when the port is taken, before the database is touched: to bind the port is the
 *   lock by which one process serves a folder.
 */
export async function serveCatalogue(options: ServerOptions): Promise<CatalogueServer> {
  const { dataDir, folder, basePath = '', faults = null } = options;
  const server = createServer();
  // Longer than a client keeps an idle connection, so that none is closed during a request.
  server.keepAliveTimeout = 60_000;
  server.listen({ host: loopback, port: options.port ?? folder.port });
  await once(server, 'listening');
  // Nothing is awaited from here until requests are handled, so that none can come in between.
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The catalogue has no TCP port.');
  const { port } = address;
  const origin = `http://${loopback}:${port}`;
  const now = options.now ?? (() => new Date());

  let store: Store;
  try {
    store = openStore(dataDir, (empty) => fillCatalogue(empty, now()));
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
  const context: Context = {
    ...{ store, dataDir, folder, origin, basePath },
    now: () => now().toISOString(),
    baseUrl: origin + basePath,
    snapshotLifetimeMs: options.snapshotLifetimeMs ?? 15 * 60_000,
    publicationLagMs: options.publicationLagMs ?? 0,
    accessTokenSeconds: options.accessTokenSeconds ?? 3_600,
    processingOf: (request) => faults?.processingOf(request) ?? null,
  };
  const route = createRouter([
    ...(options.routes?.(context) ?? []),
    ...(faults?.routes(context) ?? []),
    ...frontPageRoutes(context),
    ...publicRoutes(context),
    ...protectedRoutes(context),
    ...oauthRoutes(context),
    ...accountRoutes(context),
  ]);
  let pending = 0;
  // Not the wall clock: after sleep or a change of the clock the catalogue would look idle.
  let lastUsed = performance.now();
  const begin = (response: ServerResponse) => {
    pending++;
    response.once('close', () => {
      pending--;
      lastUsed = performance.now();
      if (!server.listening) server.closeIdleConnections();
    });
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let answer: Answer | 'own';
    try {
      // A page of another site doesn't keep the catalogue awake.
      refuseForeign(request, port);
      begin(response);
      if ((await faults?.inject(context, request, response)) === 'ended') return;
      const matched = route(request, response);
      if (matched === null) throw notFound('This path');
      answer = await matched();
    } catch (error) {
      // The client has gone in the middle of its request: nobody waits for an answer.
      if (request.destroyed && !request.complete) return;
      if (!(error instanceof Refusal)) logDefect(error);
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, 'internal', 'The catalogue failed.');
      answer = refusalAnswer(refusal, (request.url ?? '').startsWith(`${basePath}/me/`));
    }
    if (answer === 'own') return;
    if (response.headersSent) response.destroy();
    else sendAnswer(request, response, answer);
  };
  server.on('request', (request, response) => {
    handle(request, response).catch((error: unknown) => {
      logDefect(error);
      response.destroy();
    });
  });
  return {
    baseUrl: context.baseUrl,
    store,
    activity: () => ({ pending, idleMs: pending > 0 ? 0 : performance.now() - lastUsed }),
    async close() {
      const late = setTimeout(() => server.closeAllConnections(), drainMs);
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
      clearTimeout(late);
      store.close();
    },
  };
}

/**
 * A page of another site can neither act here nor read: its browser names the site, and a site whose name was made to
 * lead to this machine is not this machine. It may lead a person here, and no more.
 */
function refuseForeign(request: IncomingMessage, port: number): void {
  const { headers, method } = request;
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  if (!hosts.includes(headers.host?.toLowerCase() ?? '')) {
    throw new Refusal(421, 'misdirected_request', 'This Host is not served here.');
  }
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  const leadsHere = mode === 'navigate' && (method === 'GET' || method === 'HEAD');
  const isOwn =
    site === undefined
      ? origin === undefined || hosts.some((host) => origin === `http://${host}`)
      : site === 'none' || site === 'same-origin' || leadsHere;
  if (isOwn) return;
  const more = { headers: { connection: 'close' } };
  throw new Refusal(403, 'foreign_page', 'A page of another site has sent this.', more);
}
