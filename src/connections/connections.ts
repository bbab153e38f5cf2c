import { type Memory, obtainBearer } from './bearer.ts';
import { type Disconnection, endConnection } from './disconnect.ts';
import { type ConnectionsOptions, createEngine } from './engine.ts';
import type { Bearer } from './grant.ts';
import { Secret } from './secret.ts';
import type { SignIn, SignInRequest, SignIns } from './sign-in/sign-ins.ts';
import { type Account, type ConnectionStatus, readAccount, readStatus } from './status.ts';

export type { ConnectionsOptions, Waker } from './engine.ts';

interface ConnectionCall {
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
  bearer(call?: ConnectionCall): Promise<Bearer>;
  /** Another access token, after the service answered 401 to this one: from the store, or by one renewal. Throws alike. */
  onUnauthorized(rejected: Bearer, call?: ConnectionCall): Promise<Bearer>;
  /** The service accepted this access token: a 401 to it from now on means that it has ended. */
  onAccepted(token: string): void;
  /** The account and its scopes, from the store alone. @throws not_connected, reconnect_required */
  account(): Promise<Account>;
  status(): Promise<ConnectionStatus>;
  /** Begins a sign-in, which goes on in the background. @throws sign_in_waits, port_taken, port_unusable, the store's errors */
  signIn(request: SignInRequest): Promise<SignIn>;
  disconnect(): Promise<Disconnection>;
  /** Ends sign-ins that wait, and waits for the renewals under way, 30 s at most. */
  close(): Promise<void>;
}

/** The connections of this user: sign-in, tokens, status and disconnection. */
export function createConnections(options: ConnectionsOptions): Connections {
  const memory: Memory = { waiting: null, running: new Set(), accepted: null };
  const engine = createEngine(options);
  let signIns: SignIns | null = null;

  return {
    async bearer({ signal } = {}) {
      const { io, key } = await engine();
      return obtainBearer(io, key, memory, { rejected: null, signal });
    },
    async onUnauthorized(rejected, { signal } = {}) {
      const { io, key } = await engine();
      return obtainBearer(io, key, memory, { rejected, signal });
    },
    onAccepted(token) {
      if (memory.accepted?.reveal() !== token) memory.accepted = new Secret(token);
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
      return endConnection(io, key);
    },
    async close() {
      await signIns?.close();
      await Promise.all(memory.running);
    },
  };
}
