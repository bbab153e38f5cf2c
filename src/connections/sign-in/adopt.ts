import { isStoreError } from '../../storage/store-error.ts';
import type { ConnectionId, Grant, UsableGrant } from '../grant.ts';
import type { ConnectionKey } from '../key.ts';
import { removeAll } from '../leftovers.ts';
import { type HeldPointer, movePointer, readPointer, type StoredPointer } from '../pointer.ts';
import type { Io } from '../ports.ts';
import { openUnlessLost, revokeAndRemove, revokeGrant } from '../revoke.ts';
import { otherAccount } from './failures.ts';

export interface Adoption {
  /**
   * What became of the connection whose place this one took. `kept`: revoking it failed, and is tried again;
   * `dropped`: it was deleted without, because it can't be opened or revoking it might end this one too.
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
    const existing = inUse(stored);
    const old = existing === null ? null : await openUnlessLost(io, key, existing.pointer);
    if (existing !== null && !replace && !isSameAccount(old, grant)) {
      const { fate } = await revokeAndRemove(io, key, place, grant);
      const known = grant.subject !== null && old !== null && old.subject !== null;
      throw otherAccount(key, known, fate === 'revoked');
    }
    if (await movePointer(io, key, stored, { state: 'active', ...place })) {
      return { replaced: existing === null ? 'none' : await retire(io, key, existing.pointer, old, grant) };
    }
  }
}

function inUse(stored: StoredPointer | null): StoredPointer<HeldPointer> | null {
  if (stored === null) return null;
  const { pointer, version } = stored;
  // Somebody wanted this one gone already; what is left of it is revoked in time.
  if (pointer.state === 'disconnected' || pointer.state === 'disconnecting') return null;
  return { pointer, version };
}

function isSameAccount(old: Grant | null, grant: Grant): boolean {
  return old !== null && old.subject !== null && old.subject === grant.subject;
}

/**
 * Ends the connection that was replaced. A refresh token that may have been consumed is not shown to the
 * service again where the account is the same: some would end the account's new connection with it.
 */
async function retire(
  io: Io,
  key: ConnectionKey,
  pointer: HeldPointer,
  old: Grant | null,
  grant: Grant,
): Promise<'revoked' | 'kept' | 'dropped'> {
  const mayEndNew = pointer.state !== 'active' && isSameAccount(old, grant);
  const revocation = old === null || mayEndNew ? null : await revokeGrant(io, old);
  if (revocation?.fate === 'failed') return 'kept';
  await removeAll(io, key, pointer);
  return revocation === null ? 'dropped' : 'revoked';
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
