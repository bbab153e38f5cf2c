import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Context, Processing } from './context.ts';
import { addressOf, matchPath, privateJson, type Route, readJson } from './http.ts';
import { expireAccessTokens } from './oauth/connection.ts';

/** Failures that a test or the demo has ordered. They exist only in a catalogue that was started with them. */
export interface Faults {
  routes(context: Context): readonly Route[];
  /** `ended`: a fault has answered instead. */
  inject(context: Context, request: IncomingMessage, response: ServerResponse): Promise<'ended' | undefined>;
  processingOf(request: IncomingMessage): Processing | null;
}

const milliseconds = z.int().min(0).max(600_000);

/** Which requests a fault applies to. */
const matching = {
  method: z.enum(['GET', 'HEAD', 'POST', '*']).default('*'),
  /** Below `{base_url}` or below the origin; `*` and `{name}` stand for one segment each. */
  path: z.string().startsWith('/'),
  /** Parameters that the query must have, such as an item's id. */
  query: z.record(z.string(), z.string()).default({}),
  /** How many matching requests it skips first, and to how many it then applies. */
  skip: z.int().min(0).default(0),
  count: z.int().min(1).max(1_000_000).default(1),
};

/**
 * `before`: when the headers have arrived. `received`: when the whole body has arrived and nothing was done with it.
 * `after`: when the effect is durable and the answer is about to be sent.
 */
const anyTime = z.enum(['before', 'received', 'after']).default('after');
const beforeOrAfter = z.enum(['before', 'after']).default('after');

const faultSchema = z.discriminatedUnion('do', [
  /** Sends this answer instead. A string is sent as it is, any other value as JSON. */
  z.strictObject({
    ...matching,
    do: z.literal('answer'),
    when: anyTime,
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown().optional(),
  }),
  /** Sends 503 `set_creation_upload.outcome_unresolved` instead. */
  z.strictObject({ ...matching, do: z.literal('unresolved'), when: anyTime }),
  /** Cuts the connection. */
  z.strictObject({ ...matching, do: z.literal('cut'), when: anyTime }),
  /** Sends nothing, and cuts the connection after a while. */
  z.strictObject({
    ...matching,
    do: z.literal('silence'),
    when: anyTime,
    milliseconds: milliseconds.default(60_000),
  }),
  /** Goes on later. */
  z.strictObject({ ...matching, do: z.literal('delay'), when: beforeOrAfter, milliseconds }),
  /** Sends the headers and half of the body, then cuts the connection. */
  z.strictObject({ ...matching, do: z.literal('truncate'), when: z.literal('after').default('after') }),
  /** Ends the presented access token: before the request is authorized, or after it was answered. */
  z.strictObject({ ...matching, do: z.literal('expire_token'), when: beforeOrAfter }),
  /** Processing goes on for a while after the answer, and then succeeds or fails. */
  z.strictObject({
    ...matching,
    do: z.literal('process'),
    when: z.literal('between').default('between'),
    milliseconds,
    unresolved: z.boolean().default(false),
    failure: z.strictObject({ code: z.string(), message: z.string() }).nullable().default(null),
  }),
]);

type Fault = z.infer<typeof faultSchema>;
type Ending = Extract<Fault, { do: 'answer' | 'unresolved' | 'cut' | 'silence' }>;

/** One fault, or several that are queued all together or not at all. */
const faultsSchema = z.union([
  faultSchema.transform((fault) => [fault]),
  z.array(faultSchema).min(1).max(1_000),
]);

/** A request that has reached the catalogue, for tests that count how often one was sent. */
interface SeenRequest {
  readonly at: string;
  readonly method: string;
  /** Below `{base_url}` where the request is there. */
  readonly path: string;
  /** Of protected requests only. */
  readonly query: string;
  /** null until a whole answer has been sent. */
  status: number | null;
}

const maxSeen = 20_000;

