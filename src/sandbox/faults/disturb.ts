import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, FaultOf, Moment } from './fault.ts';
import { withhold } from './withhold.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Lets the presented access token expire. */
  expireToken(): void;
}

/**
 * Does what the faults of a request's moments say.
 * @returns whether the request is over, so that no handler must see it.
 */
export async function disturb(exchange: Exchange, met: ReadonlyMap<Moment, Fault>): Promise<boolean> {
  const after = met.get('after');
  if (after !== undefined) withhold(exchange.response, (body) => release(exchange, after, body));
  const before = met.get('before');
  if (before !== undefined && (await interrupt(exchange, before))) return true;
  const received = met.get('received');
  if (received === undefined) return false;
  await wholeBody(exchange.request);
  return interrupt(exchange, received);
}

/** Answers whether that was the request's end. */
async function interrupt(exchange: Exchange, fault: Fault): Promise<boolean> {
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
      finish(exchange, fault);
      return true;
  }
}

/** The handler has answered: what comes of its answer. */
function release(exchange: Exchange, fault: Fault, body: Buffer): void {
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
      finish(exchange, fault);
  }
}

function finish({ response }: Exchange, fault: FaultOf<'answer' | 'unresolved' | 'cut' | 'silence'>): void {
  switch (fault.do) {
    case 'answer':
      answer(response, fault.status, fault.body, fault.headers);
      return;
    case 'unresolved':
      answer(response, 503, unresolved, {});
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
const unresolved = {
  error: {
    code: 'set_creation_upload.outcome_unresolved',
    message: 'The result of the upload could not be determined: read the status first.',
    details: {},
    issues: [],
  },
};

function answer(
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

/** Resolves too when the client goes away in the middle of it. */
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
