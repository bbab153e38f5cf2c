import { randomUUID } from 'node:crypto';
import type { Mount } from '../premises.ts';
import { handshakeRoutes } from './handshake.ts';
import type { Identity } from './identity.ts';

/** Stands before every route: knows when the catalogue was used, and lets nobody in once it drains. */
export interface Gate {
  readonly mount: Mount;
  /** Milliseconds since the last use: a request other than a handshake, or a server that joined. */
  idleMs(): number;
  /** From now on only handshakes are answered. */
  drain(): void;
}

export function createGate(identity: Identity, stop: () => void): Gate {
  // Not the wall clock: a machine that slept, or whose clock was set, would look idle.
  let lastUsed = performance.now();
  let draining = false;
  const used = () => {
    lastUsed = performance.now();
  };
  const instance = randomUUID();
  return {
    idleMs: () => performance.now() - lastUsed,
    drain() {
      draining = true;
    },
    mount({ baseUrl }) {
      // Filling the database took its time.
      used();
      const handshake = handshakeRoutes({
        identity,
        instance,
        baseUrl,
        state: () => (draining ? 'draining' : 'ready'),
        joined: used,
        stop,
      });
      return (request, response) => {
        if (handshake(request, response)) return true;
        if (draining) {
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
        response.once('close', used);
        return false;
      };
    },
  };
}
