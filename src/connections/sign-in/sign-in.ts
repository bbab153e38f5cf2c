import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { ArtworkError } from '../../errors.ts';
import { connectionId, type Grant, type UsableGrant } from '../grant.ts';
import type { ConnectionKey } from '../key.ts';
import { retireLeftovers } from '../leftovers.ts';
import { readPointer } from '../pointer.ts';
import type { Io } from '../ports.ts';
import { authorizationUrl } from '../provider/authorization-url.ts';
import { type CallbackCode, exchangeCode } from '../provider/exchange-code.ts';
import type { Provider } from '../provider/provider.ts';
import { revokeAndRemove } from '../revoke.ts';
import { Secret } from '../secret.ts';
import { type Adoption, adopt, keepUnchecked } from './adopt.ts';
import type { Attempt, Ended } from './attempts.ts';
import type { Callback } from './callback.ts';
import { authorizationRefused, noCode } from './failures.ts';

/** What a sign-in stored. */
export interface SignedIn extends Adoption {
  /** null: unknown, since `openid` was not granted or no id_token came. */
  readonly subject: string | null;
  readonly account: string | null;
  readonly scopes: readonly string[];
  /** Scopes that were asked for and not granted. */
  readonly withheld: readonly string[];
  /** ISO 8601; null: the service did not say. */
  readonly expiresAt: string | null;
  readonly renewable: boolean;
}

export interface SignInPlan {
  readonly io: Io;
  readonly key: ConnectionKey;
  readonly provider: Provider;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly replace: boolean;
}

export interface PreparedSignIn {
  readonly attempt: Attempt;
  /** The address to open. */
  readonly url: string;
  /** What came of it. */
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
  done.catch(() => undefined); // Whoever asks for it gets it; nobody has to.
  const attempt: Attempt = {
    state: request.state,
    async take(callback): Promise<Ended> {
      try {
        const signedIn = await finish(plan, request, codeOf(callback));
        resolve(signedIn);
        return { outcome: 'connected', account: signedIn.account };
      } catch (error) {
        const told = error instanceof ArtworkError ? error : unexpected();
        reject(told);
        return { outcome: 'failed', error: told };
      }
    },
    fail: (error) => reject(error),
  };
  return { attempt, url, done };
}

async function finish(
  { io, key, provider, replace }: SignInPlan,
  request: Parameters<typeof authorizationUrl>[1],
  callback: CallbackCode,
): Promise<SignedIn> {
  // A code that can't be exchanged now is not sent to where the service should be.
  await io.service.prepare();
  const connection = connectionId.parse(io.random());
  const at = io.clock.now();
  const received: { grant: Grant | null } = { grant: null };
  const exchange = await exchangeCode(provider, request, callback, async (tokens) => {
    received.grant = { ...blank(request.scopes, at), ...tokens, flaw: 'unchecked' };
    await keepUnchecked(io, key, connection, received.grant);
  });
  if (exchange.fate === 'failed') {
    const { grant } = received;
    if (grant !== null) await revokeAndRemove(io, key, { connection, generation: 0 }, grant);
    throw exchange.error;
  }
  const { answer, identity } = exchange;
  const lifetime = answer.expiresInSeconds === null ? null : answer.expiresInSeconds * 1000;
  const grant: UsableGrant = {
    ...blank(answer.scopes ?? request.scopes, at),
    ...identity,
    flaw: null,
    accessToken: answer.accessToken,
    refreshToken: answer.refreshToken instanceof Secret ? answer.refreshToken : null,
    lifetime,
    expiresAt: lifetime === null ? null : at + lifetime,
  };
  const adoption = await adopt(io, key, connection, grant, replace);
  await tidy(io, key);
  return {
    ...adoption,
    ...identity,
    scopes: grant.scopes,
    withheld: request.scopes.filter((scope) => !grant.scopes.includes(scope)),
    expiresAt: grant.expiresAt === null ? null : new Date(grant.expiresAt).toISOString(),
    renewable: grant.refreshToken !== null,
  };
}

/** The sign-in has succeeded whatever becomes of older ones. */
async function tidy(io: Io, key: ConnectionKey): Promise<void> {
  try {
    await retireLeftovers(io, key, (await readPointer(io, key))?.pointer ?? null);
  } catch {
    io.log.warn('Earlier sign-ins could not be tidied up; disconnecting tries it again.');
  }
}

function blank(scopes: readonly string[], at: number) {
  const nothing = { expiresAt: null, lifetime: null, subject: null, account: null };
  return { ...nothing, scopes, signedInAt: at, renewedAt: at };
}

function codeOf({ error, code, issuer }: Callback): CallbackCode {
  if (error !== null) throw authorizationRefused(error);
  if (code === null) throw noCode();
  return { code, issuer };
}

function unexpected(): ArtworkError {
  // The cause stays out: what it was thrown from handled the tokens.
  return new ArtworkError('internal', 'The sign-in failed in a way that is a defect of artwork-mcp.');
}
