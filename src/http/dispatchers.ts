import type { LookupFunction, Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import connector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import { ArtworkError } from '../errors.ts';
import { isLoopbackHost } from './reach.ts';

// undici's index loads its fetch, its caches and its mocks, which every start of the server would pay for: only the
// parts in use are loaded, by their own paths. The index alone gives dispatchers the method by which a proxy's tunnel
// is opened. test/http/exchange.test.ts fails where undici moves a part or gives it another method.
UndiciDispatcher.prototype.connect ??= connect;

const connectMs = 10_000;
const idleMs = 4_000;

/**
 * Opens the connections to a service that may have to be started before anything is sent to it. Answers null for any
 * other origin, else a socket that carries nothing yet. Requests end with its rejection, unsent.
 */
export type OpenConnection = (
  to: { readonly hostname: string; readonly port: string },
  signal: AbortSignal,
) => Promise<Socket> | null;

interface DispatcherOptions {
  /**
   * Connections per origin; further requests wait. `fresh`: a new one for each request. The longer a connection was idle
   * the likelier its other end has closed it already, and what is sent into that ends without an answer.
   */
  readonly connections: number | 'fresh';
  readonly lookup?: LookupFunction;
  readonly open?: OpenConnection | undefined;
}

export type Dispatchers = ReturnType<typeof createDispatchers>;

/**
 * Opens and keeps connections, a few for each origin: to loopback directly, to everything else as HTTP(S)_PROXY and
 * NO_PROXY say. None of them repeats a request.
 */
export function createDispatchers({ connections, lookup, open }: DispatcherOptions) {
  const ended = new AbortController();
  // undici goes on connecting when it is destroyed: a peer that says nothing would keep its socket.
  const connecting = new Set<Socket>();
  const openSocket = connector({ timeout: connectMs, ...(lookup && { lookup }) });
  const settings = {
    // Without pipelining undici keeps no connection.
    ...(connections === 'fresh' ? { pipelining: 0 } : { connections, pipelining: 1 }),
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // Each request brings its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(to: buildConnector.Options, connected: buildConnector.Callback) {
      const opening = open?.(to, ended.signal) ?? null;
      if (opening !== null) {
        opening.then(
          (socket) => connected(null, socket),
          (error: unknown) => connected(error instanceof Error ? error : new Error(String(error)), null),
        );
        return;
      }
      const socket = openSocket(to, connected);
      connecting.add(socket);
      const settled = () => connecting.delete(socket);
      socket.once(to.protocol === 'https:' ? 'secureConnect' : 'connect', settled).once('close', settled);
    },
  };
  let direct: Dispatcher | undefined;
  let proxied: Dispatcher | undefined;
  return {
    /** @throws ArtworkError `network` when the proxy's address can't be used */
    for(origin: string): Dispatcher {
      if (isLoopbackHost(new URL(origin).hostname)) {
        direct ??= new Agent(settings);
        return direct;
      }
      try {
        proxied ??= new EnvHttpProxyAgent(settings);
      } catch (cause) {
        throw new ArtworkError('network', 'HTTP_PROXY or HTTPS_PROXY is not the URL of a proxy.', { cause });
      }
      return proxied;
    },
    /** Ends every connection at once; requests in flight fail. */
    async destroy(): Promise<void> {
      ended.abort();
      for (const socket of connecting) socket.destroy();
      await Promise.all([direct?.destroy(), proxied?.destroy()]);
    },
  };
}
