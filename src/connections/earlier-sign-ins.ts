import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Holder, heartbeatLimit, holderSchema } from '../storage/lease.ts';
import { createBackoff } from '../wire/pacing.ts';
import {
  type ConnectionKey,
  compareAccounts,
  connectionId,
  type Grant,
  type GrantPosition,
  type Io,
  pollPauses,
  type StoredPosition,
} from './grant.ts';
import { type HeldPointer, readHeldPointer, readStored } from './pointer.ts';
import {
  isConnectionInUse,
  isRenewalUnderWay,
  isSharedAccountGrant,
  openGrantUnlessLost,
  revokeAndRemove,
  revokeGrant,
} from './refresh-token.ts';

/**
 * Some services take a refresh token for stolen when it is renewed or revoked after it was used or revoked before, and end
 * all refresh tokens of that account and app. So no token of an earlier sign-in may reach the service between the moment
 * when a new grant is made and the end of that connection. This lease makes sure of it: a sign-in holds it while it
 * revokes leftovers, before the browser opens, and while it exchanges the code and stores the connection; a revocation
 * holds it for its requests; a renewal does not begin while it is held. All users of an app share one lease, since their accounts may be the same.
 *
 * A process that is stopped after its check, for longer than others wait, can still break this.
 */
export interface SignInLease {
  /** Moves the holder's counter. Answers whether the lease is still held. */
  extend(): Promise<boolean>;
  /** @param unfinished a renewal whose request may still reach the service: a sign-in waits for its end */
  release(unfinished?: UnfinishedRenewal | null): Promise<void>;
}

export interface UnfinishedRenewal extends GrantPosition {
  /** Milliseconds since 1970; its request has ended by then. */
  readonly until: number;
}

const schema = z.object({
  /** Null: released. */
  holder: holderSchema.nullable(),
  unfinished: z.object({ connection: connectionId, generation: z.number(), until: z.number() }).nullable(),
});
type Stored = z.infer<typeof schema>;

/**
 * Waits for the lease: until it is released, or its counter has stood still for so long that nothing which its holder
 * sent can arrive any more. @param purpose a sign-in also waits for renewals under way */
export async function acquireSignInLease(io: Io, purpose: 'sign_in' | 'revocation'): Promise<SignInLease> {
  const name = leaseName(io.key);
  const holder = io.judge.startHolding();
  const held = (unfinished: Stored['unfinished']): string => JSON.stringify({ holder, unfinished });
  let seen = { version: -1, since: 0 };
  try {
    for (const backoff = createBackoff(io.clock, pollPauses); ; ) {
      const entry = await io.atomic.get(name);
      if (entry === null) {
        const { won, current } = await io.atomic.putIfAbsent(name, held(null));
        if (won) return leaseOf(io, name, holder, current.version, null);
        continue;
      }
      const stored = readStored(schema, entry.value);
      if (seen.version !== entry.version) seen = { version: entry.version, since: io.clock.monotonic() };
      // Measured by this process's own clock too, since people set the other one.
      const waitedOut = io.clock.monotonic() - seen.since >= heartbeatLimit;
      const isHeld = io.judge.mayBeUnderWay(stored.holder);
      const waits = isHeld || (purpose === 'sign_in' && !waitedOut && (await isUnfinished(io, stored)));
      if (!waits) {
        const swap = await io.atomic.compareAndSet(name, entry.version, held(stored.unfinished));
        if (swap.outcome === 'swapped')
          return leaseOf(io, name, holder, swap.current.version, stored.unfinished);
        continue;
      }
      await backoff.pause();
    }
  } catch (error) {
    io.judge.endHolding(holder);
    throw error;
  }
}

/** Whether the lease is held, so that a renewal has to wait. */
export async function isSignInLeased(io: Io): Promise<boolean> {
  const entry = await io.atomic.get(leaseName(io.key));
  return entry !== null && io.judge.mayBeUnderWay(readStored(schema, entry.value).holder);
}

function leaseOf(
  io: Io,
  name: string,
  first: Holder,
  firstVersion: number,
  before: Stored['unfinished'],
): SignInLease {
  let version: number | null = firstVersion;
  let holder = first;
  const write = async (next: Stored): Promise<boolean> => {
    if (version === null) return false;
    const swap = await io.atomic.compareAndSet(name, version, JSON.stringify(next));
    version = swap.outcome === 'swapped' ? swap.current.version : null;
    return version !== null;
  };
  return {
    extend() {
      holder = { ...holder, beat: holder.beat + 1 };
      return write({ holder, unfinished: before });
    },
    async release(unfinished = null) {
      io.judge.endHolding(holder);
      await write({ holder: null, unfinished: unfinished ?? before });
    },
  };
}

