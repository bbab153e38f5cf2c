import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorAnswer, notFound, PublicError, pathOf, refuseForeignHost, routed, send } from './http.ts';
import type { Handler, Mount, Premises } from './premises.ts';
import { createActivity } from './process/activity.ts';
import { publicRoutes } from './public/routes.ts';
import { fillCatalogue } from './seed/fill.ts';
import { type Database, openDatabase } from './store/database.ts';

export interface SandboxOptions {
  /** The folder of the database and the pictures; made and filled on first use. */
  readonly dataDir: string;
  /** 0 lets the system draw one. */
  readonly port: number;
  readonly host?: '127.0.0.1' | '::1';
  /** Default: none. Pictures stay at the root of the origin. */
  readonly basePath?: string;
  /** How long a feed snapshot can be read; default 15 minutes. */
  readonly snapshotLifetimeMs?: number;
  readonly now?: () => Date;
  /** Asked in this order, before the public reads. */
  readonly mounts?: readonly Mount[];
  /** Told of defects, which the caller sees as 500; default: stderr. */
  readonly report?: (defect: unknown) => void;
}

export interface Sandbox {
  readonly origin: string;
  readonly baseUrl: string;
  readonly port: number;
  readonly database: Database;
  /** Takes no new connection, lets running requests and held work end (10 s at most), closes the database. */
  close(): Promise<void>;
  /** `lastUsedAt` in milliseconds of the system's clock; `pending`: running requests and held work. */
  activity(): { lastUsedAt: number; pending: number };
}

const drainMs = 10_000;

/**
 * Runs the embedded catalogue.
 * @throws Error with the code EADDRINUSE when the port is taken, before the data folder is touched: binding
 *   the port is what decides who serves it.
 */
export async function serveSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, host = '127.0.0.1', basePath = '', now = () => new Date() } = options;
  const report = options.report ?? reportOnStderr;
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(basePath)) throw new Error(`Unusable base path ${basePath}`);

  const activity = createActivity();
  const { server, port, answerWith } = await listen(host, options.port, activity.begin, report);
  const origin = `http://${host === '::1' ? '[::1]' : host}:${port}`;
  let database: Database | undefined;
  const close = async () => {
    server.close();
    server.closeIdleConnections();
    await Promise.race([activity.quiet(), after(drainMs)]);
    server.closeAllConnections();
    database?.close();
  };
  try {
    database = openDatabase(dataDir, (empty) => fillCatalogue(empty, now()));
    const premises: Premises = {
      dataDir,
      database,
      origin,
      basePath,
      baseUrl: origin + basePath,
      snapshotLifetimeMs: options.snapshotLifetimeMs ?? 15 * 60_000,
      now,
      holdOpen: activity.begin,
    };
    const handlers: Handler[] = [];
    for (const mount of options.mounts ?? []) handlers.push(await mount(premises));
    const read = routed(publicRoutes(premises));
    handlers.push(async (request, response) => {
      const answer = await read(pathOf(request), request);
      if (answer) send(request, response, answer);
      return answer !== undefined;
    });
    answerWith(async (request, response) => {
      refuseForeignHost(request, port);
      for (const handle of handlers) if (await handle(request, response)) return;
      throw notFound('This path');
    });
    return { origin, baseUrl: premises.baseUrl, port, database, close, activity: activity.now };
  } catch (error) {
    // Whoever asked meanwhile can't be answered.
    server.close();
    server.closeAllConnections();
    database?.close();
    throw error;
  }
}

const failed = new PublicError(500, 'internal', 'The catalogue failed.');

type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Requests that come before `answerWith` wait for it. */
async function listen(
  host: string,
  port: number,
  begin: () => () => void,
  report: (defect: unknown) => void,
) {
  let answerWith: (answering: Answering) => void = () => {};
  const ready = new Promise<Answering>((resolve) => {
    answerWith = resolve;
  });
  const server: Server = createServer((request, response) => {
    response.once('close', begin());
    // A connection that is kept alive would let a catalogue that closes be asked for ever.
    response.shouldKeepAlive &&= server.listening;
    ready
      .then((answer) => answer(request, response))
      .catch((error: unknown) => {
        const refusal = error instanceof PublicError ? error : undefined;
        if (!refusal) report(error);
        if (response.headersSent) response.destroy();
        else send(request, response, errorAnswer(refusal ?? failed));
      });
  });
  // Longer than a client keeps an idle connection, so that none is closed under a request.
  server.keepAliveTimeout = 60_000;
  server.listen({ host, port });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The catalogue has no TCP port.');
  return { server, port: address.port, answerWith };
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}

function reportOnStderr(defect: unknown): void {
  process.stderr.write(`embedded catalogue: ${defect instanceof Error ? defect.stack : String(defect)}\n`);
}
