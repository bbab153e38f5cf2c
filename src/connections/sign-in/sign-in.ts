import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { ArtworkError } from '../../errors.ts';
import { type ConnectionId, connectionId, type Grant, type UsableGrant, withheldScopes } from '../grant.ts';
import type { ConnectionKey } from '../key.ts';
import { acquireLease, type Lease } from '../lease.ts';
import { readPointer } from '../pointer.ts';
import type { Io } from '../ports.ts';
import { authorizationUrl } from '../provider/authorization-url.ts';
import { type CallbackCode, exchangeCode } from '../provider/exchange-code.ts';
import type { Provider } from '../provider/provider.ts';
import { revokeAndRemove } from '../revoke.ts';
import { Secret } from '../secret.ts';
import { adopt, keepUnchecked, prepareKey, type Replaced } from './adopt.ts';
import type { Attempt, Decided } from './attempts.ts';
import type { Callback } from './callback.ts';
import { authorizationRefused, noCode, otherAccount, withEndedBefore } from './failures.ts';

/** What a sign-in stored. */
export interface SignedIn {
  readonly replaced: Replaced;
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
        const finished = await finish(plan, request, codeOf(callback), canAsk);
        if (!('decide' in finished)) return connected(finished);
        const decide = (replace: boolean) => finished.decide(replace).then(connected, failed);
        return { outcome: 'asks', decide };
      } catch (error) {
        return failed(error);
      }
    },
    fail: (error) => reject(error),
  };
  return { attempt, url, done };
}

/** Signed in, and a connection is in use that can't be compared: waits for the person's word. */
interface Undecided {
  readonly decide: (replace: boolean) => Promise<SignedIn>;
}

async function finish(
  plan: SignInPlan,
  request: Parameters<typeof authorizationUrl>[1],
  callback: CallbackCode,
  canAsk: boolean,
): Promise<SignedIn | Undecided> {
  const { io, key, replace } = plan;
  const connection = connectionId.parse(io.random());
  const lease = await acquireLease(io, key, 'sign_in');
  let before: Replaced = 'none';
  try {
    before = await prepareKey(io, key, replace, lease);
    const grant = await receive(plan, request, callback, connection, lease);
    const adoption = await adopt(io, key, connection, grant, replace);
    if (adoption.adopted) return signedIn(grant, adoption.replaced === 'none' ? before : adoption.replaced);
    const { account, over } = adoption;
    if (account === 'different' || !canAsk) return await refuse(plan, connection, grant, account);
    return { decide: (word) => decide(plan, connection, grant, over, word) };
  } catch (error) {
    throw before !== 'none' && error instanceof ArtworkError ? withEndedBefore(error) : error;
  } finally {
    await lease.release();
  }
}

/** Exchanges the code, and checks what came. What can't be used is revoked at once: it was never used before. */
async function receive(
  { io, key, provider }: SignInPlan,
  request: Parameters<typeof authorizationUrl>[1],
  callback: CallbackCode,
  connection: ConnectionId,
  lease: Lease,
): Promise<UsableGrant> {
  const at = io.clock.now();
  await lease.extend();
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

/**
 * The person's word on the page: the new connection, or the one that there was. Where that one has been ended or
 * replaced meanwhile, its end may have ended the new grant on the service too, so that it counts no more.
 */
async function decide(
  plan: SignInPlan,
  connection: ConnectionId,
  grant: UsableGrant,
  over: ConnectionId,
  replace: boolean,
): Promise<SignedIn> {
  const { io, key } = plan;
  const lease = await acquireLease(io, key, 'revocation');
  try {
    const pointer = (await readPointer(io, key))?.pointer;
    const isThere =
      pointer !== undefined &&
      pointer.state !== 'disconnected' &&
      pointer.state !== 'disconnecting' &&
      pointer.connection === over;
    if (!replace || !isThere) return await refuse(plan, connection, grant, 'unknown');
    const adoption = await adopt(io, key, connection, grant, true);
    return signedIn(grant, adoption.adopted ? adoption.replaced : 'none');
  } finally {
    await lease.release();
  }
}

/**
 * Ends a grant that can't be adopted, while the connection that there is lives on: it was received a moment ago
 * and its refresh token shown to nobody, so no service takes this for theft.
 */
async function refuse(
  { io, key }: SignInPlan,
  connection: ConnectionId,
  grant: UsableGrant,
  account: 'different' | 'unknown',
): Promise<never> {
  const { fate } = await revokeAndRemove(io, key, { connection, generation: 1 }, grant);
  throw otherAccount(key, account === 'different', fate !== 'failed');
}

function signedIn(grant: UsableGrant, replaced: Replaced): SignedIn {
  const { subject, account, scopes, expiresAt, refreshToken } = grant;
  return {
    replaced,
    subject,
    account,
    scopes,
    withheld: withheldScopes(grant),
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    renewable: refreshToken !== null,
  };
}

function blank(scopes: readonly string[], at: number) {
  const nothing = { expiresAt: null, lifetime: null, subject: null, account: null };
  return { ...nothing, scopes, asked: scopes, signedInAt: at, renewedAt: at };
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
