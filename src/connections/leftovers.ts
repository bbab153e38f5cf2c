import { compareAccounts, type Grant, type GrantPosition } from './grant.ts';
import { type Pointer, readPointer } from './pointer.ts';
import type { ConnectionKey, Io, StoredPosition } from './ports.ts';
import {
  isConnectionInUse,
  isSharedAccountGrant,
  openGrantUnlessLost,
  revokeAndRemove,
  revokeGrant,
} from './revocation.ts';
import { acquireSignInLease, type SignInLease } from './sign-in-lease.ts';

/** A sign-in takes less time from its first token to its pointer; a younger record may be one of a sign-in under way. ms */
const settledMs = 120_000;

/** How many earlier sign-ins are still to be revoked. */
export async function countLeftovers(io: Io, key: ConnectionKey, pointer: Pointer | null): Promise<number> {
  const found = await findLeftovers(io, key, pointer);
  return found.filter(({ storedAt }) => io.clock.now() - storedAt >= settledMs).length;
}

/**
 * The grants of this key that no pointer names, each by its newest record. They come from sign-ins and renewals that were
 * killed, and from connections that were replaced or refused and could not be revoked then. Without the lease a sign-in
 * under way is among them.
 */
async function findLeftovers(
  io: Io,
  key: ConnectionKey,
  pointer: Pointer | null,
): Promise<readonly StoredPosition[]> {
  const newest = new Map<string, StoredPosition>();
  for (const record of await io.records.list(key)) {
    if (isNamed(record, pointer)) continue;
    const other = newest.get(record.connection);
    if (other === undefined || other.generation < record.generation) newest.set(record.connection, record);
  }
  return [...newest.values()];
}

/**
 * Revokes and removes the leftovers. Each token may have been used or revoked before, so this needs the lease, and leaves
 * a grant alone while a connection that may be of the same account is in use. Answers how many could not be revoked.
 */
export async function retireLeftovers(
  io: Io,
  key: ConnectionKey,
  pointer: Pointer | null,
  lease: SignInLease,
): Promise<number> {
  const places = await findLeftovers(io, key, pointer);
  let left = 0;
  for (const place of places) {
    // A sign-in that took over the lease of a stopped process may have adopted it since.
    if (isNamed(place, (await readPointer(io, key))?.pointer ?? null)) continue;
    const grant = await openGrantUnlessLost(io, key, place);
    // A record that can't be opened can never be revoked from here.
    const isDone = grant === null || (await retire(io, key, grant, lease));
    if (isDone) await removeTokenRecordsUpTo(io, key, place);
    else left += 1;
  }
  return left;
}

async function retire(io: Io, key: ConnectionKey, grant: Grant, lease: SignInLease): Promise<boolean> {
  if (await isSharedAccountGrant(io, key, grant)) return false;
  if (!(await lease.extend())) return false;
  return (await revokeGrant(io, grant)).outcome !== 'failed';
}

/**
 * Removes the records of one sign-in up to a generation. A superseded renewal may be storing the next one, which it
 * revokes itself, or leaves to `retireLeftovers`.
 */
export async function removeTokenRecordsUpTo(
  io: Io,
  key: ConnectionKey,
  { connection, generation }: GrantPosition,
): Promise<void> {
  for (const record of await io.records.list(key)) {
    if (record.connection === connection && record.generation <= generation) {
      await io.records.remove(key, record);
    }
  }
}

function isNamed({ connection }: GrantPosition, pointer: Pointer | null): boolean {
  return pointer !== null && pointer.state !== 'disconnected' && pointer.connection === connection;
}

/**
 * Revokes what a renewal received for a connection that a sign-in has replaced or a person has ended meanwhile. Where the
 * new connection is or may be of the same account the tokens are only kept: one of them may have been revoked, and
 * showing it to the service could end the new connection too. The next disconnecting revokes them.
 */
export async function revokeSuperseded(
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
      const newer = await openGrantUnlessLost(io, key, pointer);
      const isOther = compareAccounts(newer, grant) === 'different';
      if (!isOther && (await isConnectionInUse(io, pointer, newer))) return;
    }
    await revokeAndRemove(io, key, place, grant);
  } finally {
    await lease.release();
  }
}
