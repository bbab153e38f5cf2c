import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { handshakeRoutes } from './handshake.ts';
import type { Identity } from './identity.ts';
import type { Handler, Premises } from '../premises.ts';

/** Stands before every route: knows when the catalogue was used, and lets nobody in once it drains. */
export interface Gate {
  mount(at: Pick<Premises, 'baseUrl'>): Handler;
  /** Milliseconds since the last use: a request other than a handshake, or a server that joined. */
  idleMs(): number;
  /**
   * From now on only handshakes are answered, and requests on connections to which this process proved before
   * that it is ready: whoever sent them could not know better, and a change must not end in doubt.
   */
  drain(): void;
  /** How many proven connections may still carry a request: those used within the last moment. */
  awaited(): number;
}

/** Longer than a client leaves a connection unused before it sends a change over it (1 s). */
const awaitedMs = 1_500;

export function createGate(identity: Identity, stop: () => void): Gate {
  // Not the wall clock: a machine that slept, or whose clock was set, would look idle.
  let lastUsed = performance.now();
  let draining = false;
  const used = () => {
    lastUsed = performance.now();
  };
  const instance = randomUUID();
  const proven = new Map<Socket, number>();
  const keep = (socket: Socket) => {
    if (!proven.has(socket)) socket.once('close', () => proven.delete(socket));
    if (!socket.destroyed) proven.set(socket, performance.now());
  };
  return {
    idleMs: () => performance.now() - lastUsed,
    drain() {
      draining = true;
    },
    awaited: () => {
      const now = performance.now();
      return [...proven.values()].filter((at) => now - at < awaitedMs).length;
    },
    mount({ baseUrl }) {
      // Filling the database took its time.
      used();
      const handshake = handshakeRoutes({
        identity,
        instance,
        baseUrl,
        state: () => (draining ? 'draining' : 'ready'),
        joined(connection) {
          used();
          if (connection !== null && !draining) keep(connection);
        },
        stop,
      });
      return (request, response) => {
        if (handshake(request, response)) return true;
        const { socket } = request;
        const isProven = proven.has(socket);
        if (draining && isProven) response.shouldKeepAlive = false;
        else if (draining) {
          response.writeHead(503, {
            connection: 'close',
            'retry-after': '1',
            'content-type': 'application/json; charset=utf-8',
          });
          response.end(
            JSON.stringify({
              data: null,
              error: { code: 'ending', message: 'The catalogue is ending. Ask again.' },
            }),
          );
          return true;
        }
        used();
        response.once('close', () => {
          used();
          if (isProven) keep(socket);
        });
        return false;
      };
    },
  };
}
