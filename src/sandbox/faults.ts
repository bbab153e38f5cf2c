import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Context, Processing } from './context.ts';
import { addressOf, type Exchange, patternOf, privateJson, type Route, readJson } from './http.ts';
import { expireAccessTokens } from './oauth/connection.ts';

/** Failures that a test or the demo has ordered. They exist only in a catalogue that was started with them. */
export interface Faults {
  routes(context: Context): readonly Route[];
  /** `ended`: a fault has answered instead. */
  inject(context: Context, request: IncomingMessage, response: ServerResponse): Promise<'ended' | undefined>;
  processingOf(request: IncomingMessage): Processing | null;
}

const faultSchema = z.strictObject({
  method: z.enum(['GET', 'POST', '*']).default('*'),
  /** Below `{base_url}` or below the origin; `*` stands for one segment. */
  path: z.string().startsWith('/'),
  /** Parameters that the query must have, such as an item's id. */
  query: z.record(z.string(), z.string()).default({}),
  /** How many matching requests it skips first, and to how many it then applies. */
  skip: z.int().min(0).default(0),
  count: z.int().min(1).default(1),
  /**
   * `before`: when the headers have arrived. `received`: when the whole body has arrived and nothing was done with it.
   * `after`: when the effect is durable and the answer is about to be sent.
   */
  when: z.enum(['before', 'received', 'after']).default('after'),
  /**
   * `answer`: another answer comes instead. `cut`: the connection is cut; `truncate`: in the middle of the answer;
   * `silence`: after a while in which nothing comes. `delay`: it goes on later. `expire_token`: the presented access
   * token ends. `process`: processing goes on for a while after the answer, and then succeeds or fails.
   */
  do: z.enum(['answer', 'cut', 'truncate', 'silence', 'delay', 'expire_token', 'process']),
  /** Of an `answer`. A string is sent as it is, any other body as JSON. */
  status: z.int().min(200).max(599).default(503),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().default(''),
  milliseconds: z.int().min(0).max(600_000).default(60_000),
  /** Of a `process`. */
  failure: z.strictObject({ code: z.string(), message: z.string() }).nullable().default(null),
});

type Fault = z.infer<typeof faultSchema>;

/** A request that has reached the catalogue, for tests that count how often one was sent. */
interface SeenRequest {
  readonly method: string;
  /** Below `{base_url}` where the request is there. */
  readonly path: string;
  /** Of protected requests only. */
  readonly query: string;
  /** null until a whole answer has been sent. */
  status: number | null;
}

export function createFaults(): Faults {
  let queue: { readonly fault: Fault; skip: number; left: number }[] = [];
  const requests: SeenRequest[] = [];
  const processing = new WeakMap<IncomingMessage, Processing>();

  /** For each moment the first fault that matches. Processing is a moment of its own. */
  const take = (matches: (fault: Fault) => boolean) => {
    const taken = new Map<Fault['when'] | 'process', Fault>();
    for (const queued of queue) {
      const moment = queued.fault.do === 'process' ? 'process' : queued.fault.when;
      if (taken.has(moment) || !matches(queued.fault)) continue;
      if (queued.skip > 0) queued.skip--;
      else {
        queued.left--;
        taken.set(moment, queued.fault);
      }
    }
    queue = queue.filter(({ left }) => left > 0);
    return taken;
  };
  const route = (
    method: Route['method'],
    name: string,
    answer: (exchange: Exchange) => object | Promise<object>,
  ): Route => ({
    method,
    path: `/.sandbox/${name}`,
    answer: async (exchange) => privateJson(200, await answer(exchange)),
  });

  return {
    processingOf: (request) => processing.get(request) ?? null,
    routes: ({ store }) => [
      route('GET', 'faults', () => ({ faults: queue })),
      route('POST', 'faults', async ({ request }) => {
        const faults = await readJson(request, z.array(faultSchema));
        queue.push(...faults.map((fault) => ({ fault, skip: fault.skip, left: fault.count })));
        return {};
      }),
      route('DELETE', 'faults', () => {
        queue = [];
        return {};
      }),
      route('GET', 'requests', () => ({ requests })),
      route('GET', 'effects', () => ({
        effects: store.all('SELECT * FROM effects ORDER BY sequence').map((row) => ({
          ...row.members('operation', 'clientMutationId'),
          resource: { kind: row.text('resource_kind'), id: row.text('resource_id') },
        })),
      })),
    ],
    async inject(context, request, response) {
      const { path, query } = addressOf(request);
      if (path.startsWith('/.sandbox/')) return undefined;
      const { method = '' } = request;
      const below = path.startsWith(`${context.basePath}/`) ? path.slice(context.basePath.length) : path;
      const isProtected = below.startsWith('/me/');
      const shownQuery = isProtected ? query.toString() : '';
      const seen: SeenRequest = { method, path: below, query: shownQuery, status: null };
      requests.push(seen);
      response.once('finish', () => {
        seen.status = response.statusCode;
      });
      const faults = take(
        (fault) =>
          (fault.method === '*' || fault.method === method) &&
          [below, path].some((one) => patternOf(fault.path).test(one)) &&
          Object.entries(fault.query).every(([name, value]) => query.get(name) === value),
      );
      const process = faults.get('process');
      if (process !== undefined) processing.set(request, process);
      for (const moment of ['before', 'received'] as const) {
        const fault = faults.get(moment);
        if (fault === undefined) continue;
        if (moment === 'received') await wholeBody(request);
        if (fault.do === 'delay') await sleep(fault.milliseconds);
        else if (fault.do === 'expire_token') expireToken(context, request);
        else {
          endWith(fault, response);
          return 'ended';
        }
      }
      const after = faults.get('after');
      if (after !== undefined) holdAnswer(after, response);
      return undefined;
    },
  };
}

function expireToken(context: Context, { headers }: IncomingMessage): void {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token !== undefined) expireAccessTokens(context, token);
}

/**
 * Takes a handler's whole answer, which everything here hands to `end` at once, oidc-provider too: sends it later, in
 * part or not at all.
 */
function holdAnswer(fault: Fault, response: ServerResponse): void {
  // An own member hides that of the prototype until it is deleted.
  response.end = (answer?: unknown) => {
    Reflect.deleteProperty(response, 'end');
    const body =
      typeof answer === 'string' || answer instanceof Uint8Array ? Buffer.from(answer) : Buffer.of();
    if (fault.do === 'delay') {
      setTimeout(() => response.end(body), fault.milliseconds);
    } else if (fault.do === 'truncate') {
      response.setHeader('content-length', body.byteLength);
      response.write(body.subarray(0, Math.floor(body.byteLength / 2)), () => response.destroy());
    } else {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      endWith(fault, response);
    }
    return response;
  };
}

function endWith(fault: Fault, response: ServerResponse): void {
  if (fault.do === 'answer') {
    const { status, headers, body } = fault;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const defaults = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
    };
    response.writeHead(status, { ...defaults, ...headers, 'content-length': Buffer.byteLength(text) });
    response.end(text);
  } else if (fault.do === 'silence') {
    const cut = setTimeout(() => response.destroy(), fault.milliseconds);
    response.once('close', () => clearTimeout(cut));
  } else {
    response.destroy();
  }
}

/** Resolves also when the client goes away before the end. */
async function wholeBody(request: IncomingMessage): Promise<void> {
  request.resume();
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    request.once('end', resolve);
    request.once('close', resolve);
  });
}
