import type { AtomicStore } from '../storage/atomic-store.ts';
import type { ProcessIdentity, Holder } from './holder.ts';

/** All that the ledger touches of the world, so that it can be run under another store, clock and machine. */
export interface LedgerIo {
  /** Its lists are those of `ledgerIndex`. */
  readonly store: Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet' | 'page' | 'count'>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Who opened this ledger. */
  readonly self: ProcessIdentity;
  /**
   * Whether the owner's process may still be there: false only where it is known to have ended. It is asked
   * about other ledgers than this one alone.
   */
  mayRun(owner: Holder): Promise<boolean>;
}
