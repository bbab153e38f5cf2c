import type { Grant, GrantPosition } from './grant.ts';
import { isSharedAccount } from './in-use.ts';
import type { ConnectionKey } from './key.ts';
import type { SignInLease } from './sign-in-lease.ts';
import { type Pointer, readPointer } from './pointer.ts';
import type { Io, StoredPosition } from './ports.ts';
import { openUnlessLost, revokeGrant } from './revoke.ts';

/** A sign-in takes less than this from its first token to its pointer; until then its record is not left over. */
const settledMs = 120_000;

/** How many earlier sign-ins are still to be revoked. */
export async function countLeftovers(io: Io, key: ConnectionKey, pointer: Pointer | null): Promise<number> {
  const found = await findLeftovers(io, key, pointer);
  return found.filter(({ storedAt }) => io.clock.now() - storedAt >= settledMs).length;
}

/**
 * The grants of this key that nothing names, each by its newest record: of a sign-in or a renewal that was
 * killed, or of one that was replaced or refused and not revoked at the time. Without the lease also that of a
 * sign-in under way.
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
 * Revokes and removes what is left over; each of these tokens may have been used or revoked before, so only
 * under the lease, and while no connection that could be the same account's is in use. Answers how many grants
 * could not be revoked.
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
    // One that was adopted since, by a sign-in that took the lease from a process which was stopped.
    if (isNamed(place, (await readPointer(io, key))?.pointer ?? null)) continue;
    const grant = await openUnlessLost(io, key, place);
    // What can't be opened can't ever be revoked from here.
    const isDone = grant === null || (await retire(io, key, grant, lease));
    if (isDone) await removeUpTo(io, key, place);
    else left += 1;
  }
  return left;
}

async function retire(io: Io, key: ConnectionKey, grant: Grant, lease: SignInLease): Promise<boolean> {
  if (await isSharedAccount(io, key, grant)) return false;
  if (!(await lease.extend())) return false;
  return (await revokeGrant(io, grant)).outcome !== 'failed';
}

/**
 * Removes the records of one sign-in up to a generation: a renewal that is overtaken may just store the next
 * one, which it revokes itself, or leaves to the next one who tidies up.
 */
export async function removeUpTo(
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
