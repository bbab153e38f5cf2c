import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { pathOf } from '../http.ts';
import { checked } from '../me/checked.ts';
import { readJson } from '../me/json-body.ts';
import type { Processing } from '../me/owner-side.ts';
import { ProtectedError, privateAnswer, refusalAnswer } from '../me/protected-error.ts';
import { expireAccessTokens, findAccessToken } from '../oauth/access-tokens.ts';
import type { Mount, Premises } from '../premises.ts';
import type { Database } from '../store/database.ts';
import { disturb } from './disturb.ts';
import { effectsOf } from './effects.ts';
import { faultSchema } from './fault.ts';
import { FaultQueue, type Incoming } from './queue.ts';
import { RequestLog } from './request-log.ts';

/** Failing on demand, for tests: nothing of it is there unless the catalogue was started for it. */
export interface Faults {
  /** To be asked before every other part. */
  readonly mount: Mount;
  readonly processingOf: (request: IncomingMessage) => Processing | null;
}

/** One fault, or several that are queued together or not at all. */
const order = z.union([faultSchema.transform((fault) => [fault]), z.array(faultSchema).min(1).max(1_000)]);

export function createFaults(): Faults {
  const queue = new FaultQueue();
  const log = new RequestLog();
  const processing = new WeakMap<IncomingMessage, Processing>();

  const control = async (premises: Premises, request: IncomingMessage, path: string) => {
    const { method = '' } = request;
    switch (`${method} ${path}`) {
      case 'POST /.sandbox/faults': {
        const faults = checked(order, await readJson(request));
        return privateAnswer(201, { ids: faults.map((fault) => queue.add(fault)) });
      }
      case 'GET /.sandbox/faults':
        return privateAnswer(200, { faults: queue.list() });
      case 'DELETE /.sandbox/faults':
        queue.clear();
        return privateAnswer(200, { faults: [] });
      case 'GET /.sandbox/requests':
        return privateAnswer(200, { requests: log.list() });
      case 'GET /.sandbox/effects':
        return privateAnswer(200, { effects: effectsOf(premises.database) });
      default:
        throw new ProtectedError(405, 'method_not_allowed', 'This path does not take this method.');
    }
  };

  const handle = async (premises: Premises, request: IncomingMessage, response: ServerResponse) => {
    const path = pathOf(request);
    if (controlPaths.includes(path)) {
      const answer = await control(premises, request, path).catch((error: unknown) => {
        const refusal = refusalAnswer(error);
        if (refusal === null) throw error;
        return refusal;
      });
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return true;
    }
    const incoming = incomingOf(premises, request, path);
    log.note(incoming, response);
    const met = queue.take(incoming);
    const between = met.get('between');
    if (between?.do === 'process') processing.set(request, between);
    const expireToken = () => expirePresented(premises.database, request);
    return disturb({ request, response, expireToken }, met);
  };

  return {
    mount: (premises) => (request, response) => handle(premises, request, response),
    processingOf: (request) => processing.get(request) ?? null,
  };
}

const controlPaths: readonly string[] = ['/.sandbox/faults', '/.sandbox/requests', '/.sandbox/effects'];

function incomingOf({ basePath }: Premises, request: IncomingMessage, path: string): Incoming {
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  return { method: request.method ?? '', paths: [below, path], query: new URLSearchParams(query) };
}

function expirePresented(database: Database, request: IncomingMessage): void {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const found = token === undefined ? undefined : findAccessToken(database, token);
  if (found !== undefined) expireAccessTokens(database, found.connectionId);
}
