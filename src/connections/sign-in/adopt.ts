import { isStoreError } from '../../storage/store-error.ts';
import { isUnderWay, holderLimitMs } from '../renewal-claim.ts';
import { endBefore } from '../disconnect.ts';
import { compareAccounts, type ConnectionId, type Grant, type UsableGrant } from '../grant.ts';
import { heal } from '../heal.ts';
import { isInUse } from '../in-use.ts';
import type { ConnectionKey } from '../key.ts';
import type { SignInLease } from '../sign-in-lease.ts';
import { hasEnded, type HeldPointer, movePointer, readPointer, type StoredPointer } from '../pointer.ts';
import type { Io } from '../ports.ts';
import { openUnlessLost, revokeGrant } from '../revoke.ts';
import { removeUpTo } from '../leftovers.ts';

/**
 * What became of the connection whose place a sign-in took. `revoked`: it has ended on the service; `kept`: it
 * may live there, and disconnecting revokes it; `dropped`: it was deleted without, because it can't be opened,
 * the service won't revoke it, or revoking it might end another connection too.
 */
export type Replaced = 'none' | 'revoked' | 'kept' | 'dropped';

export type Adoption =
  | { readonly adopted: true; readonly replaced: Replaced }
  /** A connection of another account is in use, or of one that can't be compared: a person decides. */
  | {
      readonly adopted: false;
      readonly account: 'different' | 'unknown';
      /** The connection that is in use. */
      readonly over: ConnectionId;
    };

/**
 * Readies the key for a new grant, before there is one; under the lease. What must be shown to the service of
 * earlier sign-ins (revocations) is shown now, since afterwards it could end the new connection.
 *
 * A connection that is in use is not ended here, unless the person has said that it is to be replaced: it is
 * not known yet who signs in, and whether the sign-in succeeds. It is replaced afterwards without a word to the
 * service, and revoked by the next disconnecting, which wants the end of all of them. Its tokens stay valid
 * there until then; the alternatives are a connection that is lost by another person's sign-in, or a new one that
 * is dead because the person had revoked the old one in the account's Apps area.
 */
export async function prepareKey(
  io: Io,
  key: ConnectionKey,
  replace: boolean,
  lease: SignInLease,
): Promise<Replaced> {
  const stored = await awaitRenewal(io, key, lease);
  if (stored !== null && !replace) {
    const grant = await openUnlessLost(io, key, stored.pointer);
    if (await isInUse(io, stored.pointer, grant)) return 'none';
  }
  const ending = await endBefore(io, key, lease);
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
 * Waits until no request of a renewal can reach the service any more: one that comes after the new grant is the
 * showing of an earlier token. Others don't begin while the lease is held.
 */
async function awaitRenewal(
  io: Io,
  key: ConnectionKey,
  lease: SignInLease,
): Promise<StoredPointer<HeldPointer> | null> {
  const since = io.clock.monotonic();
  for (let poll = 25; ; poll = Math.min(poll * 2, 400)) {
    const stored = await readPointer(io, key);
    if (stored === null || stored.pointer.state === 'disconnected') return null;
    const { pointer, version } = stored;
    const held = { pointer, version };
    if (pointer.state !== 'active') return held;
    if (await heal(io, key, held)) continue;
    const isOver = io.clock.monotonic() - since >= holderLimitMs;
    if (isOver || (await isUnderWay(io, pointer)) === null) return held;
    await lease.extend();
    await io.clock.sleep(poll);
  }
}

/**
 * Makes a checked sign-in the connection of its key. Over a connection in use of another account, or of one that
 * can't be told, only on a person's word (`replace`). Rejections are the store's errors.
 */
export async function adopt(
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
    const old = previous === null ? null : await openUnlessLost(io, key, previous);
    const inUse = previous !== null && (await isInUse(io, previous, old));
    const account = compareAccounts(old, grant);
    if (inUse && !replace && account !== 'same') {
      // The record of a generation goes when the next one counts.
      if ((await readPointer(io, key))?.version !== stored?.version) continue;
      return { adopted: false, account, over: previous.connection };
    }
    if (!(await movePointer(io, key, stored, { state: 'active', ...place }))) continue;
    if (previous === null) return { adopted: true, replaced: 'none' };
    if (!hasEnded(previous) && old !== null) return { adopted: true, replaced: 'kept' };
    await removeUpTo(io, key, previous);
    return { adopted: true, replaced: old === null ? 'dropped' : 'revoked' };
  }
}

/** Keeps tokens that were just received and are not checked yet; where that fails they are revoked. */
export async function keepUnchecked(
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

/** Whether sealing can't work until a new key is drawn, which only a person may ask for. */
export function isKeyLost(error: unknown): boolean {
  return isStoreError(error, 'key_missing') || isStoreError(error, 'key_wrong');
}
