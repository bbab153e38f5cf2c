import type { LedgerEntry } from './entry.ts';
import type { LedgerIo } from './io.ts';
import type { Lease } from './ledger.ts';
import { heartbeatLimit, type Holder } from './holder.ts';

/** Which entries this ledger works on, and whether somebody works on an entry. */
export interface Liveness {
  /** A new holding, from now until `end`. */
  startHolding(): Holder;
  endHolding(owner: Lease['owner']): void;
  isLive(entry: LedgerEntry): Promise<boolean>;
}

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
      // A stopped process, or one in which the call was lost, is as good as gone: what it may still do fails
      // when it next moves the entry. A heartbeat far ahead is that of a clock that was set back.
      if (Math.abs(io.now() - owner.heartbeat) > heartbeatLimit) return false;
      return io.mayRun(owner);
    },
  };
}
