import type { Lease } from './ledger.ts';
import { heartbeatLimit } from './holder.ts';
import type { AtomicStore, StoredValue } from '../storage/atomic-store.ts';
import { storeError } from '../storage/store-error.ts';
import { type LedgerEntry, parseEntry, writeEntry } from './entry.ts';
import type { Holder, ProcessIdentity } from './holder.ts';

/** All that the ledger touches of the world, so that it can be run under another store, clock and machine. */
export interface LedgerIo {
  /** Its lists are those of `ledgerIndex`. */
  readonly store: Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet' | 'page' | 'count'>;
  /** Milliseconds since 1970. */
  now(): number;
  /** The process that opened this ledger. */
  readonly self: ProcessIdentity;
  /**
   * Whether the holder's process may still be running: false only where it is known to have ended. Never asked about
   * this ledger's own leases.
   */
  mayRun(owner: Holder): Promise<boolean>;
}

/** An entry as it was read; changing it succeeds only while it is still so. */
export interface StoredEntry {
  readonly entry: LedgerEntry;
  readonly version: number;
}

/** Reads an entry from the store; null where there is none. */
export async function readEntry(io: LedgerIo, key: string): Promise<StoredEntry | null> {
  const stored = await io.store.get(key);
  return stored === null ? null : parseStoredEntry(stored);
}

/** An entry as the store holds it, parsed. */
export function parseStoredEntry({ key, value, version }: StoredValue): StoredEntry {
  return { entry: parseEntry(key, value), version };
}

/** Changes an entry if it is still as it was read; null where it is not. */
export async function swapEntry(
  io: LedgerIo,
  key: string,
  { entry, version }: StoredEntry,
  changes: Partial<LedgerEntry>,
): Promise<LedgerEntry | null> {
  const next = { ...entry, ...changes, updatedAt: new Date(io.now()).toISOString() };
  const swap = await io.store.compareAndSet(key, version, writeEntry(next));
  return swap.outcome === 'swapped' ? next : null;
}

/**
 * Changes an entry by compare-and-set: `change` is called again with the new entry whenever another process was faster,
 * and answers null to leave the entry as it is.
 * @returns the entry as it is then
 */
export async function updateEntry(
  io: LedgerIo,
  key: string,
  change: (entry: LedgerEntry) => Partial<LedgerEntry> | null,
): Promise<LedgerEntry> {
  for (;;) {
    const stored = await readEntry(io, key);
    if (stored === null) {
      throw storeError(
        'store_unreadable',
        'An entry of the ledger vanished: restore the whole data folder from a backup.',
      );
    }
    const changes = change(stored.entry);
    if (changes === null) return stored.entry;
    const moved = await swapEntry(io, key, stored, changes);
    if (moved !== null) return moved;
  }
}

/** The leases of this ledger, and whether any process works on an entry. */
export interface Liveness {
  /** Lasts until `endHolding`. */
  startHolding(): Holder;
  endHolding(owner: Lease['owner']): void;
  isLive(entry: LedgerEntry): Promise<boolean>;
}

/** Counts the leases of this process, and tells whether the holder of an entry may still be at work. */
export function createLiveness(io: LedgerIo): Liveness {
  const holds = new Set<number>();
  let last = 0;
  return {
    startHolding() {
      last += 1;
      holds.add(last);
      return { ...io.self, hold: last, heartbeat: io.now() };
    },
    endHolding(owner) {
      if (owner.instance === io.self.instance) holds.delete(owner.hold);
    },
    async isLive({ owner }) {
      if (owner === null) return false;
      if (owner.instance === io.self.instance) return holds.has(owner.hold);
      // A process that is stopped counts as gone; its fencing token fails when it wakes up and changes the entry. A
      // heartbeat far ahead comes from a clock that was set back.
      if (Math.abs(io.now() - owner.heartbeat) > heartbeatLimit) return false;
      return io.mayRun(owner);
    },
  };
}
