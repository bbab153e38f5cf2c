import type { ArtworkError } from '../errors.ts';
import type { Json } from './canonical.ts';
import { keptError, type LedgerEntry, serviceVerdicts } from './entry.ts';
import type { Acceptance, Conclusion, Lease, Settlement } from './ledger.ts';

/** The part of an entry that changes; null: nothing changes. */
type Change = Partial<LedgerEntry> | null;

export function isHeldBy({ epoch, owner }: LedgerEntry, lease: Lease): boolean {
  return epoch === lease.epoch && owner?.instance === lease.owner.instance && owner.hold === lease.owner.hold;
}

export function beginSending(entry: LedgerEntry, lease: Lease): Change {
  return isHeldBy(entry, lease) && entry.state === 'claimed' ? { state: 'sending' } : null;
}

/** An acceptance heals an unknown fate, even for a holder who has lost the entry since. */
export function acceptEntry(entry: LedgerEntry, lease: Lease, { receipt, progress }: Acceptance): Change {
  if (!isHeldBy(entry, lease) && entry.state !== 'unresolved') return null;
  return { state: 'processing', receipt, progress, error: null };
}

export function checkpoint(entry: LedgerEntry, lease: Lease, progress: Json): Change {
  return isHeldBy(entry, lease) ? { progress } : null;
}

export function heartbeat(entry: LedgerEntry, lease: Lease, now: number): Change {
  return isHeldBy(entry, lease) && entry.owner !== null
    ? { owner: { ...entry.owner, heartbeat: now } }
    : null;
}

export function settleEntry(entry: LedgerEntry, lease: Lease, settlement: Settlement): Change {
  const { outcome, receipt = null, error } = settlement;
  const verdict = serviceVerdicts.find((each) => each === outcome);
  if (verdict !== undefined) return hear(entry, { outcome: verdict, receipt, error });
  // Refused and not sent are said of this epoch's request alone.
  if (!isHeldBy(entry, lease) || (entry.state !== 'claimed' && entry.state !== 'sending')) return null;
  if (entry.doubt) return { state: 'unresolved', owner: null, error: kept(error) };
  return { state: 'settled', owner: null, outcome, receipt, error: kept(error) };
}

/**
 * What a lookup says of an id is the outcome only while a request of this ledger may have been applied. Once it is
 * settled that none was, the service speaks of another request under the same id.
 */
export function concludeEntry(entry: LedgerEntry, said: Conclusion): Change {
  return entry.state === 'settled' ? null : hear(entry, said);
}

/** The service's word on a request of ours holds for every process, and is never taken back. */
function hear(entry: LedgerEntry, { outcome, receipt = null, error }: Conclusion): Change {
  if (serviceVerdicts.some((verdict) => verdict === entry.outcome)) return null;
  return { state: 'settled', owner: null, outcome, receipt, error: kept(error) };
}

export function markUnresolved(entry: LedgerEntry, lease: Lease, error: ArtworkError): Change {
  if (!isHeldBy(entry, lease)) return null;
  return { state: 'unresolved', owner: null, doubt: true, error: kept(error) };
}

export function release(entry: LedgerEntry, lease: Lease): Change {
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

/** Its holder loses the entry before anything is sent, and learns so when it next moves it. */
export function preemptEntry(
  { state, doubt, abandonedAt, epoch }: LedgerEntry,
  error?: ArtworkError,
): Change {
  if (state !== 'claimed' || doubt || abandonedAt !== null) return null;
  return { state: 'settled', outcome: 'not_sent', epoch: epoch + 1, owner: null, error: kept(error) };
}

export function countEntryLookup({ state, lookups }: LedgerEntry): Change {
  return state === 'settled' ? null : { lookups: lookups + 1 };
}

/** A holder who is still at work loses the entry, and learns so when it next moves it. */
export function abandonEntry(entry: LedgerEntry, given: LedgerEntry, at: string): Change {
  if (entry.state === 'settled' || entry.abandonedAt !== null || entry.epoch !== given.epoch) return null;
  return { abandonedAt: at, epoch: entry.epoch + 1, owner: null };
}

function kept(error: ArtworkError | undefined) {
  return error === undefined ? null : keptError(error);
}
