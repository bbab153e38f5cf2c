import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { ArtworkError } from '../../errors.ts';
import type { ConnectionId, Grant, UsableGrant } from '../grant.ts';
import type { ConnectionKey, Io } from '../ports.ts';
import { authorizationUrl, type CallbackCode, exchangeCode } from '../provider/authorization-code.ts';
import type { Provider } from '../provider/provider.ts';
import { revokeAndRemove } from '../revocation.ts';
import { Secret } from '../secret.ts';
import { keepUncheckedGrant } from './adopt.ts';
import type { Attempt, Decided } from './attempts.ts';
import type { Callback } from './callback.ts';
import { completeSignIn, type SignedIn } from './complete.ts';
import { authorizationRefusedError, codeMissingError } from './failures.ts';

interface SignInPlan {
  readonly io: Io;
  readonly key: ConnectionKey;
  readonly provider: Provider;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly replace: boolean;
}

interface PreparedSignIn {
  readonly attempt: Attempt;
  /** The address to open. */
  readonly url: string;
  /** The outcome. */
  readonly done: Promise<SignedIn>;
}

/** Draws what one sign-in needs. The verifier and the nonce stay in this process. */
export async function prepareSignIn(plan: SignInPlan): Promise<PreparedSignIn> {
  const request = {
    redirectUri: plan.redirectUri,
    scopes: plan.scopes,
    state: randomState(),
    nonce: new Secret(randomNonce()),
    verifier: new Secret(randomPKCECodeVerifier()),
  };
  const url = await authorizationUrl(plan.provider, request);
  let resolve: (signedIn: SignedIn) => void = () => undefined;
  let reject: (error: ArtworkError) => void = () => undefined;
  const done = new Promise<SignedIn>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  done.catch(() => undefined); // A caller may ignore `done`.

  const connected = (signedIn: SignedIn): Decided => {
    resolve(signedIn);
    const { account, withheld } = signedIn;
    return { outcome: 'connected', account, withheld };
  };
  const failed = (error: unknown): Decided => {
    const told = error instanceof ArtworkError ? error : unexpected();
    reject(told);
    return { outcome: 'failed', error: told };
  };
  const attempt: Attempt = {
    state: request.state,
    async take(callback, canAsk) {
      try {
        const { io, key, replace } = plan;
        const code = codeOf(callback);
        const receive = (connection: ConnectionId) => exchange(plan, request, code, connection);
        const finished = await completeSignIn({ io, key, replace, canAsk, receive });
        if (!('decide' in finished)) return connected(finished);
        const decide = (replace: boolean) => finished.decide(replace).then(connected, failed);
        return { outcome: 'question', decide };
      } catch (error) {
        return failed(error);
      }
    },
    fail: (error) => reject(error),
  };
  return { attempt, url, done };
}

/** Exchanges the code and checks the answer. Tokens that can't be used are revoked at once, since they are unused. */
async function exchange(
  { io, key, provider }: SignInPlan,
  request: Parameters<typeof authorizationUrl>[1],
  callback: CallbackCode,
  connection: ConnectionId,
): Promise<UsableGrant> {
  const at = io.clock.now();
  const received: { grant: Grant | null } = { grant: null };
  const exchanged = await exchangeCode(provider, request, callback, async (tokens) => {
    received.grant = { ...blank(request.scopes, at), ...tokens, flaw: 'unchecked' };
    await keepUncheckedGrant(io, key, connection, received.grant);
  });
  if (exchanged.outcome === 'failed') {
    const { grant } = received;
    if (grant !== null) await revokeAndRemove(io, key, { connection, generation: 0 }, grant);
    throw exchanged.error;
  }
  const { answer, identity } = exchanged;
  const lifetime = answer.expiresInSeconds === null ? null : answer.expiresInSeconds * 1000;
  return {
    ...blank(request.scopes, at),
    scopes: answer.scopes ?? request.scopes,
    ...identity,
    flaw: null,
    accessToken: answer.accessToken,
    refreshToken: answer.refreshToken instanceof Secret ? answer.refreshToken : null,
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
