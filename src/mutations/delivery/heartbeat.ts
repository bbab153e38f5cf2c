import type { Clock } from '../../connections/ports.ts';
import { ArtworkError } from '../../errors.ts';
import { heartbeatEvery } from '../../ledger/holder.ts';
import type { Log } from '../../log.ts';
import type { Delivery } from './delivery.ts';

export interface Heartbeat {
  stop(): void;
}

/** Says that the holder is at work, for as long as it is. `holding` answers what is held at that moment. */
export function startHeartbeat(
  clock: Clock,
  log: Log,
  holding: () => Pick<Delivery, 'ledger' | 'lease'>,
): Heartbeat {
  const stopping = new AbortController();
  const beat = async () => {
    for (;;) {
      await clock.sleep(heartbeatEvery, stopping.signal);
      if (stopping.signal.aborted) return;
      const { ledger, lease } = holding();
      try {
        await ledger.heartbeat(lease);
      } catch (error) {
        // A store that fails for a moment must not make it look dead for good.
        if (!(error instanceof ArtworkError)) throw error;
        log.warn(`A mutation could not say that it is still at work: ${error.message}`);
      }
    }
  };
  beat().catch(() => log.error('A mutation no longer says that it is at work.'));
  return { stop: () => stopping.abort('stopped') };
}
