import type { Json } from '../canonical-json.ts';
import type { ArtworkError } from '../errors.ts';
import { type LedgerEntry, serviceVerdicts, keptErrorOf } from './entry.ts';
import type { Acceptance, Conclusion, Lease, Settlement } from './ledger.ts';

/** The members of an entry that change; null: none. */
type Change = Partial<LedgerEntry> | null;

/** Whether a lease is the one that holds the entry. */
export function isHeldBy({ epoch, owner }: LedgerEntry, lease: Lease): boolean {
  return epoch === lease.epoch && owner?.instance === lease.owner.instance && owner.hold === lease.owner.hold;
}

/** The entry once its request is about to be sent. */
export function beginSendingEntry(entry: LedgerEntry, lease: Lease): Change {
  return isHeldBy(entry, lease) && entry.state === 'claimed' ? { state: 'sending' } : null;
}

/**
 * The entry once the service has accepted its request. An acceptance resolves an unknown outcome, even where the
 * caller has lost the lease since.
 */
export function acceptEntry(entry: LedgerEntry, lease: Lease, { receipt, progress }: Acceptance): Change {
  if (!isHeldBy(entry, lease) && entry.state !== 'unresolved') return null;
  return { state: 'processing', receipt, progress, error: null };
}

/** The entry with what a resume needs. */
export function checkpointEntry(entry: LedgerEntry, lease: Lease, progress: Json): Change {
  return isHeldBy(entry, lease) ? { progress } : null;
}

/** The entry with its holder's heartbeat. */
export function heartbeatEntry(entry: LedgerEntry, lease: Lease): Change {
  return isHeldBy(entry, lease) && entry.owner !== null
    ? { owner: { ...entry.owner, beat: entry.owner.beat + 1 } }
    : null;
}

/** The entry once its outcome is known. */
export function settleEntry(entry: LedgerEntry, lease: Lease, settlement: Settlement): Change {
  const { outcome, receipt = null, error } = settlement;
  const verdict = serviceVerdicts.find((each) => each === outcome);
  if (verdict !== undefined) return conclude(entry, { outcome: verdict, receipt, error });
  // `refused` and `not_sent` are about the request of this lease alone.
  if (!isHeldBy(entry, lease) || (entry.state !== 'claimed' && entry.state !== 'sending')) return null;
  if (entry.doubt) return { state: 'unresolved', owner: null, error: kept(error) };
  return { state: 'settled', owner: null, outcome, receipt, error: kept(error) };
}

/**
 * The entry once a lookup at the service has shown its outcome. The outcome of a lookup counts only while a request
 * of this ledger may have been applied. Once the entry is settled as not applied, what the service found under the
 * id is another request.
 */
export function concludeEntry(entry: LedgerEntry, said: Conclusion): Change {
  return entry.state === 'settled' ? null : conclude(entry, said);
}

/** Needs no lease: the service's verdict holds for every process, and is never replaced. */
function conclude(entry: LedgerEntry, { outcome, receipt = null, error }: Conclusion): Change {
  if (serviceVerdicts.some((verdict) => verdict === entry.outcome)) return null;
  return { state: 'settled', owner: null, outcome, receipt, error: kept(error) };
}

/** The entry once its request may have been applied, and no answer says so. */
export function markEntryUnresolved(entry: LedgerEntry, lease: Lease, error: ArtworkError | null): Change {
  if (!isHeldBy(entry, lease)) return null;
  return { state: 'unresolved', owner: null, doubt: true, error: kept(error ?? undefined) };
}

/** The entry once a look has shown that no earlier request was applied. */
export function clearEntryDoubt(entry: LedgerEntry, lease: Lease): Change {
  return isHeldBy(entry, lease) && entry.doubt ? { doubt: false } : null;
}

/** The entry once its holder has released the lease. */
export function releaseEntry(entry: LedgerEntry, lease: Lease): Change {
  if (!isHeldBy(entry, lease)) return null;
  switch (entry.state) {
    case 'claimed':
      if (entry.doubt) return { state: 'unresolved', owner: null };
      return { state: 'settled', owner: null, outcome: 'not_sent' };
    case 'sending':
      return { state: 'unresolved', owner: null, doubt: true };
    case 'processing':
      return { owner: null };
    case 'unresolved':
    case 'settled':
      return null;
  }
}

/**
 * The entry once its claim, of which nothing was sent, was ended. The new fencing token takes the lease from its
 * holder before anything is sent.
 */
export function preemptEntry(
  { state, doubt, abandonedAt, epoch }: LedgerEntry,
  error?: ArtworkError,
): Change {
  if (state !== 'claimed' || doubt || abandonedAt !== null) return null;
  return { state: 'settled', outcome: 'not_sent', epoch: epoch + 1, owner: null, error: kept(error) };
}

/** The entry after one more lookup that told nothing. */
export function countEntryLookup({ state, lookups }: LedgerEntry): Change {
  return state === 'settled' ? null : { lookups: lookups + 1 };
}

/**
 * The entry once a person has given it up. The new fencing token takes the lease from a holder that still works on
 * it.
 */
export function abandonEntry(entry: LedgerEntry, given: LedgerEntry, at: string): Change {
  if (entry.state === 'settled' || entry.abandonedAt !== null || entry.epoch !== given.epoch) return null;
  return { abandonedAt: at, epoch: entry.epoch + 1, owner: null };
}

function kept(error: ArtworkError | undefined) {
  return error === undefined ? null : keptErrorOf(error);
}
