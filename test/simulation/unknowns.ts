import type { LedgerEntry } from '../../src/ledger/entry.ts';
import type { StoredValue } from '../../src/storage/atomic-store.ts';
import { heartbeatLimit } from '../../src/storage/lease.ts';

/**
 * The mutations of which the ledger had to say, at some time, that a request of theirs may have been applied: its
 * answer was lost, or its process died before it noted what it heard. Only for these a lookup proves anything.
 */
export class Unknowns {
  readonly #isAlive: (process: string) => boolean;
  readonly #ids = new Set<string>();
  readonly #before = new Map<string, { readonly entry: LedgerEntry; readonly beatAt: number }>();

  constructor(isAlive: (process: string) => boolean) {
    this.#isAlive = isAlive;
  }

  has(mutation: string): boolean {
    return this.#ids.has(mutation);
  }

  /** @param now ms of the simulated world: what an entry tells is by the clock of its process */
  written({ key, value }: StoredValue, now: number): void {
    if (!key.startsWith('ledger/')) return;
    const entry: LedgerEntry = JSON.parse(value);
    const { clientMutationId: id } = entry;
    const before = this.#before.get(id);
    const isSameBeat = JSON.stringify(before?.entry.owner) === JSON.stringify(entry.owner);
    this.#before.set(id, { entry, beatAt: isSameBeat ? (before?.beatAt ?? now) : now });
    const isLeft = before?.entry.state === 'sending' && this.#isSilent(before.entry, now - before.beatAt);
    if (entry.doubt || entry.state === 'unresolved' || isLeft) this.#ids.add(id);
  }

  /** Its holder is dead, or its counter has stood still: other processes can't tell the two apart. */
  #isSilent({ owner }: LedgerEntry, stillMs: number): boolean {
    return owner === null || !this.#isAlive(owner.instance) || stillMs > heartbeatLimit;
  }
}
