import { heartbeatLimit, type LedgerEntry } from '../../src/ledger/entry.ts';
import type { StoredValue } from '../../src/storage/atomic-store.ts';

/**
 * The mutations of which the ledger had to say, at some time, that a request of theirs may have been applied: its
 * answer was lost, or its process died before it noted what it heard. Only for these a lookup proves anything.
 */
export class Unknowns {
  readonly #isAlive: (process: string) => boolean;
  readonly #ids = new Set<string>();
  readonly #before = new Map<string, LedgerEntry>();

  constructor(isAlive: (process: string) => boolean) {
    this.#isAlive = isAlive;
  }

  has(mutation: string): boolean {
    return this.#ids.has(mutation);
  }

  written({ key, value }: StoredValue): void {
    if (!key.startsWith('ledger/')) return;
    const entry: LedgerEntry = JSON.parse(value);
    const { clientMutationId: id } = entry;
    const before = this.#before.get(id);
    this.#before.set(id, entry);
    const isLeft = before?.state === 'sending' && this.#isSilent(before, Date.parse(entry.updatedAt));
    if (entry.doubt || entry.state === 'unresolved' || isLeft) this.#ids.add(id);
  }

  /** Its holder is dead, or has let its heartbeat lapse: other processes can't tell the two apart. */
  #isSilent({ owner }: LedgerEntry, now: number): boolean {
    if (owner === null || !this.#isAlive(owner.instance)) return true;
    return now - owner.heartbeat > heartbeatLimit;
  }
}
