import { isReleased, isUnderWay, lastRefusal } from './renewal-claim.ts';
import { compareAccounts, type Grant, isExpired } from './grant.ts';
import type { ConnectionKey } from './key.ts';
import { type HeldPointer, otherPointers } from './pointer.ts';
import type { Io } from './ports.ts';
import { oauthRefusal } from './refusal.ts';
import { openUnlessLost } from './revoke.ts';

/**
 * Whether calls can still be made with a connection, so that a sign-in may not end it before it is known who
 * signed in. One that is dead, or that nothing renews any more, is in use no longer.
 * @param grant of the generation that the pointer names; null: it can't be opened, and may be
 */
export async function isInUse(io: Io, pointer: HeldPointer, grant: Grant | null): Promise<boolean> {
  switch (pointer.state) {
    case 'reconnect_required':
    case 'disconnecting':
      return false;
    case 'uncertain':
      return grant === null || !isExpired(grant, io.clock.now());
    case 'active': {
      if (grant === null || !isExpired(grant, io.clock.now())) return true;
      if (grant.refreshToken === null) return false;
      if ((await isUnderWay(io, pointer)) !== null) return true;
      // Presented once, by a process that is gone: nothing renews it any more.
      if (!(await isReleased(io, pointer))) return false;
      const refusal = await lastRefusal(io, pointer);
      return refusal === null || !oauthRefusal(refusal).signInHelps;
    }
  }
}

/**
 * Whether another user of this app on this machine is, or may be, connected as the same account: a service that
 * takes a token that was used before for stolen would end that connection too.
 */
export async function isSharedAccount(io: Io, key: ConnectionKey, grant: Grant): Promise<boolean> {
  for (const other of await otherPointers(io, key)) {
    const theirs = await openUnlessLost(io, other.key, other.pointer);
    if (compareAccounts(theirs, grant) === 'different') continue;
    if (await isInUse(io, other.pointer, theirs)) return true;
  }
  return false;
}

/** Whether the refresh token of the generation that the pointer names may have been used. */
export async function mayBeUsed(io: Io, pointer: HeldPointer): Promise<boolean> {
  return pointer.state !== 'active' || !(await isReleased(io, pointer));
}
