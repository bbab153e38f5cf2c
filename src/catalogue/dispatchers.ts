import type { LookupFunction, Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import connector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import { ArtworkError } from '../errors.ts';
import { isLoopbackHost } from './addresses.ts';

// undici's index loads its fetch, its caches and its mocks, which every start of the server would pay for: only the
// parts in use are loaded, by their own paths. The index alone gives dispatchers the method by which a proxy's tunnel
// is opened. test/catalogue/undici-parts.test.ts fails where undici moves a part or gives it another method.
UndiciDispatcher.prototype.connect ??= connect;

const connectMs = 10_000;

export interface DispatcherOptions {
  /** Connections per origin; further requests wait. */
  readonly connections: number;
  /** Milliseconds that a connection may stay unused. */
  readonly idleMs: number;
  readonly lookup?: LookupFunction;
  readonly open?: OpenConnection | undefined;
}

/**
 * Opens the connections to a service that has to be started, or to prove itself, before anything is sent to
 * it. Answers null for any other origin, else a socket that carries nothing yet; its rejection is the error
 * that requests end with, unsent.
 */
export type OpenConnection = (
  to: { readonly hostname: string; readonly port: string },
  signal: AbortSignal,
) => Promise<Socket> | null;

/** Opens and keeps connections; loopback directly, everything else as HTTP(S)_PROXY and NO_PROXY say. */
export interface Dispatchers {
  /** @throws ArtworkError `network` when the proxy's address can't be used. */
  for(origin: string): Dispatcher;
  /** Ends every connection at once; requests in flight fail. */
  destroy(): Promise<void>;
}

/** Opens and keeps the connections over which requests go, a few for each origin. */
export function createDispatchers(options: DispatcherOptions): Dispatchers {
  // undici does not end an attempt to connect when it is destroyed: a peer that says nothing would keep its
  // socket for as long as an attempt may take.
  const connecting = new Set<Socket>();
  const destroyed = new AbortController();
  const open = connector({ timeout: connectMs, ...(options.lookup && { lookup: options.lookup }) });
  const settings = {
    connections: options.connections,
    pipelining: 1,
    keepAliveTimeout: options.idleMs,
    keepAliveMaxTimeout: options.idleMs,
    // The call's own time is what limits a request; these are set request by request.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (to: buildConnector.Options, connected: buildConnector.Callback) => {
      const opening = options.open?.(to, destroyed.signal) ?? null;
      if (opening !== null) {
        opening.then(
          (socket) => connected(null, socket),
          (error: unknown) => connected(error instanceof Error ? error : new Error(String(error)), null),
        );
        return;
      }
      const socket = open(to, connected);
      connecting.add(socket);
      const settled = () => connecting.delete(socket);
      socket.once(to.protocol === 'https:' ? 'secureConnect' : 'connect', settled).once('close', settled);
    },
  };
  const made: Dispatcher[] = [];
  const once = (make: () => Dispatcher) => {
    let dispatcher: Dispatcher | undefined;
    return () => {
      if (dispatcher === undefined) {
        dispatcher = make();
        made.push(dispatcher);
      }
      return dispatcher;
    };
  };
  const direct = once(() => new Agent(settings));
  const proxied = once(() => {
    try {
      return new EnvHttpProxyAgent(settings);
    } catch (cause) {
      throw new ArtworkError('network', 'HTTP_PROXY or HTTPS_PROXY is not the URL of a proxy.', { cause });
    }
  });
  return {
    for: (origin) => (isLoopbackHost(new URL(origin).hostname) ? direct() : proxied()),
    destroy: async () => {
      destroyed.abort();
      for (const socket of connecting) socket.destroy();
      await Promise.all(made.map((dispatcher) => dispatcher.destroy()));
    },
  };
}
