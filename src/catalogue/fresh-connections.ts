import type { Dispatcher } from 'undici';
import { createDispatchers, type Dispatchers, type OpenConnection } from './dispatchers.ts';

/** A connection for one request at a time. */
export interface FreshConnection {
  readonly dispatcher: Dispatcher;
  /** After a whole answer: the next request may follow within a second. */
  keep(): void;
  /** After anything else: whatever the connection still carries answers no request any more. */
  drop(): void;
}

export interface FreshConnections {
  /** The lane to this origin that was used last, if that was within a second, else a new one. */
  acquire(origin: string): FreshConnection;
  destroy(): Promise<void>;
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

/** Gives each request that is sent only once a connection that was not idle for long. */
export function createFreshConnections(open?: OpenConnection): FreshConnections {
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
    acquire(origin) {
      const dispatchers = takeIdle(origin) ?? createDispatchers({ connections: 1, idleMs, open });
      used.add(dispatchers);
      return {
        dispatcher: dispatchers.for(origin),
        keep() {
          idle.add({ origin, dispatchers, since: now() });
        },
        drop() {
          void discard(dispatchers);
        },
      };
    },
    async destroy() {
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
