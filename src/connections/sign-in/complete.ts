import { ArtworkError } from '../../errors.ts';
import { isStoreError } from '../../storage/store-error.ts';
import { createBackoff } from '../../wire/pacing.ts';
import { type Ending, endEarlierConnection } from '../disconnect.ts';
import {
  acquireSignInLease,
  hasLeftovers,
  removeTokenRecordsUpTo,
  retireLeftovers,
  type SignInLease,
} from '../earlier-sign-ins.ts';
import {
  type ConnectionId,
  compareAccounts,
  connectionId,
  type Grant,
  type Io,
  pollPauses,
  type UsableGrant,
  withheldScopes,
} from '../grant.ts';
import {
  type HeldPointer,
  hasGrantEnded,
  movePointer,
  readHeldPointer,
  readPointer,
  type StoredPointer,
} from '../pointer.ts';
import {
  holderLimitMs,
  isConnectionInUse,
  isRenewalUnderWay,
  openGrantUnlessLost,
  revokeAndRemove,
  revokeGrant,
} from '../refresh-token.ts';
import { recoverRenewal } from '../renewal.ts';
import { otherAccountError } from './failures.ts';

/** What a sign-in stored. */
export interface SignedIn {
  readonly replaced: Replaced;
  /** null: unknown, since `openid` was not granted or the service does not tell. */
  readonly subject: string | null;
  readonly account: string | null;
  readonly scopes: readonly string[];
  /** Scopes that were asked for and not granted. */
  readonly withheld: readonly string[];
  /** The service did not say which scopes it granted, so that some of `scopes` may be missing. */
  readonly scopesUntold: boolean;
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
  /** The person's word that the present connection may be replaced. */
  readonly replace: boolean;
  /** Whether there is a page on which the person can be asked. */
  readonly canAsk: boolean;
  /** Exchanges the code, and stores the new grant before judging it. */
  receive(connection: ConnectionId): Promise<UsableGrant>;
}

/**
 * Makes a sign-in the connection of its key, under one lease: exchanges the code, then moves the pointer. No other token
 * reaches the service meanwhile. An earlier connection that `clearTheWay` has left is kept until the next disconnecting
 * revokes it.
 * @throws ArtworkError conflict (`other_account`), why the exchange failed; the store's errors
 */
