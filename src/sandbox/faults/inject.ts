import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, FaultMoment, FaultOf } from './fault.ts';

interface FaultedExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Expires the presented access token. */
  expireToken(): void;
}

/**
 * Injects the faults that apply to a request.
 * @returns whether the request is over, so that no handler must see it.
 */
export async function injectFaults(
  exchange: FaultedExchange,
  active: ReadonlyMap<FaultMoment, Fault>,
): Promise<boolean> {
  const after = active.get('after');
  if (after !== undefined) bufferResponse(exchange.response, (body) => sendBuffered(exchange, after, body));
  const before = active.get('before');
  if (before !== undefined && (await applyFault(exchange, before))) return true;
  const received = active.get('received');
  if (received === undefined) return false;
  await wholeBody(exchange.request);
  return applyFault(exchange, received);
}

/** Returns whether the request is over. */
async function applyFault(exchange: FaultedExchange, fault: Fault): Promise<boolean> {
  switch (fault.do) {
    case 'delay':
      await sleep(fault.milliseconds);
      return false;
    case 'expire_token':
      exchange.expireToken();
      return false;
    case 'truncate':
    case 'process':
      return false;
    default:
      restore(exchange.response);
      endWithFault(exchange, fault);
      return true;
  }
}

/** Called with the handler's whole answer: sends it, changes it or drops it. */
function sendBuffered(exchange: FaultedExchange, fault: Fault, body: Buffer): void {
  const { response } = exchange;
  switch (fault.do) {
    case 'delay':
      setTimeout(() => response.end(body), fault.milliseconds);
      return;
    case 'expire_token':
      exchange.expireToken();
      response.end(body);
      return;
    case 'truncate':
      response.setHeader('content-length', body.byteLength);
      response.write(body.subarray(0, Math.floor(body.byteLength / 2)), () => response.destroy());
      return;
    case 'process':
      response.end(body);
      return;
    default:
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      endWithFault(exchange, fault);
  }
}

function endWithFault(
  { response }: FaultedExchange,
  fault: FaultOf<'answer' | 'unresolved' | 'cut' | 'silence'>,
): void {
  switch (fault.do) {
    case 'answer':
      sendFaultAnswer(response, fault.status, fault.body, fault.headers);
      return;
    case 'unresolved':
      sendFaultAnswer(response, 503, unresolvedBody, {});
      return;
    case 'cut':
      response.destroy();
      return;
    case 'silence': {
      const cut = setTimeout(() => response.destroy(), fault.milliseconds);
      response.once('close', () => clearTimeout(cut));
      return;
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

function sendFaultAnswer(
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

/** Resolves also when the client disconnects before the end. */
async function wholeBody(request: IncomingMessage): Promise<void> {
  request.resume();
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    request.once('end', resolve);
    request.once('close', resolve);
  });
}

function restore(response: ServerResponse): void {
  for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
}

/**
 * Buffers what a handler sends, and passes it on once it is whole. The response then has its status and
 * headers, and can still be sent, changed or cut.
 */
function bufferResponse(response: ServerResponse, whole: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  // Own members hide those of the prototype until they are deleted; the handlers keep using the same
  // response.
  response.writeHead = (status: number, ...rest: unknown[]) => {
    response.statusCode = status;
    setHeaders(response, rest.at(-1));
    return response;
  };
  response.write = (chunk: unknown) => {
    collect(chunk);
    return true;
  };
  response.end = (chunk?: unknown) => {
    collect(chunk);
    for (const name of ['writeHead', 'write', 'end']) Reflect.deleteProperty(response, name);
    whole(Buffer.concat(chunks));
    return response;
  };
}

function setHeaders(response: ServerResponse, headers: unknown): void {
  if (typeof headers !== 'object' || headers === null) return;
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' || typeof value === 'number') response.setHeader(name, value);
    else if (Array.isArray(value)) response.setHeader(name, value.map(String));
  }
}
