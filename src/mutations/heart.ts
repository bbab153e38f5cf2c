import type { Clock } from '../connections/ports.ts';
import { heartbeatEvery } from '../ledger/owner.ts';
import type { Log } from '../log.ts';
import type { Job } from './job.ts';

export interface Heart {
  stop(): void;
}

/** Says that the holder is at work, for as long as it is. `holding` answers what is held at that moment. */
export function startHeart(clock: Clock, log: Log, holding: () => Pick<Job, 'ledger' | 'held'>): Heart {
  const stopping = new AbortController();
  const beat = async () => {
    for (;;) {
      await clock.sleep(heartbeatEvery, stopping.signal);
      if (stopping.signal.aborted) return;
      const { ledger, held } = holding();
      await ledger.beat(held);
    }
  };
  beat().catch(() => log.warn('A mutation could not say that it is still at work.'));
  return { stop: () => stopping.abort('stopped') };
}
