import { compareAccounts, type Grant, type GrantPosition } from './grant.ts';
import { isInUse } from './in-use.ts';
import type { ConnectionKey } from './key.ts';
import { acquireSignInLease } from './sign-in-lease.ts';
import { readPointer } from './pointer.ts';
import type { Io } from './ports.ts';
import { openUnlessLost, revokeAndRemove } from './revoke.ts';

/**
 * Ends what a renewal received for a connection that another sign-in has replaced, or a person has ended. Where
 * the new connection is, or may be, the same account's, its tokens are kept and not shown to the service now:
 * what happened to them there is not known, and one that was revoked could end the new connection too.
 * Disconnecting revokes them.
 */
export async function endOvertaken(
  io: Io,
  key: ConnectionKey,
  place: GrantPosition,
  grant: Grant,
): Promise<void> {
  const lease = await acquireSignInLease(io, key, 'revocation');
  try {
    const pointer = (await readPointer(io, key))?.pointer;
    if (
      pointer !== undefined &&
      pointer.state !== 'disconnected' &&
      pointer.connection !== place.connection
    ) {
      const newer = await openUnlessLost(io, key, pointer);
      const isOther = compareAccounts(newer, grant) === 'different';
      if (!isOther && (await isInUse(io, pointer, newer))) return;
    }
    await revokeAndRemove(io, key, place, grant);
  } finally {
    await lease.release();
  }
}
