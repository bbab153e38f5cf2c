import { type Disconnection, endConnection } from './disconnect.ts';
import { type ConnectionsOptions, createEngine } from './engine.ts';
import { type Bearer, Secret } from './grant.ts';
import { type Memory, obtainBearer } from './renewal.ts';
import type { SignIn, SignInRequest, SignIns } from './sign-in/sign-ins.ts';
import { type Account, type ConnectionStatus, readAccount, readHolder, readStatus } from './status.ts';

export type { ConnectionsOptions, Waker } from './engine.ts';

interface ConnectionCall {
  /** Ends the waiting, never a renewal that has begun. */
  readonly signal?: AbortSignal | undefined;
}

/** The stored connection of one user with one service through one app. Rejections are ArtworkErrors. */
export type Connections = ReturnType<typeof createConnections>;

/** Makes the connection of a user: sign-in, tokens, status and disconnection. */
export function createConnections(options: ConnectionsOptions) {
  const memory: Memory = { waiting: null, running: new Set(), accepted: null };
  const engine = createEngine(options);
  let signIns: SignIns | null = null;

  return {
    /**
     * An access token for a protected call, renewed before it ends.
     * @throws not_connected, reconnect_required, cancelled; network, rate_limited, forbidden, bad_response where
     * a renewal failed that may be tried again; the store's errors
     */
    async bearer({ signal }: ConnectionCall = {}): Promise<Bearer> {
      const { io } = await engine();
      return obtainBearer(io, memory, { rejected: null, signal });
    },
    /** Another access token, after the service answered 401 to this one: from the store, or by one renewal. Throws alike. */
    async onUnauthorized(rejected: Bearer, { signal }: ConnectionCall = {}): Promise<Bearer> {
      const { io } = await engine();
      return obtainBearer(io, memory, { rejected, signal });
    },
    /** The service accepted this access token: a 401 to it from now on means that it has ended. */
    onAccepted(token: string): void {
      if (memory.accepted?.reveal() !== token) memory.accepted = new Secret(token);
    },
    /** The account and its scopes, from the store alone. @throws not_connected, reconnect_required */
    async account(): Promise<Account> {
      const { io } = await engine();
      return readAccount(io);
    },
    /** The account of the stored connection, also if it needs a new sign-in; null if there is none. Reads the store alone. */
    async holder(): Promise<Pick<Account, 'connection' | 'subject'> | null> {
      const { io } = await engine();
      return readHolder(io);
    },
    async status(): Promise<ConnectionStatus> {
      const { io, storage } = await engine();
      return readStatus(io, await storage.keyLocation());
    },
    /** Begins a sign-in, which goes on in the background. @throws sign_in_waits, port_taken, port_unusable, the store's errors */
    async signIn(request: SignInRequest): Promise<SignIn> {
      const { io, app, storage, provider } = await engine();
      const { createSignIns } = await import('./sign-in/sign-ins.ts');
      signIns ??= createSignIns(options);
      return signIns.begin(
        { io, storage, provider: await provider(), redirectUri: app.redirectUri },
        request,
      );
    },
    async disconnect(): Promise<Disconnection> {
      const { io } = await engine();
      return endConnection(io);
    },
    /** Ends sign-ins that wait, and waits for the renewals under way, 30 s at most. */
    async close(): Promise<void> {
      await signIns?.close();
      await Promise.all(memory.running);
    },
  };
}
