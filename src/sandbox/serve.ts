import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type Answer,
  createRouter,
  isProtected,
  notFound,
  pathOf,
  PublicError,
  publicErrorAnswer,
  refuseForeignHost,
  refuseForeignPage,
  sendAnswer,
} from './http.ts';
import { logDefect } from './log.ts';
import { answerForError } from './me/protected-error.ts';
import { publicRoutes } from './public/routes.ts';
import { fillCatalogue } from './seed/fill.ts';
import type { Handler, Mount, ServerContext } from './server-context.ts';
import { type Database, openDatabase } from './store/database.ts';

export interface SandboxOptions {
  /** The folder of the database and the pictures; created and filled on first use. */
  readonly dataDir: string;
  /** 0: the system chooses a free one. */
  readonly port: number;
  readonly host?: '127.0.0.1' | '::1';
  /** Default: none. Pictures stay at the root of the origin. */
  readonly basePath?: string;
  /** How long a feed snapshot can be read; default: 15 minutes. */
  readonly snapshotLifetimeMs?: number;
  readonly now?: () => Date;
  /** Get a request in this order, before the public reads. */
  readonly mounts?: readonly Mount[];
  /** Called with each defect, which the client sees as 500; default: writes it to stderr. */
  readonly report?: (defect: unknown) => void;
}

export interface Sandbox {
  readonly origin: string;
  readonly baseUrl: string;
  readonly port: number;
  readonly database: Database;
  /** Accepts no new connection, waits for running requests and work (10 s at most), closes the database. */
  close(): Promise<void>;
  /** `lastUsedAt` in milliseconds of the system's clock; `pending`: running requests and work. */
  activity(): { lastUsedAt: number; pending: number };
}

const drainMs = 10_000;

/**
 * Runs the embedded catalogue.
 * @throws Error with the code EADDRINUSE when the port is taken, before the data folder is touched: the
 *   process that binds the port serves it.
 */
export async function serveSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, host = '127.0.0.1', basePath = '', now = () => new Date() } = options;
  const report = options.report ?? logDefect;
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(basePath)) throw new Error(`Unusable base path ${basePath}`);

  const activity = createActivity();
  const refuse = (request: IncomingMessage, refusal: PublicError): Answer =>
    isProtected(request, basePath) ? answerForError(refusal) : publicErrorAnswer(refusal);
  const { server, port, answerWith } = await listen(host, options.port, activity.begin, { report, refuse });
  const origin = `http://${host === '::1' ? '[::1]' : host}:${port}`;
  let database: Database | undefined;
  const close = async () => {
    server.close();
    server.closeIdleConnections();
    await Promise.race([activity.whenIdle(), after(drainMs)]);
    server.closeAllConnections();
    database?.close();
  };
  try {
    database = openDatabase(dataDir, (empty) => fillCatalogue(empty, now()));
    const context: ServerContext = {
      dataDir,
      database,
      origin,
      basePath,
      baseUrl: origin + basePath,
      snapshotLifetimeMs: options.snapshotLifetimeMs ?? 15 * 60_000,
      now,
      beginWork: activity.begin,
    };
    const handlers: Handler[] = [];
    for (const mount of options.mounts ?? []) handlers.push(await mount(context));
    const read = createRouter(publicRoutes(context));
    handlers.push(async (request, response) => {
      const answer = await read(pathOf(request), request);
      if (answer) sendAnswer(request, response, answer);
      return answer !== undefined;
    });
    answerWith(async (request, response) => {
      refuseForeignHost(request, port);
      refuseForeignPage(request, port);
      for (const handle of handlers) if (await handle(request, response)) return;
      throw notFound('This path');
    });
    return { origin, baseUrl: context.baseUrl, port, database, close, activity: activity.now };
  } catch (error) {
    // Requests that have arrived by now can't be answered.
    server.close();
    server.closeAllConnections();
    database?.close();
    throw error;
  }
}

const failed = new PublicError(500, 'internal', 'The catalogue failed.');

type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Requests that arrive before `answerWith` wait for it. */
async function listen(
  host: string,
  port: number,
  begin: () => () => void,
  {
    report,
    refuse,
  }: {
    readonly report: (defect: unknown) => void;
    readonly refuse: (request: IncomingMessage, refusal: PublicError) => Answer;
  },
) {
  let answerWith: (answering: Answering) => void = () => {};
  const ready = new Promise<Answering>((resolve) => {
    answerWith = resolve;
  });
  const server: Server = createServer((request, response) => {
    response.once('close', begin());
    // A kept-alive connection could send requests to a closing catalogue without end.
    response.shouldKeepAlive &&= server.listening;
    ready
      .then((answer) => answer(request, response))
      .catch((error: unknown) => {
        const refusal = error instanceof PublicError ? error : undefined;
        if (!refusal) report(error);
        if (response.headersSent) response.destroy();
        else sendAnswer(request, response, refuse(request, refusal ?? failed));
      });
  });
  // Longer than a client keeps an idle connection, so that none is closed during a request.
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

/** Counts running requests and work, so that the process ends in none of them. */
interface Activity {
  /** Starts a request, or work that outlives one; call the returned function at its end. */
  begin(): () => void;
  now(): { lastUsedAt: number; pending: number };
  /** Resolves as soon as nothing is pending. */
  whenIdle(): Promise<void>;
}

function createActivity(): Activity {
  let lastUsedAt = Date.now();
  let pending = 0;
  let waiting: (() => void)[] = [];
  return {
    begin() {
      pending++;
      lastUsedAt = Date.now();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        pending--;
        lastUsedAt = Date.now();
        if (pending > 0) return;
        for (const resolve of waiting) resolve();
        waiting = [];
      };
    },
    now: () => ({ lastUsedAt, pending }),
    whenIdle: () => (pending === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
