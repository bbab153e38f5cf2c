import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type Exchange, exchange } from '../../wire/exchange.ts';

/** Connections for one request: loopback directly, everything else as the proxy settings say. */
export interface OwnDispatchers {
  for(origin: string): Dispatcher;
  /** Ends every connection at once. */
  destroy(): Promise<void>;
}

interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly signal: AbortSignal;
}

/** An `Exchange` without its error, which may quote tokens: of that only the code is told. */
export type TransportResult =
  | {
      readonly end: 'answered';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
    }
  | {
      readonly end: 'cut';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly code: string | null;
    }
  | { readonly end: 'failed'; readonly sent: boolean; readonly code: string | null };

/** Sends a request once, following nothing. Never rejects. */
export type Transport = (request: TransportRequest) => Promise<TransportResult>;

const largestAnswer = 256 * 1024;

/**
 * Each request gets a connection of its own: one that was idle may be closed at its other end already, and a
 * refresh token that is sent into it would be lost without need.
 */
export function createTransport(connect: () => OwnDispatchers, userAgent: string): Transport {
  return async ({ url, method, headers, body, signal }) => {
    const dispatchers = connect();
    try {
      const result = await exchange(dispatchers.for(url.origin), {
        method,
        origin: url.origin,
        path: url.pathname + url.search,
        headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': userAgent },
        ...(body === null ? {} : { body }),
        maxBytes: largestAnswer,
        headersMs: 0,
        bodyMs: 0,
        signal,
      });
      return withoutError(result);
    } catch (error) {
      // Before anything was dispatched: a proxy's address that can't be used.
      return { end: 'failed', sent: false, code: codeOf(error) };
    } finally {
      // The answer doesn't wait for the socket's end.
      dispatchers.destroy().catch(() => undefined);
    }
  };
}

function withoutError(result: Exchange): TransportResult {
  switch (result.end) {
    case 'answered':
      return { end: 'answered', ...result.head, body: result.body };
    case 'cut':
      return { end: 'cut', ...result.head, code: codeOf(result.error) };
    case 'failed':
      return { end: 'failed', sent: result.sent, code: codeOf(result.error) };
  }
}

/**
 * 100 (Continue) that no request asked for. undici closes the connection at it, whatever would have come next, so the
 * answer is lost with what it granted.
 */
export const unaskedContinue = 'UNASKED_CONTINUE';

/** undici has one code for every end of a socket, and these words for an answer that may not come now. */
function isUnaskedContinue(error: object, code: string): boolean {
  return code === 'UND_ERR_SOCKET' && Reflect.get(error, 'message') === 'bad response';
}

/** The fault's code and nothing else of it: its other members may quote the answer. */
function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'ETIMEDOUT';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return null;
  return isUnaskedContinue(error, code) ? unaskedContinue : code;
}
