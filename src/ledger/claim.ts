import { canonicalJson, canonicalDigest } from '../canonical-json.ts';
import { type LedgerEntry, writeEntry } from './entry.ts';
import {
  type LedgerIo,
  type Liveness,
  parseStoredEntry,
  readEntry,
  type StoredEntry,
  swapEntry,
} from './entry-store.ts';
import type { ClaimResult, Lease, NewEntry, AcquireResult } from './ledger.ts';
import type { Holder } from './holder.ts';
import { entryKey, type AccountScope } from './scope.ts';
import { type EntryView, isUnsent, mayClaimAgain, viewEntry } from './entry-view.ts';

/** Claims an id for an intent before anything is sent, as `Ledger.claim` says. */
export async function claimEntry(
  io: LedgerIo,
  liveness: Liveness,
  scope: AccountScope,
  newEntry: NewEntry,
): Promise<ClaimResult> {
  const key = entryKey(scope, newEntry.clientMutationId);
  const owner = liveness.startHolding();
  try {
    const first = firstEntry(io, scope, newEntry, owner);
    const { won, current } = await io.store.putIfAbsent(key, writeEntry(first));
    if (won) return { claim: 'leased', ...leased(key, first, owner) };
    for (let stored: StoredEntry | null = parseStoredEntry(current); stored !== null; ) {
      const { entry } = stored;
      const view = viewEntry(entry, await liveness.isLive(entry));
      if (entry.digest !== first.digest || entry.operation !== first.operation) {
        liveness.endHolding(owner);
        return { claim: 'reused', view };
      }
      if (!isUnsent(view)) {
        liveness.endHolding(owner);
        return { claim: 'known', view };
      }
      const { connection, state, outcome, receipt, error, progress } = first;
      const names = { ...entry.names, ...first.names };
      const epoch = entry.epoch + 1;
      const again = { connection, state, outcome, receipt, error, progress, names, epoch, owner };
      const taken = await swapEntry(io, key, stored, again);
      if (taken !== null) return { claim: 'leased', ...leased(key, taken, owner) };
      stored = await readEntry(io, key);
    }
    throw new Error('an entry of the ledger vanished');
  } catch (error) {
    liveness.endHolding(owner);
    throw error;
  }
}

/** Acquires the lease of an entry that no process works on, as `Ledger.acquire` says. */
export async function acquireEntry(
  io: LedgerIo,
  liveness: Liveness,
  scope: AccountScope,
  id: string,
): Promise<AcquireResult> {
  const key = entryKey(scope, id);
  const owner = liveness.startHolding();
  try {
    for (let stored = await readEntry(io, key); stored !== null; stored = await readEntry(io, key)) {
      const { entry } = stored;
      const view = viewEntry(entry, await liveness.isLive(entry));
      const ended = entry.abandonedAt !== null || (entry.state === 'settled' && !mayClaimAgain(entry));
      if (view.live || ended) {
        liveness.endHolding(owner);
        return { acquire: ended ? 'ended' : 'busy', view };
      }
      const taken = await swapEntry(io, key, stored, {
        state: entry.state === 'processing' ? 'processing' : 'claimed',
        doubt: entry.doubt || entry.state === 'sending',
        outcome: null,
        connection: scope.connection,
        epoch: entry.epoch + 1,
        owner,
      });
      if (taken !== null) return { acquire: 'leased', ...leased(key, taken, owner) };
    }
    liveness.endHolding(owner);
    return { acquire: 'unknown' };
  } catch (error) {
    liveness.endHolding(owner);
    throw error;
  }
}

function leased(
  key: string,
  entry: LedgerEntry,
  owner: Holder,
): { readonly lease: Lease; readonly view: EntryView } {
  const { instance, hold } = owner;
  return { lease: { key, epoch: entry.epoch, owner: { instance, hold } }, view: viewEntry(entry, true) };
}

function firstEntry(io: LedgerIo, scope: AccountScope, newEntry: NewEntry, owner: Holder): LedgerEntry {
  const intent = canonicalJson(newEntry.intent);
  const at = new Date(io.now()).toISOString();
  return {
    service: scope.service,
    user: scope.user,
    subject: scope.subject,
    connection: scope.connection,
    clientMutationId: newEntry.clientMutationId,
    operation: newEntry.operation,
    target: newEntry.target,
    ...(newEntry.names === undefined ? {} : { names: { ...newEntry.names } }),
    digest: canonicalDigest(intent),
    intent,
    createdAt: at,
    updatedAt: at,
    epoch: 1,
    state: 'claimed',
    owner,
    doubt: false,
    outcome: null,
    receipt: null,
    error: null,
    progress: newEntry.progress ?? null,
    lookups: 0,
    abandonedAt: null,
  };
}
