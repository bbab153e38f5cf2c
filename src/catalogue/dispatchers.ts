import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { buildConnector, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import connector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import { ArtworkError } from '../errors.ts';

// undici's index loads its fetch, its caches and its mocks, which every start of the server would pay for: only the
// parts in use are loaded, by their own paths. The index alone gives dispatchers the method by which a proxy's tunnel
// is opened. test/catalogue/undici-parts.test.ts fails where undici moves a part or gives it another method.
UndiciDispatcher.prototype.connect ??= connect;

const connectMs = 10_000;

interface DispatcherOptions {
  /** Connections per origin; further requests wait. */
  readonly connections: number;
  /** Milliseconds that a connection may stay unused. */
  readonly idleMs: number;
  readonly lookup?: LookupFunction;
  readonly open?: OpenConnection | undefined;
}

/**
 * Opens the connections to a service that may have to be started before anything is sent to it. Answers null for any other origin, else a socket that carries nothing yet; its rejection is the error
 * that requests end with, unsent.
 */
export type OpenConnection = (
  to: { readonly hostname: string; readonly port: string },
  signal: AbortSignal,
) => Promise<Socket> | null;

export type Dispatchers = ReturnType<typeof createDispatchers>;

/** Opens and keeps connections, a few for each origin; loopback directly, everything else as HTTP(S)_PROXY and NO_PROXY say. */
export function createDispatchers(options: DispatcherOptions) {
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
    /** @throws ArtworkError `network` when the proxy's address can't be used. */
    for: (origin: string): Dispatcher => (isLoopbackHost(new URL(origin).hostname) ? direct() : proxied()),
    /** Ends every connection at once; requests in flight fail. */
    destroy: async (): Promise<void> => {
      destroyed.abort();
      for (const socket of connecting) socket.destroy();
      await Promise.all(made.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/**
 * How long a connection may have been idle for a request that is sent only once. The longer it is, the
 * likelier its other end has closed it already, and a request sent into that ends without an answer.
 */
const idleMs = 1000;

interface Idle {
  readonly origin: string;
  readonly dispatchers: Dispatchers;
  readonly since: Moment;
}

/** Both clocks, since one stands still while the machine sleeps and the other can be set. */
interface Moment {
  readonly steady: number;
  readonly wall: number;
}

/** A connection for one request at a time. */
export type FreshConnection = ReturnType<ReturnType<typeof createFreshConnections>['acquire']>;

/** Gives each request that is sent only once a connection that was not idle for long. */
export function createFreshConnections(open?: OpenConnection) {
  const idle = new Set<Idle>();
  const used = new Set<Dispatchers>();
  const discard = async (dispatchers: Dispatchers) => {
    used.delete(dispatchers);
    await dispatchers.destroy();
  };
  const takeIdle = (origin: string): Dispatchers | undefined => {
    let latest: Idle | undefined;
    for (const connection of idle) {
      if (!isRecent(connection.since)) {
        idle.delete(connection);
        void discard(connection.dispatchers);
      } else if (connection.origin === origin) latest = connection;
    }
    if (latest !== undefined) idle.delete(latest);
    return latest?.dispatchers;
  };
  return {
    /** The lane to this origin that was used last, if that was within a second, else a new one. */
    acquire(origin: string) {
      const dispatchers = takeIdle(origin) ?? createDispatchers({ connections: 1, idleMs, open });
      used.add(dispatchers);
      return {
        dispatcher: dispatchers.for(origin),
        /** After a whole answer: the next request may follow within a second. */
        keep(): void {
          idle.add({ origin, dispatchers, since: now() });
        },
        /** After anything else: whatever the connection still carries answers no request any more. */
        drop(): void {
          void discard(dispatchers);
        },
      };
    },
    async destroy(): Promise<void> {
      idle.clear();
      await Promise.all([...used].map(discard));
    },
  };
}

function now(): Moment {
  return { steady: performance.now(), wall: Date.now() };
}

function isRecent(since: Moment): boolean {
  const { steady, wall } = now();
  const elapsed = wall - since.wall;
  return steady - since.steady <= idleMs && elapsed >= 0 && elapsed <= idleMs;
}

/** Where requests on behalf of a catalogue may go: a catalogue on this machine may also name this machine. */
export type Reach = 'public' | 'public or loopback';

/** An address that nothing may be fetched from on behalf of this catalogue. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** Whether a URL's host is this machine by its name or number. */
export function isLoopbackHost(hostname: string): boolean {
  if (hostname === 'localhost') return true;
  const address = literal(hostname);
  return address !== null && rangeOf(address) === 'loopback';
}

/** Whether an address is one that the reach allows: by its number, so private networks are never public. */
export function mayConnect(address: string, reach: Reach): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = rangeOf(address);
  return range === 'unicast' || (range === 'loopback' && reach === 'public or loopback');
}

/**
 * Refuses a host that is, or now resolves to, a forbidden address. A name that does not resolve here passes:
 * behind a proxy only the proxy can resolve it. It is no protection by itself, since the next resolution may
 * differ; `guardedLookup` is, for every connection that is made from here.
 * @throws ForbiddenAddress
 */
export async function refuseForbiddenHost(hostname: string, reach: Reach): Promise<void> {
  const address = literal(hostname);
  const addresses = address === null ? await resolveAll(hostname) : [address];
  if (!addresses.every((one) => mayConnect(one, reach))) throw forbidden(hostname);
}

/** A lookup for sockets that yields only addresses within the reach: what is checked is what is connected to. */
export function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => mayConnect(address, reach))) {
        return callback(forbidden(hostname), []);
      }
      return options.all === true ? callback(null, found) : callback(null, first.address, first.family);
    });
  };
}

function forbidden(hostname: string): ForbiddenAddress {
  return new ForbiddenAddress(`${hostname} is not a public address.`);
}

// Reachable from virtual machines of one large provider, whose settings and secrets it serves.
const metadataServices: ReadonlySet<string> = new Set(['168.63.129.16']);

function rangeOf(address: string): string {
  const parsed = ipaddr.process(address);
  const range: string = parsed.range();
  if (parsed instanceof ipaddr.IPv6 && range === 'rfc6052') {
    return rangeOf(new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString());
  }
  return metadataServices.has(parsed.toString()) ? 'metadata' : range;
}

function literal(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}

function resolveAll(hostname: string): Promise<readonly string[]> {
  return new Promise((resolve) => {
    lookup(hostname, { all: true }, (error, found) =>
      resolve(error === null ? found.map(({ address }) => address) : []),
    );
  });
}