async function isUnfinished(io: Io, { unfinished }: Stored): Promise<boolean> {
  if (unfinished === null) return false;
  const left = unfinished.until - io.clock.now();
  return left > 0 && left <= heartbeatLimit && (await isRenewalUnderWay(io, unfinished)) !== null;
}

function leaseName({ service, clientId }: ConnectionKey): string {
  return `sign-in-lease:${createHash('sha256')
    .update(JSON.stringify([service, clientId]))
    .digest('base64url')}`;
}

/** A sign-in takes less time from its first token to its pointer; a younger record may be one of a sign-in under way. ms */
const settledMs = 120_000;

/** How many earlier sign-ins are still to be revoked. */
export async function countLeftovers(io: Io, pointer: HeldPointer | null): Promise<number> {
  const found = await findLeftovers(io, pointer);
  return found.filter(({ storedAt }) => io.clock.now() - storedAt >= settledMs).length;
}

/** Whether there are grants of this key that no pointer names. Null: nothing is connected. */
export async function hasLeftovers(io: Io, pointer: HeldPointer | null): Promise<boolean> {
  return (await findLeftovers(io, pointer)).length > 0;
}

/**
 * The grants of this key that no pointer names, each by its newest record. They come from sign-ins and renewals that were
 * killed, and from connections that were replaced or refused and could not be revoked then. Without the lease a sign-in
 * under way is among them.
 */
async function findLeftovers(io: Io, pointer: HeldPointer | null): Promise<readonly StoredPosition[]> {
  const newest = new Map<string, StoredPosition>();
  for (const record of await io.records.list(io.key)) {
    if (record.connection === pointer?.connection) continue;
    const other = newest.get(record.connection);
    if (other === undefined || other.generation < record.generation) newest.set(record.connection, record);
  }
  return [...newest.values()];
}

/**
 * Revokes and removes the leftovers. Each token may have been used or revoked before, so this needs the lease, and leaves
 * a grant alone while a connection that may be of the same account is in use. A service that can't be reached is not
 * tried again for each. Answers how many could not be revoked.
 */
export async function retireLeftovers(
  io: Io,
  pointer: HeldPointer | null,
  lease: SignInLease,
): Promise<number> {
  const places = await findLeftovers(io, pointer);
  let left = 0;
  let isReachable = true;
  for (const place of places) {
    // A sign-in that took over the lease of a stopped process may have adopted it since.
    if (place.connection === (await readHeldPointer(io))?.pointer.connection) continue;
    const grant = await openGrantUnlessLost(io, place);
    // A record that can't be opened can never be revoked from here.
    const end = grant === null ? 'retired' : isReachable ? await retire(io, grant, lease) : 'left';
    if (end === 'unreachable') isReachable = false;
    if (end === 'retired') await removeTokenRecordsUpTo(io, place);
    else left += 1;
  }
  return left;
}

async function retire(io: Io, grant: Grant, lease: SignInLease): Promise<'retired' | 'left' | 'unreachable'> {
  if (await isSharedAccountGrant(io, grant)) return 'left';
  if (!(await lease.extend())) return 'left';
  const revocation = await revokeGrant(io, grant);
  if (revocation.outcome !== 'failed') return 'retired';
  return revocation.why === 'network' ? 'unreachable' : 'left';
}

/**
 * Removes the records of one sign-in up to a generation. A superseded renewal may be storing the next one, which it
 * revokes itself, or leaves to `retireLeftovers`.
 */
export async function removeTokenRecordsUpTo(
  io: Io,
  { connection, generation }: GrantPosition,
): Promise<void> {
  for (const record of await io.records.list(io.key)) {
    if (record.connection === connection && record.generation <= generation) {
      await io.records.remove(io.key, record);
    }
  }
}

/**
 * Revokes what a renewal received for a connection that a sign-in has replaced or a person has ended meanwhile. Where the
 * new connection is or may be of the same account the tokens are only kept: one of them may have been revoked, and
 * showing it to the service could end the new connection too. The next disconnecting revokes them.
 */
export async function revokeSuperseded(io: Io, place: GrantPosition, grant: Grant): Promise<void> {
  const lease = await acquireSignInLease(io, 'revocation');
  try {
    const pointer = (await readHeldPointer(io))?.pointer;
    if (pointer !== undefined && pointer.connection !== place.connection) {
      const newer = await openGrantUnlessLost(io, pointer);
      const isOther = compareAccounts(newer, grant) === 'different';
      if (!isOther && (await isConnectionInUse(io, pointer, newer))) return;
    }
    await revokeAndRemove(io, place, grant);
  } finally {
    await lease.release();
  }
}