export async function completeSignIn(completion: SignInCompletion): Promise<SignedIn | Undecided> {
  const { io, replace, canAsk } = completion;
  // If the service can't be reached, the code is not sent.
  await io.service.prepare();
  const connection = connectionId.parse(io.random());
  const lease = await acquireSignInLease(io, 'sign_in');
  try {
    await awaitRenewal(io, lease);
    await requireLease(lease);
    const grant = await completion.receive(connection);
    const adoption = await adoptGrant(io, connection, grant, replace);
    if (adoption.adopted) return signedIn(grant, adoption.replaced);
    const { account, over } = adoption;
    const fresh = { connection, grant };
    if (account === 'different' || !canAsk) return await refuse(completion, fresh, account);
    return { decide: (mayReplace) => decide(completion, fresh, over, mayReplace) };
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
  const { io } = completion;
  const lease = await acquireSignInLease(io, 'revocation');
  try {
    const pointer = (await readHeldPointer(io))?.pointer;
    const isThere = pointer?.connection === over && pointer.state !== 'disconnecting';
    if (!isThere) throw otherAccountError(io.key, false, false);
    if (!replace) return await refuse(completion, fresh, 'unknown');
    const adoption = await adoptGrant(io, fresh.connection, fresh.grant, true);
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
  { io }: SignInCompletion,
  { connection, grant }: Fresh,
  account: 'different' | 'unknown',
): Promise<never> {
  const { outcome } = await revokeAndRemove(io, { connection, generation: 1 }, grant);
  throw otherAccountError(io.key, account === 'different', outcome !== 'failed');
}

function signedIn(grant: UsableGrant, replaced: Replaced): SignedIn {
  const { subject, account, scopes, scopesUntold = false, expiresAt, refreshToken } = grant;
  return {
    replaced,
    subject,
    account,
    scopes,
    withheld: withheldScopes(grant),
    scopesUntold,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    renewable: refreshToken !== null,
  };
}

/**
 * What became of the connection that a sign-in replaced. `revoked`: it has ended on the service; `kept`: it may still exist
 * there, and the next disconnecting revokes it; `dropped`: it was deleted but not revoked, because its record can't be
 * opened, the service refuses, or revoking it might end another connection too.
 */
type Replaced = 'none' | 'revoked' | 'kept' | 'dropped';

type Adoption =
  | { readonly adopted: true; readonly replaced: Replaced }
  /** A connection is in use whose account is another one or not known: a person decides. */
  | {
      readonly adopted: false;
      readonly account: 'different' | 'unknown';
      /** The connection that is in use. */
      readonly over: ConnectionId;
    };

/** How the earlier connection ended before the browser opens, if it did. */
export interface Cleared {
  readonly replaced: Replaced;
  /** Calls could still use it: if the sign-in fails, no account is connected any more. */
  readonly wasInUse: boolean;
}

/**
 * Ends what is left of earlier sign-ins before the browser opens: a connection whose renewal was lost, leftovers, and on
 * the person's word a connection in use. Later is too late: a service that has one grant for an account and an app ends
 * the new code together with a token that is revoked once the person has approved.
 *
 * Without that word a connection in use stays, since neither the new account nor the outcome of the sign-in is known. The
 * sign-in replaces it and does not revoke it; the next disconnecting does.
 * @throws ArtworkError, such as for a service that can't be woken; the store's errors
 */
export async function clearTheWay(io: Io, replace: boolean): Promise<Cleared> {
  const nothing: Cleared = { replaced: 'none', wasInUse: false };
  const before = await readHeldPointer(io);
  if (before === null || hasGrantEnded(before.pointer)) {
    if (!(await hasLeftovers(io, before?.pointer ?? null))) return nothing;
  } else if (!replace && (await isInUse(io, before.pointer))) return nothing;
  await io.service.prepare();
  const lease = await acquireSignInLease(io, 'sign_in');
  try {
    const stored = await awaitRenewal(io, lease);
    const wasInUse = stored !== null && (await isInUse(io, stored.pointer));
    if (wasInUse && !replace) return nothing;
    if (stored !== null && hasGrantEnded(stored.pointer)) {
      // Nothing is left to revoke. The pointer still tells whose connection it was, until the sign-in replaces it.
      await retireLeftovers(io, stored.pointer, lease);
      return nothing;
    }
    return { replaced: replacedBy(await endEarlierConnection(io, lease)), wasInUse };
  } finally {
    await lease.release();
  }
}

async function isInUse(io: Io, pointer: HeldPointer): Promise<boolean> {
  return isConnectionInUse(io, pointer, await openGrantUnlessLost(io, pointer));
}

function replacedBy(ending: Ending | null): Replaced {
  switch (ending?.outcome) {
    case undefined:
      return 'none';
    case 'disconnected':
      return 'revoked';
    case 'forgotten':
      return 'dropped';
    case 'not_revoked':
    case 'ended_here':
      return 'kept';
  }
}

/**
 * Waits until no renewal's request can reach the service any more, since one that comes after the new grant could end it.
 * No other renewal begins while the lease is held.
 */
async function awaitRenewal(io: Io, lease: SignInLease): Promise<StoredPointer<HeldPointer> | null> {
  const since = io.clock.monotonic();
  for (const backoff = createBackoff(io.clock, pollPauses); ; ) {
    const stored = await readHeldPointer(io);
    if (stored?.pointer.state !== 'active') return stored;
    if (await recoverRenewal(io, stored)) continue;
    const isOver = io.clock.monotonic() - since >= holderLimitMs;
    if (isOver || (await isRenewalUnderWay(io, stored.pointer)) === null) return stored;
    await lease.extend();
    await backoff.pause();
  }
}

/**
 * Makes a checked sign-in the connection of its key. A connection in use of another or an unknown account is replaced only
 * on a person's word (`replace`). Rejections are the store's errors.
 */
async function adoptGrant(
  io: Io,
  connection: ConnectionId,
  grant: UsableGrant,
  replace: boolean,
): Promise<Adoption> {
  const place = { connection, generation: 1 };
  await io.records.write(io.key, place, grant);
  await io.records.remove(io.key, { connection, generation: 0 });
  for (;;) {
    const stored = await readPointer(io);
    const previous = stored?.pointer.state === 'disconnected' ? null : (stored?.pointer ?? null);
    const old = previous === null ? null : await openGrantUnlessLost(io, previous);
    const inUse = previous !== null && (await isConnectionInUse(io, previous, old));
    const account = compareAccounts(old, grant);
    if (inUse && !replace && account !== 'same') {
      // The record of a generation is removed once the next one counts.
      if ((await readPointer(io))?.version !== stored?.version) continue;
      return { adopted: false, account, over: previous.connection };
    }
    if (!(await movePointer(io, stored, { state: 'active', ...place }))) continue;
    if (previous === null) return { adopted: true, replaced: 'none' };
    if (!hasGrantEnded(previous) && old !== null) return { adopted: true, replaced: 'kept' };
    await removeTokenRecordsUpTo(io, previous);
    return { adopted: true, replaced: old === null ? 'dropped' : 'revoked' };
  }
}

/** Stores tokens as soon as they are received, before they are checked; where that fails they are revoked. */
export async function keepUncheckedGrant(io: Io, connection: ConnectionId, grant: Grant): Promise<void> {
  try {
    await io.records.write(io.key, { connection, generation: 0 }, grant);
  } catch (error) {
    await revokeGrant(io, grant);
    throw error;
  }
}

/** Whether sealing needs a new key, which is drawn only on a person's word. */
export function isSealingKeyLost(error: unknown): boolean {
  return isStoreError(error, 'key_missing') || isStoreError(error, 'key_wrong');
}
