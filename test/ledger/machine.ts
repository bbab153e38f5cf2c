import type { AccountScope } from '../../src/ledger/entry.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { AtomicStore } from '../../src/storage/atomic-store.ts';

export const scope: AccountScope = {
  service: 'http://127.0.0.1:4000',
  user: 'default',
  subject: 'artist-1',
  connection: 'sign-in-1',
};

/** A clock that stands still until it is told, and processes that run until they are killed. */
export interface Machine {
  now: number;
  /** A process that opens the ledger, with a clock that is so many ms ahead. */
  start(ahead?: number): { readonly ledger: Ledger; kill(): void };
}

export function createMachine(store: AtomicStore): Machine {
  const running = new Set<number>();
  let pids = 100;
  const machine: Machine = {
    now: Date.UTC(2030, 0, 1),
    start(ahead = 0) {
      pids += 1;
      const pid = pids;
      running.add(pid);
      const self = { machine: 'here', pid, instance: `instance-${pid}` };
      const mayRun = async (owner: { pid: number }) => running.has(owner.pid);
      const clock = { now: () => machine.now + ahead, monotonic: () => machine.now };
      return {
        ledger: openLedger({ store, clock, self, mayRun }),
        kill: () => running.delete(pid),
      };
    },
  };
  return machine;
}

let ids = 0;

/** An id that no other call gets. */
export function newId(): string {
  ids += 1;
  return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
}
