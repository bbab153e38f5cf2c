import { isStoreError } from '../../storage/store-error.ts';
import type { ConnectionId, Grant, UsableGrant } from '../grant.ts';
import type { ConnectionKey } from '../key.ts';
import { removeUpTo } from '../leftovers.ts';
import { hasEnded, type HeldPointer, movePointer, readPointer } from '../pointer.ts';
import type { Io } from '../ports.ts';
import { openUnlessLost, revokeAndRemove, revokeGrant } from '../revoke.ts';
import { otherAccount } from './failures.ts';

export interface Adoption {
  /**
   * What became of the connection whose place this one took. `revoked`: it has ended; `kept`: revoking it
   * failed, and is tried again; `dropped`: it was deleted without, because it can't be opened or revoking it might end this one too.
   */
  readonly replaced: 'none' | 'revoked' | 'kept' | 'dropped';
}

/**
 * Makes a checked sign-in the connection of its key. Over a connection of another account, or of one that can't
 * be told, only on a person's word (`replace`); else the new grant is revoked at once.
 * @throws ArtworkError conflict (`other_account`); the store's errors
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
    // One that is being disconnected is nobody's any more.
    const inUse = previous !== null && previous.state !== 'disconnecting';
    if (inUse && !replace && !isSameAccount(old, grant)) {
      // The record of a generation goes when the next one counts.
      if ((await readPointer(io, key))?.version !== stored?.version) continue;
      const { fate } = await revokeAndRemove(io, key, place, grant);
      const known = grant.subject !== null && old !== null && old.subject !== null;
      throw otherAccount(key, known, fate === 'revoked');
    }
    if (await movePointer(io, key, stored, { state: 'active', ...place })) {
      return { replaced: previous === null ? 'none' : await retire(io, key, previous, old, grant) };
    }
  }
}

function isSameAccount(old: Grant | null, grant: Grant): boolean {
  return old !== null && old.subject !== null && old.subject === grant.subject;
}

/** Ends the connection that was replaced. */
async function retire(
  io: Io,
  key: ConnectionKey,
  pointer: HeldPointer,
  old: Grant | null,
  grant: Grant,
): Promise<'revoked' | 'kept' | 'dropped'> {
  const revocation = await revokeOld(io, pointer, old, isSameAccount(old, grant));
  if (revocation === 'kept') return 'kept';
  await removeUpTo(io, key, pointer);
  return revocation;
}

async function revokeOld(io: Io, pointer: HeldPointer, old: Grant | null, sameAccount: boolean) {
  if (hasEnded(pointer)) return 'revoked';
  // A refresh token that may have been consumed is not shown to the service again where the account is the
  // same: some would take it for stolen and end the account's new connection as well.
  const mayBeConsumed = pointer.state === 'uncertain' || pointer.state === 'reconnect_required';
  if (old === null || (mayBeConsumed && sameAccount)) return 'dropped';
  return (await revokeGrant(io, old)).fate === 'revoked' ? 'revoked' : 'kept';
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
