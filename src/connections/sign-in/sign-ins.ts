import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { ArtworkError } from '../../errors.ts';
import type { Store } from '../../store/open.ts';
import type { Waker } from '../engine.ts';
import { grantedScopes, type Io, Secret, type UsableGrant } from '../grant.ts';
import { authorizationUrl, type CallbackCode, exchangeCode } from '../provider/authorization-code.ts';
import type { Provider } from '../provider/provider.ts';
import { revokeGrant } from '../refresh-token.ts';
import {
  type Attempt,
  type Callback,
  createAttempts,
  listenAddresses,
  readPastedCallback,
} from './attempts.ts';
import { completeSignIn, isSealingKeyLost, type SignedIn } from './complete.ts';
import {
  authorizationRefusedError,
  codeMissingError,
  signInCancelledError,
  stateRefusedError,
} from './failures.ts';
import { type CallbackListener, listenForCallback } from './listener.ts';

export interface SignInRequest {
  readonly scopes: readonly string[];
  /** A person's word that a connection whose key is lost may be replaced. */
  readonly replace?: boolean;
  /** false: a person pastes the callback. Also where the callback is not plain http on loopback. */
  readonly listen?: boolean;
}

/** A sign-in that waits for the person, for ten minutes at most. */
export interface SignIn {
  /** The address to open: it holds no token and no verifier. */
  readonly url: string;
  /** ISO 8601. */
  readonly beganAt: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Whether this process listens for the callback, so that a person need not paste it. */
  readonly listening: boolean;
  /**
   * Resolves once the connection is stored; rejects with an ArtworkError: `access_denied`, `sign_in_expired`,
   * `sign_in_cancelled`, `identity_mismatch`, `clock_wrong`, the service's own code, the store's errors.
   * A caller may ignore it.
   */
  readonly done: Promise<SignedIn>;
  /**
   * Takes the callback URL that a person copied. Resolves where it was that of this sign-in; `done` tells the outcome.
   * @throws ArtworkError invalid_arguments (`not_the_callback`, `state_unknown`, `state_used`), `sign_in_expired`:
   * the sign-in waits on
   */
  paste(text: string): Promise<void>;
  /** Ends the waiting. */
  cancel(): void;
}

interface SignInSite {
  readonly io: Io;
  readonly storage: Pick<Store, 'seal' | 'replaceKey'>;
  readonly provider: Provider;
  readonly redirectUri: string;
}

const tenMinutes = 10 * 60_000;

/** The sign-ins of one process, which share one listener. */
export type SignIns = ReturnType<typeof createSignIns>;

/** Begins sign-ins, listens for their callbacks and completes them, one port for all. */
export function createSignIns(options: { readonly waker?: Waker | undefined; readonly signInMs?: number }) {
  const lifetime = options.signInMs ?? tenMinutes;
  // One after the other, so that the port is free before the next listener.
  let listening: Promise<CallbackListener | null> = Promise.resolve(null);

  const stopListening = (): Promise<void> => {
    const before = listening;
    listening = before.then(
      async (listener) => {
        await listener?.close();
        return null;
      },
      () => null,
    );
    return listening.then(() => undefined);
  };
  const attempts = createAttempts(lifetime, () => void stopListening());
  const startListening = (redirectUri: string, user: string): Promise<CallbackListener | null> => {
    listening = listening
      .catch(() => null)
      .then(
        (listener) =>
          listener ?? listenForCallback(redirectUri, user, (callback) => attempts.answer(callback)),
      );
    return listening;
  };

  return {
    async begin(site: SignInSite, request: SignInRequest): Promise<SignIn> {
      const { redirectUri, io } = site;
      const { scopes, replace = false } = request;
      const beganAt = new Date(io.clock.now()).toISOString();
      await ensureSealing(site, replace);
      const listens = request.listen !== false && listenAddresses(redirectUri).length > 0;
      const { attempt, url, done } = await prepareSignIn({ ...site, scopes });
      // Before listening, so that the end of another sign-in doesn't close the listener.
      attempts.add(attempt);
      try {
        if (listens) await startListening(redirectUri, io.key.user);
        await keepPagesServed(options.waker, done, (error) => attempts.cancel(attempt.state, error));
      } catch (error) {
        attempts.cancel(attempt.state, signInCancelledError());
        throw error;
      }
      return {
        url,
        beganAt,
        expiresAt: new Date(io.clock.now() + lifetime).toISOString(),
        listening: listens,
        done,
        async paste(text) {
          const callback = readPastedCallback(redirectUri, text);
          if (callback.state !== attempt.state) throw stateRefusedError('unknown');
          const answered = await attempts.answer(callback);
          if (answered.outcome === 'refused') throw answered.error;
        },
        cancel: () => attempts.cancel(attempt.state, signInCancelledError()),
      };
    },
    async close(): Promise<void> {
      await attempts.close();
      await stopListening();
    },
  };
}

