import { ArtworkError } from '../../errors.ts';
import { type ConnectionId, connectionId, type UsableGrant, withheldScopes } from '../grant.ts';
import type { ConnectionKey, Io } from '../ports.ts';
import { acquireSignInLease, type SignInLease } from '../sign-in-lease.ts';
import { readPointer } from '../pointer.ts';
import { revokeAndRemove } from '../revocation.ts';
import { adoptGrant, prepareConnectionKey, type Replaced } from './adopt.ts';
import { otherAccountError, tellEndedConnection } from './failures.ts';

/** What a sign-in stored. */
export interface SignedIn {
  readonly replaced: Replaced;
  /** null: unknown, since `openid` was not granted or the service does not tell. */
  readonly subject: string | null;
  readonly account: string | null;
  readonly scopes: readonly string[];
  /** Scopes that were asked for and not granted. */
  readonly withheld: readonly string[];
  /** ISO 8601; null: the service did not say. */
  readonly expiresAt: string | null;
  readonly renewable: boolean;
}

/** The sign-in succeeded, but a connection of an unknown account is in use: the person decides. */
interface Undecided {
  readonly decide: (replace: boolean) => Promise<SignedIn>;
}

export interface SignInCompletion {
  readonly io: Io;
  readonly key: ConnectionKey;
  /** The person's word that the present connection may be replaced. */
  readonly replace: boolean;
  /** Whether there is a page on which the person can be asked. */
  readonly canAsk: boolean;
  /** Exchanges the code, and stores the new grant before judging it. */
  receive(connection: ConnectionId): Promise<UsableGrant>;
}

/**
 * Makes a sign-in the connection of its key, under one lease: revokes what has to be revoked of earlier ones, exchanges the
 * code, then moves the pointer.
 * @throws ArtworkError conflict (`other_account`), why the exchange failed; the store's errors
 */
export async function completeSignIn(completion: SignInCompletion): Promise<SignedIn | Undecided> {
  const { io, key, replace, canAsk } = completion;
  // Where the service can't be reached no earlier connection is ended, and the code is not sent.
  await io.service.prepare();
  const connection = connectionId.parse(io.random());
  const lease = await acquireSignInLease(io, key, 'sign_in');
  let before: Replaced = 'none';
  try {
    before = await prepareConnectionKey(io, key, replace, lease);
    await requireLease(lease);
    const grant = await completion.receive(connection);
    const adoption = await adoptGrant(io, key, connection, grant, replace);
    if (adoption.adopted) return signedIn(grant, adoption.replaced === 'none' ? before : adoption.replaced);
    const { account, over } = adoption;
    const fresh = { connection, grant };
    if (account === 'different' || !canAsk) return await refuse(completion, fresh, account);
    return { decide: (mayReplace) => decide(completion, fresh, over, mayReplace) };
  } catch (error) {
    throw before !== 'none' && error instanceof ArtworkError ? tellEndedConnection(error) : error;
  } finally {
    await lease.release();
  }
}

interface Fresh {
  readonly connection: ConnectionId;
  readonly grant: UsableGrant;
}

/** A process that was paused until its lease expired does not use the code, since another sign-in may have begun. */
async function requireLease(lease: SignInLease): Promise<void> {
  if (await lease.extend()) return;
  throw new ArtworkError(
    'conflict',
    'Another sign-in has begun meanwhile: sign in again if this one is wanted.',
    { code: 'sign_in_overtaken' },
  );
}

/**
 * Carries out the person's decision on the page. Where the old connection was ended or replaced meanwhile the new grant is
 * not used: the service may have ended it together with the old one.
 */
async function decide(
  completion: SignInCompletion,
  fresh: Fresh,
  over: ConnectionId,
  replace: boolean,
): Promise<SignedIn> {
  const { io, key } = completion;
  const lease = await acquireSignInLease(io, key, 'revocation');
  try {
    const pointer = (await readPointer(io, key))?.pointer;
    const isThere =
      pointer !== undefined &&
      pointer.state !== 'disconnected' &&
      pointer.state !== 'disconnecting' &&
      pointer.connection === over;
    if (!isThere) throw otherAccountError(key, false, false);
    if (!replace) return await refuse(completion, fresh, 'unknown');
    const adoption = await adoptGrant(io, key, fresh.connection, fresh.grant, true);
    return signedIn(fresh.grant, adoption.adopted ? adoption.replaced : 'none');
  } finally {
    await lease.release();
  }
}

/**
 * Revokes a grant that is not adopted; the present connection stays. Its refresh token was never presented, so that no
 * service takes this for theft.
 */
async function refuse(
  { io, key }: SignInCompletion,
  { connection, grant }: Fresh,
  account: 'different' | 'unknown',
): Promise<never> {
  const { outcome } = await revokeAndRemove(io, key, { connection, generation: 1 }, grant);
  throw otherAccountError(key, account === 'different', outcome !== 'failed');
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
