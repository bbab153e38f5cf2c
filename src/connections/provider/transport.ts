import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { watchDeparture } from '../../wire/departures.ts';

/** Connections that nobody else uses: loopback directly, everything else as the proxy settings say. */
export interface OwnDispatchers {
  for(origin: string): Dispatcher;
  /** Ends every connection at once. */
  destroy(): Promise<void>;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly signal: AbortSignal;
}

/** How a request ended, without judging it. `sent`: its headers may have left this machine. */
export type TransportResult =
  | {
      readonly end: 'answered';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
    }
  /** The answer began, and broke off. */
  | {
      readonly end: 'cut';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly code: string | null;
    }
  | { readonly end: 'failed'; readonly sent: boolean; readonly code: string | null };

/** Sends a request once, following nothing. Never rejects: of an error only the code is told. */
export type Transport = (request: TransportRequest) => Promise<TransportResult>;

const largestAnswer = 256 * 1024;

/**
 * Each request gets a connection of its own: one that was idle may be closed at its other end already, and
 * a refresh token sent into that would be lost without need.
 */
export function createTransport(connect: () => OwnDispatchers, userAgent: string): Transport {
  return async (request) => {
    const dispatchers = connect();
    try {
      return await exchange(dispatchers.for(request.url.origin), request, userAgent);
    } catch (error) {
      // Before anything was dispatched: a proxy's address that can't be used.
      return { end: 'failed', sent: false, code: codeOf(error) };
    } finally {
      // Nobody waits for the socket's end.
      dispatchers.destroy().catch(() => undefined);
    }
  };
}

function exchange(
  dispatcher: Dispatcher,
  request: TransportRequest,
  userAgent: string,
): Promise<TransportResult> {
  return new Promise((resolve) => {
    const { url, method, signal, body } = request;
    const departure = body === null ? null : watchDeparture(body);
    let controller: Dispatcher.DispatchController | undefined;
    let began = false;
    let head: { status: number; headers: IncomingHttpHeaders } | undefined;
    const chunks: Buffer[] = [];
    let size = 0;

    const settle = (result: TransportResult) => {
      signal.removeEventListener('abort', abort);
      resolve(result);
    };
    const fail = (error: unknown) => {
      const code = codeOf(error);
      const sent = began || departure?.left === true;
      settle(head === undefined ? { end: 'failed', sent, code } : { end: 'cut', ...head, code });
    };
    const abort = () => {
      if (controller === undefined) fail(signal.reason);
      else controller.abort(timedOut());
    };
    if (signal.aborted) return fail(signal.reason);
    signal.addEventListener('abort', abort);

    const options: Dispatcher.DispatchOptions = {
      method,
      origin: url.origin,
      path: url.pathname + url.search,
      headers: { ...request.headers, 'accept-encoding': 'identity', 'user-agent': userAgent },
      body,
    };
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        // Aborted while it waited for a connection: undici writes nothing once this is called.
        if (signal.aborted) started.abort(timedOut());
        else began = true;
      },
      onResponseStart(_started, status, headers) {
        if (status >= 200) head = { status, headers };
      },
      onResponseData(started, chunk) {
        size += chunk.length;
        if (size > largestAnswer) started.abort(new Error('The answer is too large.'));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (head === undefined) fail(null);
        else settle({ end: 'answered', ...head, body: Buffer.concat(chunks) });
      },
      onResponseError(_started, error) {
        fail(error);
      },
    });
  });
}

function timedOut(): Error {
  return Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' });
}

/** The fault's code and nothing else of it: its other members may quote the answer. */
function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'ETIMEDOUT';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : null;
}
