import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import type { Store } from '../store/open.ts';
import {
  createAuthorizationServer,
  type OwnDispatchers,
  type RegisteredApp,
  type Wake,
} from './authorization-server.ts';
import { type Disconnection, endConnection } from './disconnect.ts';
import { newMemory, obtainBearer, type Ports, readUsable } from './renewal.ts';
import type { Bearer } from './row.ts';
import type { SignIn, SignInRequest } from './sign-in.ts';
import { type ConnectionStatus, readStatus } from './status.ts';

export type { Wake } from './authorization-server.ts';

export interface ConnectionsOptions {
  /** Called by every call: the embedded catalogue may have to be started first. */
  readonly locate: () => Promise<RegisteredApp>;
  /** `ARTWORK_USER`. */
  readonly user: string;
  /** Called by every call; opens the storage once. */
  readonly storage: () => Promise<Pick<Store, 'seal'> & Pick<Ports, 'rows' | 'holders'>>;
  /** Makes connections for one request, which are destroyed after it. */
  readonly connect: () => OwnDispatchers;
  /** Default: the service is always there. */
  readonly wake?: Wake | undefined;
  /** Names the program and its version. */
  readonly userAgent: string;
  /** Default: this machine's. */
  readonly clock?: Clock;
  /** How long a sign-in waits for its callback. Default: ten minutes. */
  readonly signInMs?: number;
}

interface ConnectionCall {
  /** Ends the waiting, never a renewal that has begun. */
  readonly signal?: AbortSignal | undefined;
}

/** The connected account and its scopes, for checks before a request. */
export type Account = Pick<Bearer, 'connection' | 'subject' | 'scopes'>;

/** The stored connection of one user with one service through one app. Rejections are ArtworkErrors. */
export type Connections = ReturnType<typeof createConnections>;

/** Makes the connection of a user: sign-in, tokens, status and disconnection. Opens and loads nothing before the first call. */
export function createConnections(options: ConnectionsOptions) {
  const { clock = systemClock, connect, wake, userAgent } = options;
  const memory = newMemory();
  let lastSignIn: Promise<SignIn | null> = Promise.resolve(null);

  const engine = async () => {
    const [app, storage] = await Promise.all([options.locate(), options.storage()]);
    const server = createAuthorizationServer({ app, connect, wake, userAgent });
    const ports: Ports = {
      key: { service: app.baseUrl, person: options.user },
      clientId: app.clientId,
      ...storage,
      server,
      clock,
      random: () => randomBytes(16).toString('hex'),
    };
    return { ports, app, storage, server };
  };

  return {
    /**
     * An access token for a protected call, renewed before it ends.
     * @throws not_connected, reconnect_required, cancelled; network, forbidden where a renewal failed that may be tried
     * again; the store's errors
     */
    async bearer({ signal }: ConnectionCall = {}): Promise<Bearer> {
      return obtainBearer((await engine()).ports, memory, null, signal);
    },
    /** Another access token, after the service answered 401 to this one: from the store, or by one renewal. Throws alike. */
    async onUnauthorized(rejected: Bearer, { signal }: ConnectionCall = {}): Promise<Bearer> {
      return obtainBearer((await engine()).ports, memory, rejected, signal);
    },
    /** The service accepted this access token: a 401 to it from now on means that it has ended. */
    onAccepted(token: string): void {
      if (memory.untried?.access.reveal() === token) memory.untried = null;
    },
    /** The account and its scopes, from the store alone. @throws not_connected, reconnect_required */
    async account(): Promise<Account> {
      const { connection, subject, scopes } = (await readUsable((await engine()).ports)).row;
      return { connection, subject, scopes };
    },
    /** Whose connection is stored, whether or not it still works; null: nothing is connected. Reads the store alone. */
    async holder(): Promise<Pick<Account, 'connection' | 'subject'> | null> {
      const { key, rows } = (await engine()).ports;
      const { row } = await rows.read(key);
      return row === null || row.state === 'disconnecting' ? null : row;
    },
    async status(): Promise<ConnectionStatus> {
      const { ports, storage } = await engine();
      return readStatus(ports, memory, await storage.seal.keyLocation());
    },
    /**
     * Begins a sign-in, which goes on in the background; it takes the place of the one that this process began before.
     * @throws sign_in_waits, port_taken, port_unusable, the key's errors
     */
    signIn(request: SignInRequest): Promise<SignIn> {
      const begin = async (before: SignIn | null) => {
        const [{ ports, app, storage, server }, { beginSignIn }] = await Promise.all([
          engine(),
          import('./sign-in.ts'),
          before?.cancel(),
        ]);
        const { redirectUri } = app;
        return beginSignIn({ ports, memory, server, storage, redirectUri }, request, options.signInMs);
      };
      const signIn = lastSignIn.catch(() => null).then(begin);
      lastSignIn = signIn;
      return signIn;
    },
    async disconnect(): Promise<Disconnection> {
      return endConnection((await engine()).ports, memory);
    },
    /** Ends sign-ins that wait, and waits for the renewal under way, 30 s at most. */
    async close(): Promise<void> {
      await (await lastSignIn.catch(() => null))?.cancel();
      await memory.running;
    },
  };
}