/** Keeps the service awake while the person may be on its pages. */
async function keepPagesServed(
  waker: Waker | undefined,
  done: Promise<SignedIn>,
  cancel: (error: ArtworkError) => void,
): Promise<void> {
  if (waker === undefined) return;
  try {
    const release = await waker.keepAwake(cancel);
    done.then(release, release);
  } catch (error) {
    cancel(error instanceof ArtworkError ? error : signInCancelledError());
    throw error;
  }
}

/** Checks that tokens can be sealed before a sign-in begins. */
async function ensureSealing({ storage }: SignInSite, replace: boolean): Promise<void> {
  try {
    await storage.seal.seal('probe', '0', '');
  } catch (error) {
    if (!replace || !isSealingKeyLost(error)) throw error;
    await storage.replaceKey();
  }
}

interface SignInPlan extends Omit<SignInSite, 'storage'> {
  readonly scopes: readonly string[];
}

interface PreparedSignIn {
  readonly attempt: Attempt;
  /** The address to open. */
  readonly url: string;
  /** The outcome. */
  readonly done: Promise<SignedIn>;
}

/** Draws what one sign-in needs. The verifier and the nonce stay in this process. */
async function prepareSignIn(plan: SignInPlan): Promise<PreparedSignIn> {
  const { io, provider, redirectUri, scopes } = plan;
  const request = {
    redirectUri,
    scopes,
    state: randomState(),
    nonce: new Secret(randomNonce()),
    verifier: new Secret(randomPKCECodeVerifier()),
  };
  const url = await authorizationUrl(provider, request);
  let resolve: (signedIn: SignedIn) => void = () => undefined;
  let reject: (error: ArtworkError) => void = () => undefined;
  const done = new Promise<SignedIn>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  done.catch(() => undefined); // A caller may ignore `done`.

  const fail = (error: ArtworkError): ArtworkError => {
    reject(error);
    return error;
  };
  const attempt: Attempt = {
    state: request.state,
    async take(callback) {
      try {
        const code = codeOf(callback);
        const stored = await completeSignIn(io, () => exchange(plan, request, code));
        resolve(stored);
        const { account, withheld, scopesUntold } = stored;
        return { outcome: 'connected', account, withheld, scopesUntold };
      } catch (error) {
        return { outcome: 'failed', error: fail(error instanceof ArtworkError ? error : unexpected()) };
      }
    },
    fail,
  };
  return { attempt, url, done };
}

/** Exchanges the code and checks the answer. Tokens that can't be used are revoked at once, since they are unused. */
async function exchange(
  { io, provider }: SignInPlan,
  request: Parameters<typeof authorizationUrl>[1],
  callback: CallbackCode,
): Promise<UsableGrant> {
  const at = io.clock.now();
  const exchanged = await exchangeCode(provider, request, callback);
  if (exchanged.outcome === 'failed') {
    if (exchanged.tokens !== null) await revokeGrant(io, exchanged.tokens);
    throw exchanged.error;
  }
  const { answer, identity } = exchanged;
  const lifetime = answer.expiresInSeconds === null ? null : answer.expiresInSeconds * 1000;
  const refreshToken = answer.refreshToken instanceof Secret ? answer.refreshToken : null;
  return {
    ...blank(request.scopes, at),
    scopes: grantedScopes({
      asked: request.scopes,
      told: answer.scopes,
      isSubjectKnown: identity.subject !== null,
      isRenewable: refreshToken !== null,
    }),
    scopesUntold: answer.scopes === null,
    ...identity,
    flaw: null,
    accessToken: answer.accessToken,
    refreshToken,
    lifetime,
    expiresAt: lifetime === null ? null : at + lifetime,
  };
}

function blank(scopes: readonly string[], at: number) {
  const nothing = { expiresAt: null, lifetime: null, subject: null, account: null };
  return { ...nothing, scopes, asked: scopes, signedInAt: at, renewedAt: at };
}

function codeOf({ error, code, issuer }: Callback): CallbackCode {
  if (error !== null) throw authorizationRefusedError(error);
  if (code === null) throw codeMissingError();
  return { code, issuer };
}

function unexpected(): ArtworkError {
  // Without its cause, which may quote tokens.
  return new ArtworkError('internal', 'The sign-in failed in a way that is a defect of artwork-mcp.');
}
