import { randomUUID } from 'node:crypto';
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
  /** From now on answers only handshakes. */
  drain(): void;
}

export function createRequestGuard(identity: FolderIdentity, stop: () => void): RequestGuard {
  // Not the wall clock: after sleep or a change of the clock the catalogue would look idle.
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
      const { port: written, pathname } = new URL(baseUrl);
      const [port, basePath] = [Number(written || 80), pathname.replace(/\/$/, '')];
      // Filling the database took a while.
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
          const headers = { connection: 'close', 'retry-after': '1' };
          const ending = new PublicError(503, 'ending', 'The catalogue is ending. Ask again.', headers);
          const answer = isProtected(request, basePath) ? answerForError(ending) : publicErrorAnswer(ending);
          sendAnswer(request, response, answer);
          return true;
        }
        if (!isUse(request, port)) return false;
        used();
        response.once('close', used);
        return false;
      };
    },
  };
}
