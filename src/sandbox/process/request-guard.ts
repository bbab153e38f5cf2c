import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { isProtected, isUse, PublicError, publicErrorAnswer, sendAnswer } from '../http.ts';
import { answerForError } from '../me/protected-error.ts';
import type { Handler, ServerContext } from '../server-context.ts';
import { handshakeRoutes } from './handshake.ts';
import type { FolderIdentity } from './identity.ts';

/** Gets every request first: knows when the catalogue was used, and refuses new requests while it drains. */
export interface RequestGuard {
  mount(at: Pick<ServerContext, 'baseUrl'>): Handler;
  /** Milliseconds since the last use: a request that a foreign page has not caused, or a server that joined. */
  idleMs(): number;
  /**
   * From now on answers only handshakes, and requests on connections on which this process has proven that it
   * is ready: their clients could not know, and a change must not end unresolved.
   */
  drain(): void;
  /** How many proven connections may still carry a request: those used within the last moment. */
  liveConnections(): number;
}

/** Longer than a client leaves a connection unused before it sends a change over it (1 s). */
const reuseMs = 1_500;

export function createRequestGuard(identity: FolderIdentity, stop: () => void): RequestGuard {
  // Not the wall clock: after sleep or a change of the clock the catalogue would look idle.
  let lastUsed = performance.now();
  let draining = false;
  const used = () => {
    lastUsed = performance.now();
  };
  const instance = randomUUID();
  const proven = new Map<Socket, number>();
  const markProven = (socket: Socket) => {
    if (!proven.has(socket)) socket.once('close', () => proven.delete(socket));
    if (!socket.destroyed) proven.set(socket, performance.now());
  };
  return {
    idleMs: () => performance.now() - lastUsed,
    drain() {
      draining = true;
    },
    liveConnections: () => {
      const now = performance.now();
      return [...proven.values()].filter((at) => now - at < reuseMs).length;
    },
    mount({ baseUrl }) {
      const { port: written, pathname } = new URL(baseUrl);
      const [port, basePath] = [Number(written || 80), pathname.replace(/\/$/, '')];
      // Filling the database took a while.
      used();
      const handshake = handshakeRoutes({
        identity,
        instance,
        baseUrl,
        state: () => (draining ? 'draining' : 'ready'),
        joined(connection) {
          used();
          if (connection !== null && !draining) markProven(connection);
        },
        stop,
      });
      return (request, response) => {
        if (handshake(request, response)) return true;
        const { socket } = request;
        const isProven = proven.has(socket);
        if (draining && isProven) response.shouldKeepAlive = false;
        else if (draining) {
          const headers = { connection: 'close', 'retry-after': '1' };
          const ending = new PublicError(503, 'ending', 'The catalogue is ending. Ask again.', headers);
          const answer = isProtected(request, basePath) ? answerForError(ending) : publicErrorAnswer(ending);
          sendAnswer(request, response, answer);
          return true;
        }
        if (!isUse(request, port)) return false;
        used();
        response.once('close', () => {
          used();
          if (isProven) markProven(socket);
        });
        return false;
      };
    },
  };
}
