import { createBackoff } from '../wire/pacing.ts';
import { type Disconnection, endConnection } from './disconnect.ts';
import { type ConnectionsOptions, createEngine } from './engine.ts';
import {
  connectionCancelledError,
  newTokenRefusedError,
  notConnectedError,
  reconnectRequiredError,
  renewalFailedError,
} from './failures.ts';
import {
  type Bearer,
  bearerOf,
  type Grant,
  type Io,
  isRenewalDue,
  isTokenExpired,
  pollPauses,
  Secret,
} from './grant.ts';
import {
  damagedPointer,
  type HeldPointer,
  isPointerAt,
  movePointer,
  readHeldPointer,
  readPointer,
  type StoredPointer,
} from './pointer.ts';
import { holderLimitMs, recoverRenewal } from './refresh-token.ts';
import { type RenewalStep, renewOnce } from './renewal.ts';
import type { SignIn, SignInRequest, SignIns } from './sign-in/sign-ins.ts';
import { type Account, type ConnectionStatus, readAccount, readStatus } from './status.ts';

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

/** What one process keeps between its calls. */
export interface Memory {
  /** The claim of another process that this one waits for, and since when by `Clock.monotonic`. */
  waiting: { readonly claim: string; readonly since: number } | null;
  /** Renewals under way. They run to their end even when the calls that began them are aborted. */
  readonly running: Set<Promise<unknown>>;
  /** The access token that the service accepted last. */
  accepted: Secret | null;
}

interface BearerCall {
  /** The bearer that the service answered 401 to. */
  readonly rejected: Bearer | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An access token for a protected call (Authentication 9 and 11; Errors, 401). Each round reads the store first, so that
 * a token that another process received is used. A call begins at most one renewal.
 * @throws ArtworkError not_connected, reconnect_required, cancelled; why a renewal failed that may be tried again; the
 * store's errors
 */
export async function obtainBearer(
  io: Io,
  memory: Memory,
  { rejected, signal }: BearerCall,
): Promise<Bearer> {
  let presented = false;
  const backoff = createBackoff(io.clock, pollPauses);
  for (;;) {
    if (signal?.aborted === true) throw connectionCancelledError(signal);
    const stored = await readHeldPointer(io);
    if (stored === null) throw notConnectedError(io.key);
    const { pointer } = stored;
    const isRejected = rejected !== null && isPointerAt(pointer, rejected);
    switch (pointer.state) {
      case 'disconnecting':
        throw notConnectedError(io.key, true);

      case 'reconnect_required':
        if (await recoverRenewal(io, stored)) continue;
        throw reconnectRequiredError(pointer.reason);

      case 'uncertain': {
        if (await recoverRenewal(io, stored)) continue;
        const grant = await grantAt(io, stored);
        if (grant === null) continue;
        if (!isRejected) return usable(pointer, grant);
        const { connection, generation } = pointer;
        const reason = 'renewal_unknown';
        await movePointer(io, stored, { state: 'reconnect_required', reason, connection, generation });
        continue;
      }

      case 'active': {
        const grant = await grantAt(io, stored);
        if (grant === null) continue;
        if (grant.flaw !== null) throw damagedPointer();
        const { refreshToken } = grant;
        const ended = isRejected || isTokenExpired(grant, io.clock.now());
        if (!isRejected && (presented || !isRenewalDue(grant, io.clock.now())))
          return bearerOf(pointer, grant);

        const wasAccepted = memory.accepted?.reveal() === grant.accessToken.reveal();
        if (isRejected && !wasAccepted && wasJustRenewed(pointer, grant, io.clock.now())) {
          throw newTokenRefusedError();
        }

        if (refreshToken === null) {
          if (!ended) return bearerOf(pointer, grant);
          const reason = 'no_refresh_token';
          // A clock may be wrong; the service's 401 is not.
          if (!isRejected) throw reconnectRequiredError(reason);
          const { connection, generation } = pointer;
          await movePointer(io, stored, { state: 'reconnect_required', reason, connection, generation });
          continue;
        }

        const active = { pointer, version: stored.version };
        const renewing = renewOnce(io, active, { ...grant, refreshToken });
        const step = await detached(io, memory, renewing, signal);
        switch (step.step) {
          case 'presented':
            presented = true;
            continue;
          case 'moved':
            continue;
          case 'not_consumed':
            if (!ended) return bearerOf(pointer, grant);
            throw renewalFailedError(step.proof);
          case 'leased':
            if (!ended) return bearerOf(pointer, grant);
            await backoff.pause(signal);
            continue;
          case 'held':
            notice(io, memory, step.claim);
            if (!ended) return bearerOf(pointer, grant);
            await awaitHolder(io, memory, stored, () => backoff.pause(signal));
            continue;
        }
      }
    }
  }
}

/**
 * A service that answers 401 to a token that it issued a moment ago would do so to the next one as well, so that no second
 * renewal is made within this time. That does not hold for a token that it has accepted before. ms
 */
const newTokenMs = 60_000;

function wasJustRenewed({ generation }: HeldPointer, grant: Grant, now: number): boolean {
  const age = now - grant.renewedAt;
  return generation > 1 && age >= 0 && age < newTokenMs && !isTokenExpired(grant, now);
}

function notice(io: Io, memory: Memory, claim: string): void {
  if (memory.waiting?.claim !== claim) memory.waiting = { claim, since: io.clock.monotonic() };
}

/** Pauses once while another process renews. After `holderLimitMs` the pointer becomes `uncertain` for all processes. */
async function awaitHolder(
  io: Io,
  memory: Memory,
  stored: StoredPointer<HeldPointer>,
  pause: () => Promise<void>,
): Promise<void> {
  if (await recoverRenewal(io, stored)) return;
  const since = memory.waiting?.since ?? io.clock.monotonic();
  if (io.clock.monotonic() - since < holderLimitMs) return pause();
  const { connection, generation } = stored.pointer;
  await movePointer(io, stored, { state: 'uncertain', connection, generation });
}

/** Waits for a renewal until the call is aborted; the renewal goes on. */
async function detached(
  io: Io,
  memory: Memory,
  renewing: Promise<RenewalStep>,
  signal: AbortSignal | undefined,
): Promise<RenewalStep> {
  const running = renewing.then(
    () => undefined,
    () => undefined, // The call below gets the error, or it is logged.
  );
  memory.running.add(running);
  void running.then(() => memory.running.delete(running));
  if (signal === undefined) return renewing;
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(connectionCancelledError(signal));
      renewing.catch(() =>
        io.log.error('The result of a renewal could not be stored, after its call had been cancelled.'),
      );
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    renewing.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The record that the pointer names; null where the pointer has moved since it was read. */
async function grantAt(io: Io, stored: StoredPointer<HeldPointer>): Promise<Grant | null> {
  const grant = await io.records.read(io.key, stored.pointer);
  if (grant !== null) return grant;
  // The record of a generation is removed once the next one counts.
  if ((await readPointer(io))?.version !== stored.version) return null;
  throw damagedPointer();
}

function usable(pointer: HeldPointer, grant: Grant): Bearer {
  if (grant.flaw !== null) throw damagedPointer();
  return bearerOf(pointer, grant);
}
