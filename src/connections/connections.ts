import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Storage } from '../storage/open.ts';
import { type Memory, obtainBearer } from './bearer.ts';
import { type Disconnection, disconnect } from './disconnect.ts';
import type { Bearer } from './grant.ts';
import { type ConnectionKey, connectionKey } from './key.ts';
import type { Clock, Io } from './ports.ts';
import type { Provider } from './provider/provider.ts';
import { createTransport, type OwnDispatchers } from './provider/transport.ts';
import { createTokenRecords } from './records.ts';
import { Secret } from './secret.ts';
import type { SignIn, SignInRequest, SignIns } from './sign-in/sign-ins.ts';
import { type Account, type ConnectionStatus, readAccount, readStatus } from './status.ts';
import type { TokenService } from './token-service.ts';

/** Where the service is, and as which app it is spoken to (Authentication 3). */
export interface RegisteredApp {
  /** `{base_url}`. */
  readonly baseUrl: string;
  /** `{auth_url}`. */
  readonly authUrl: string;
  readonly clientId: string;
  /** null: a public client. Read only when a request needs it. */
  readonly clientSecret: { read(): string } | null;
  /** The registered callback, to the letter. */
  readonly redirectUri: string;
}

export interface ConnectionsOptions {
  /** Asked by every call: the embedded catalogue may have to be started first. */
  readonly locate: () => Promise<RegisteredApp>;
  /** `ARTWORK_USER`. */
  readonly user: string;
  /** Asked by every call; opens it once. */
  readonly storage: () => Promise<
    Pick<Storage, 'atomic' | 'records' | 'seal' | 'keyLocation' | 'replaceKey'>
  >;
  /** New connections for one request, which is ended with them. */
  readonly connect: () => OwnDispatchers;
  /** Names the program and its version. */
  readonly userAgent: string;
  readonly log: Log;
  /** Answers whether a browser was started. Default: the one that the desktop prefers. */
  readonly openBrowser?: (url: string) => Promise<boolean>;
  /** Default: this machine's. */
  readonly clock?: Clock;
  /** How long a sign-in waits for its callback. Default: ten minutes. */
  readonly signInMs?: number;
}

export interface Call {
  /** Ends the waiting, never a renewal that has begun. */
  readonly signal?: AbortSignal | undefined;
}

/** The stored connection of one user with one service through one app. Rejections are ArtworkErrors. */
export interface Connections {
  /**
   * An access token for a protected call, renewed before it ends.
   * @throws not_connected, reconnect_required, cancelled; network, rate_limited, forbidden, bad_response where
   * a renewal failed that may be tried again; the store's errors
   */
  bearer(call?: Call): Promise<Bearer>;
  /** Another one, after the service answered 401 to this one: from the store, or by one renewal. Throws alike. */
  onUnauthorized(rejected: Bearer, call?: Call): Promise<Bearer>;
  /** Who acts and with which scopes, without touching the network. @throws not_connected, reconnect_required */
  account(): Promise<Account>;
  status(): Promise<ConnectionStatus>;
  /** Begins a sign-in, which goes on by itself. @throws port_taken, port_unusable, the store's errors */
  signIn(request: SignInRequest): Promise<SignIn>;
  disconnect(): Promise<Disconnection>;
  /** Ends sign-ins that wait, and waits for renewals under way (at most about 35 s). */
  close(): Promise<void>;
}

interface Engine {
  readonly io: Io;
  readonly key: ConnectionKey;
  readonly app: RegisteredApp;
  readonly storage: Awaited<ReturnType<ConnectionsOptions['storage']>>;
  readonly provider: () => Promise<Provider>;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const memory: Memory = { waiting: null, running: new Set() };
  const transport = createTransport(options.connect, options.userAgent);
  const clock = options.clock ?? systemClock;
  let signIns: SignIns | null = null;

  const engine = async (): Promise<Engine> => {
    const [app, storage] = await Promise.all([options.locate(), options.storage()]);
    const baseUrl = app.baseUrl.replace(/\/+$/, '');
    const authUrl = app.authUrl.replace(/\/+$/, '');
    const { clientId, clientSecret } = app;
    // Loaded when a request is to be sent: most calls find a good token in the store.
    const provider = async () => {
      const { createProvider } = await import('./provider/provider.ts');
      const secret = clientSecret === null ? null : new Secret(clientSecret.read());
      return createProvider({ baseUrl, authUrl, clientId, clientSecret: secret }, transport);
    };
    const io: Io = {
      atomic: storage.atomic,
      records: createTokenRecords(storage.records('tokens'), storage.seal, clock.now),
      service: tokenService(provider),
      clock,
      random: () => randomBytes(16).toString('hex'),
      log: options.log,
    };
    return { io, key: connectionKey(baseUrl, clientId, options.user), app, storage, provider };
  };

  return {
    async bearer({ signal } = {}) {
      const { io, key } = await engine();
      return obtainBearer(io, key, memory, { rejected: null, signal });
    },
    async onUnauthorized(rejected, { signal } = {}) {
      const { io, key } = await engine();
      return obtainBearer(io, key, memory, { rejected, signal });
    },
    async account() {
      const { io, key } = await engine();
      return readAccount(io, key);
    },
    async status() {
      const { io, key, storage } = await engine();
      return readStatus(io, key, await storage.keyLocation());
    },
    async signIn(request) {
      const { io, key, app, storage, provider } = await engine();
      const { createSignIns } = await import('./sign-in/sign-ins.ts');
      signIns ??= createSignIns(options);
      return signIns.begin(
        { io, key, storage, provider: await provider(), redirectUri: app.redirectUri },
        request,
      );
    },
    async disconnect() {
      const { io, key } = await engine();
      return disconnect(io, key);
    },
    async close() {
      await signIns?.close();
      await Promise.all(memory.running);
    },
  };
}

/** This machine's. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(milliseconds, signal) {
    try {
      await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // Aborted: whoever sleeps looks at the signal next.
      if (signal?.aborted !== true) throw error;
    }
  },
};

function tokenService(provider: () => Promise<Provider>): TokenService {
  return {
    async renew(refreshToken) {
      const { renewToken } = await import('./provider/renew-token.ts');
      return renewToken(await provider(), refreshToken);
    },
    async revoke(token, kind) {
      const { revokeToken } = await import('./provider/revoke-token.ts');
      return revokeToken(await provider(), token, kind);
    },
  };
}
