import { ArtworkError } from '../../errors.ts';
import { heartbeatEvery } from '../../ledger/holder.ts';
import type { Lease, Ledger } from '../../ledger/ledger.ts';
import type { MutationPorts } from '../ports.ts';

/** An entry of the ledger that this process holds. */
export interface HeldEntry {
  readonly ports: Pick<MutationPorts, 'clock' | 'log'>;
  readonly ledger: Ledger;
  readonly lease: Lease;
}

export interface Heartbeat {
  stop(): void;
}

/** Tells the other processes that the holder is at work. @param held the entry that is held at that moment */
export function startHeartbeat({ clock, log }: HeldEntry['ports'], held: () => HeldEntry): Heartbeat {
  const stopping = new AbortController();
  const beat = async () => {
    for (;;) {
      await clock.sleep(heartbeatEvery, stopping.signal);
      if (stopping.signal.aborted) return;
      const { ledger, lease } = held();
      try {
        await ledger.heartbeat(lease);
      } catch (error) {
        // A store that fails for a moment must not make the holder look dead for good.
        if (!(error instanceof ArtworkError)) throw error;
        log.warn(`The heartbeat of a mutation could not be recorded: ${error.message}`);
      }
    }
  };
  beat().catch(() => log.error('The heartbeat of a mutation has stopped.'));
  return { stop: () => stopping.abort('stopped') };
}

/**
 * Releases the lease of an entry, however the work ended. What could not be recorded is found out by a later
 * lookup.
 */
export async function releaseLease({ ports, ledger, lease }: HeldEntry): Promise<void> {
  try {
    await ledger.release(lease);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    ports.log.warn(`The lease of a mutation could not be released: ${error.message}`);
  }
}
