import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { pathOf } from '../http.ts';
import type { Processing } from '../me/context.ts';
import { answerForError, protectedAnswer, ProtectedError } from '../me/protected-error.ts';
import { readJson, validate } from '../me/request.ts';
import { expireAccessTokens, findAccessToken } from '../oauth/connections.ts';
import type { Mount, ServerContext } from '../server-context.ts';
import type { Database } from '../store/database.ts';
import { faultSchema } from './fault.ts';
import { injectFaults } from './inject.ts';
import { FaultQueue, type RequestFacts } from './queue.ts';

/** Fault injection for tests. It exists only in a catalogue that was started with it. */
export interface Faults {
  /** Comes before every other mount. */
  readonly mount: Mount;
  readonly processingOf: (request: IncomingMessage) => Processing | null;
}

/** One fault, or several that are queued all together or not at all. */
const faultsBody = z.union([
  faultSchema.transform((fault) => [fault]),
  z.array(faultSchema).min(1).max(1_000),
]);

export function createFaults(): Faults {
  const queue = new FaultQueue();
  const log = new RequestLog();
  const processing = new WeakMap<IncomingMessage, Processing>();

  const control = async (context: ServerContext, request: IncomingMessage, path: string) => {
    const { method = '' } = request;
    switch (`${method} ${path}`) {
      case 'POST /.sandbox/faults': {
        const faults = validate(faultsBody, await readJson(request));
        return protectedAnswer(201, { ids: faults.map((fault) => queue.add(fault)) });
      }
      case 'GET /.sandbox/faults':
        return protectedAnswer(200, { faults: queue.list() });
      case 'DELETE /.sandbox/faults':
        queue.clear();
        return protectedAnswer(200, { faults: [] });
      case 'GET /.sandbox/requests':
        return protectedAnswer(200, { requests: log.list() });
      case 'GET /.sandbox/effects':
        return protectedAnswer(200, { effects: readEffects(context.database) });
      default:
        throw new ProtectedError(405, 'method_not_allowed', 'This path does not take this method.');
    }
  };

  const handle = async (context: ServerContext, request: IncomingMessage, response: ServerResponse) => {
    const path = pathOf(request);
    if (controlPaths.includes(path)) {
      const answer = await control(context, request, path).catch((error: unknown) => {
        const refusal = answerForError(error);
        if (refusal === null) throw error;
        return refusal;
      });
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return true;
    }
    const facts = factsOf(context, request, path);
    log.note(facts, response);
    const active = queue.take(facts);
    const between = active.get('between');
    if (between?.do === 'process') processing.set(request, between);
    const expireToken = () => expirePresented(context.database, request);
    return injectFaults({ request, response, expireToken }, active);
  };

  return {
    mount: (context) => (request, response) => handle(context, request, response),
    processingOf: (request) => processing.get(request) ?? null,
  };
}

const controlPaths: readonly string[] = ['/.sandbox/faults', '/.sandbox/requests', '/.sandbox/effects'];

function factsOf({ basePath }: ServerContext, request: IncomingMessage, path: string): RequestFacts {
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  return { method: request.method ?? '', paths: [below, path], query: new URLSearchParams(query) };
}

function expirePresented(database: Database, request: IncomingMessage): void {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const found = token === undefined ? undefined : findAccessToken(database, token);
  if (found !== undefined) expireAccessTokens(database, found.connectionId);
}

/** A request that has reached the catalogue, for tests that count how often one was sent. */
interface LoggedRequest {
  /** ISO 8601 UTC, when its headers had arrived. */
  readonly at: string;
  readonly method: string;
  /** Below `{base_url}` where the request is there. */
  readonly path: string;
  /** Only of protected requests. */
  readonly query: string;
  /** null until a whole answer has been sent. */
  status: number | null;
}

const maxRequests = 20_000;

/** The latest requests, the oldest first. Headers and bodies are not stored: they may hold secrets. */
class RequestLog {
  #requests: LoggedRequest[] = [];

  note({ method, paths, query }: RequestFacts, response: ServerResponse): void {
    const [path = ''] = paths;
    const logged: LoggedRequest = {
      at: new Date().toISOString(),
      method,
      path,
      query: path === '/me' || path.startsWith('/me/') ? query.toString() : '',
      status: null,
    };
    if (this.#requests.length >= maxRequests) this.#requests = this.#requests.slice(maxRequests / 2);
    this.#requests.push(logged);
    response.once('finish', () => {
      logged.status = response.statusCode;
    });
  }

  list(): readonly LoggedRequest[] {
    return this.#requests;
  }
}

/** Every change that mutations have made, the first one first. */
function readEffects(database: Database) {
  return database.all('SELECT * FROM effects ORDER BY sequence').map((row) => ({
    sequence: row.integer('sequence'),
    at: row.text('at'),
    accountId: row.integer('account_id'),
    operation: row.text('operation'),
    clientMutationId: row.textOrNull('client_mutation_id'),
    resource: { kind: row.text('resource_kind'), id: row.text('resource_id') },
  }));
}
