import type { StoredValue } from '../storage/atomic-store.ts';
import { storeError } from '../storage/store-error.ts';
import { type LedgerEntry, parseEntry, writeEntry } from './entry.ts';
import type { LedgerIo } from './io.ts';

/** An entry as it was read; changing it succeeds only while it is still so. */
export interface StoredEntry {
  readonly entry: LedgerEntry;
  readonly version: number;
}

export async function readEntry(io: LedgerIo, key: string): Promise<StoredEntry | null> {
  const stored = await io.store.get(key);
  return stored === null ? null : parseStored(stored);
}

export function parseStored({ key, value, version }: StoredValue): StoredEntry {
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
 * Changes an entry from what it is at that moment: `change` is asked again whenever another process was
 * faster, and answers null to leave the entry alone.
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