export function createFaults(): Faults {
  let queue: { readonly id: number; readonly fault: Fault; seen: number }[] = [];
  let count = 0;
  let seen: SeenRequest[] = [];
  const processing = new WeakMap<IncomingMessage, Processing>();

  const leftOf = ({ fault, seen }: (typeof queue)[number]) => fault.count - Math.max(0, seen - fault.skip);

  /** For each moment the first fault that matches. */
  const take = (matches: (fault: Fault) => boolean) => {
    const taken = new Map<Fault['when'], Fault>();
    for (const queued of queue) {
      if (taken.has(queued.fault.when) || !matches(queued.fault)) continue;
      queued.seen++;
      if (queued.seen > queued.fault.skip) taken.set(queued.fault.when, queued.fault);
    }
    queue = queue.filter((queued) => leftOf(queued) > 0);
    return taken;
  };

  const note = (request: SeenRequest, response: ServerResponse) => {
    if (seen.length >= maxSeen) seen = seen.slice(maxSeen / 2);
    seen.push(request);
    response.once('finish', () => {
      request.status = response.statusCode;
    });
  };

  return {
    processingOf: (request) => processing.get(request) ?? null,
    routes: ({ store }) => [
      {
        method: 'POST',
        path: '/.sandbox/faults',
        async answer({ request }) {
          const faults = await readJson(request, faultsSchema);
          queue.push(...faults.map((fault) => ({ id: ++count, fault, seen: 0 })));
          return privateJson(201, { ids: faults.map((_, index) => count - faults.length + 1 + index) });
        },
      },
      {
        method: 'GET',
        path: '/.sandbox/faults',
        answer: () =>
          privateJson(200, {
            faults: queue.map((queued) => ({ id: queued.id, left: leftOf(queued), fault: queued.fault })),
          }),
      },
      {
        method: 'DELETE',
        path: '/.sandbox/faults',
        answer() {
          queue = [];
          return privateJson(200, { faults: [] });
        },
      },
      { method: 'GET', path: '/.sandbox/requests', answer: () => privateJson(200, { requests: seen }) },
      {
        method: 'GET',
        path: '/.sandbox/effects',
        answer: () =>
          privateJson(200, {
            effects: store.all('SELECT * FROM effects ORDER BY sequence').map((row) => ({
              ...row.members('sequence', 'at', 'accountId', 'operation', 'clientMutationId'),
              resource: { kind: row.text('resource_kind'), id: row.text('resource_id') },
            })),
          }),
      },
    ],
    async inject(context, request, response) {
      const { path, query } = addressOf(request);
      if (path.startsWith('/.sandbox/')) return undefined;
      const { method = '' } = request;
      const below = path.startsWith(`${context.basePath}/`) ? path.slice(context.basePath.length) : path;
      note(
        {
          at: new Date().toISOString(),
          method,
          path: below,
          query: /^\/me(\/|$)/.test(below) ? query.toString() : '',
          status: null,
        },
        response,
      );
      const faults = take(
        (fault) =>
          (fault.method === '*' || fault.method === method) &&
          [below, path].some((candidate) => isLike(fault.path, candidate)) &&
          Object.entries(fault.query).every(([name, value]) => query.get(name) === value),
      );
      const between = faults.get('between');
      if (between?.do === 'process') processing.set(request, between);
      const expire = () => {
        const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
        if (token !== undefined) expireAccessTokens(context, token);
      };
      const after = faults.get('after');
      if (after !== undefined) holdAnswer(response, (body) => applyAfter(after, response, body, expire));
      for (const moment of ['before', 'received'] as const) {
        const fault = faults.get(moment);
        if (fault === undefined) continue;
        if (moment === 'received') await wholeBody(request);
        if (fault.do === 'delay') await sleep(fault.milliseconds);
        else if (fault.do === 'expire_token') expire();
        else if (isEnding(fault)) {
          release(response);
          endWith(fault, response);
          return 'ended';
        }
      }
      return undefined;
    },
  };
}

function isLike(pattern: string, path: string): boolean {
  const parts = pattern.split('/').map((part) => (part === '*' ? '{any}' : part));
  return matchPath(parts, path.split('/')) !== null;
}

function isEnding(fault: Fault): fault is Ending {
  return fault.do === 'answer' || fault.do === 'unresolved' || fault.do === 'cut' || fault.do === 'silence';
}

/** Called with a handler's whole answer: sends it, changes it or drops it. */
function applyAfter(fault: Fault, response: ServerResponse, body: Buffer, expire: () => void): void {
  if (isEnding(fault)) {
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    endWith(fault, response);
  } else if (fault.do === 'delay') {
    setTimeout(() => response.end(body), fault.milliseconds);
  } else if (fault.do === 'truncate') {
    response.setHeader('content-length', body.byteLength);
    response.write(body.subarray(0, Math.floor(body.byteLength / 2)), () => response.destroy());
  } else {
    if (fault.do === 'expire_token') expire();
    response.end(body);
  }
}

function endWith(fault: Ending, response: ServerResponse): void {
  switch (fault.do) {
    case 'answer':
      sendInstead(response, fault.status, fault.body, fault.headers);
      break;
    case 'unresolved':
      sendInstead(response, 503, unresolvedBody, {});
      break;
    case 'cut':
      response.destroy();
      break;
    case 'silence': {
      const cut = setTimeout(() => response.destroy(), fault.milliseconds);
      response.once('close', () => clearTimeout(cut));
    }
  }
}

/** The interface document, Errors. */
const unresolvedBody = {
  error: {
    code: 'set_creation_upload.outcome_unresolved',
    message: 'The result of the upload could not be determined: read the status first.',
    details: {},
    issues: [],
  },
};

function sendInstead(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    ...headers,
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
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

/**
 * Holds back what a handler sends until it is whole; the response then has its status and headers, and can still be
 * sent, changed or cut. oidc-provider writes to the response itself, so that this is the one place for all.
 */
function holdAnswer(response: ServerResponse, whole: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  // Own members hide those of the prototype until they are deleted.
  response.writeHead = (status: number, ...rest: unknown[]) => {
    response.statusCode = status;
    for (const [name, value] of Object.entries(rest.at(-1) ?? {})) {
      if (typeof value === 'string' || typeof value === 'number') response.setHeader(name, value);
      else if (Array.isArray(value)) response.setHeader(name, value.map(String));
    }
    return response;
  };
  response.write = (chunk: unknown) => {
    collect(chunk);
    return true;
  };
  response.end = (chunk?: unknown) => {
    collect(chunk);
    release(response);
    whole(Buffer.concat(chunks));
    return response;
  };
}

function release(response: ServerResponse): void {
  for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
}
