import { isStoreError } from '../../storage/store-error.ts';
import { recoverRenewal, holderLimitMs, isRenewalUnderWay } from '../renewal-claim.ts';
import { endEarlierConnection } from '../disconnect.ts';
import { compareAccounts, type ConnectionId, type Grant, type UsableGrant } from '../grant.ts';
import { isConnectionInUse, openGrantUnlessLost, revokeGrant } from '../revocation.ts';
import { type ConnectionKey, type Io, pollPauses } from '../ports.ts';
import type { SignInLease } from '../sign-in-lease.ts';
import { hasGrantEnded, type HeldPointer, movePointer, readPointer, type StoredPointer } from '../pointer.ts';
import { createBackoff } from '../../wire/backoff.ts';
import { removeTokenRecordsUpTo } from '../leftovers.ts';

/**
 * What became of the connection that a sign-in replaced. `revoked`: it has ended on the service; `kept`: it may still exist
 * there, and the next disconnecting revokes it; `dropped`: it was deleted but not revoked, because its record can't be
 * opened, the service refuses, or revoking it might end another connection too.
 */
export type Replaced = 'none' | 'revoked' | 'kept' | 'dropped';

type Adoption =
  | { readonly adopted: true; readonly replaced: Replaced }
  /** A connection is in use whose account is another one or not known: a person decides. */
  | {
      readonly adopted: false;
      readonly account: 'different' | 'unknown';
      /** The connection that is in use. */
      readonly over: ConnectionId;
    };

/**
 * Prepares the key for a new grant, before the code is exchanged and under the lease. Tokens of earlier sign-ins are
 * revoked now, since revoking them later could end the new connection.
 *
 * A connection in use is ended only on the person's word: at this moment neither the new account nor the outcome of the
 * sign-in is known. Without that word the sign-in replaces it later and does not revoke it; its tokens stay valid until
 * the next disconnecting revokes them. Ending it now could cost a connection for a sign-in of another person, and ending
 * it later could cost the new connection, where the person had revoked the old one in the account's Apps area.
 */
export async function prepareConnectionKey(
  io: Io,
  key: ConnectionKey,
  replace: boolean,
  lease: SignInLease,
): Promise<Replaced> {
  const stored = await awaitRenewal(io, key, lease);
  if (stored !== null && !replace) {
    const grant = await openGrantUnlessLost(io, key, stored.pointer);
    if (await isConnectionInUse(io, stored.pointer, grant)) return 'none';
  }
  const ending = await endEarlierConnection(io, key, lease);
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
async function awaitRenewal(
  io: Io,
  key: ConnectionKey,
  lease: SignInLease,
): Promise<StoredPointer<HeldPointer> | null> {
  const since = io.clock.monotonic();
  for (const backoff = createBackoff(io.clock, pollPauses); ; ) {
    const stored = await readPointer(io, key);
    if (stored === null || stored.pointer.state === 'disconnected') return null;
    const { pointer, version } = stored;
    const held = { pointer, version };
    if (pointer.state !== 'active') return held;
    if (await recoverRenewal(io, key, held)) continue;
    const isOver = io.clock.monotonic() - since >= holderLimitMs;
    if (isOver || (await isRenewalUnderWay(io, pointer)) === null) return held;
    await lease.extend();
    await backoff.pause();
  }
}

/**
 * Makes a checked sign-in the connection of its key. A connection in use of another or an unknown account is replaced only
 * on a person's word (`replace`). Rejections are the store's errors.
 */
export async function adoptGrant(
  io: Io,
  key: ConnectionKey,
  connection: ConnectionId,
  grant: UsableGrant,
  replace: boolean,
): Promise<Adoption> {
  const place = { connection, generation: 1 };
  await io.records.write(key, place, grant);
  await io.records.remove(key, { connection, generation: 0 });
  for (;;) {
    const stored = await readPointer(io, key);
    const previous = stored?.pointer.state === 'disconnected' ? null : (stored?.pointer ?? null);
    const old = previous === null ? null : await openGrantUnlessLost(io, key, previous);
    const inUse = previous !== null && (await isConnectionInUse(io, previous, old));
    const account = compareAccounts(old, grant);
    if (inUse && !replace && account !== 'same') {
      // The record of a generation is removed once the next one counts.
      if ((await readPointer(io, key))?.version !== stored?.version) continue;
      return { adopted: false, account, over: previous.connection };
    }
    if (!(await movePointer(io, key, stored, { state: 'active', ...place }))) continue;
    if (previous === null) return { adopted: true, replaced: 'none' };
    if (!hasGrantEnded(previous) && old !== null) return { adopted: true, replaced: 'kept' };
    await removeTokenRecordsUpTo(io, key, previous);
    return { adopted: true, replaced: old === null ? 'dropped' : 'revoked' };
  }
}

/** Stores tokens as soon as they are received, before they are checked; where that fails they are revoked. */
export async function keepUncheckedGrant(
  io: Io,
  key: ConnectionKey,
  connection: ConnectionId,
  grant: Grant,
): Promise<void> {
  try {
    await io.records.write(key, { connection, generation: 0 }, grant);
  } catch (error) {
    await revokeGrant(io, grant);
    throw error;
  }
}

/** Whether sealing needs a new key, which is drawn only on a person's word. */
export function isSealingKeyLost(error: unknown): boolean {
  return isStoreError(error, 'key_missing') || isStoreError(error, 'key_wrong');
}
