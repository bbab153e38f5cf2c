import { ArtworkError } from '../../errors.ts';
import { heartbeatEvery } from '../../storage/lease.ts';
import { LeaseLost } from './journal.ts';
import type { Run } from './run.ts';

/** The lease of a run, while its process holds it. */
export interface HeldLease {
  /** Aborted once the lease is known to be lost. */
  readonly lost: AbortSignal;
  /** @throws LeaseLost once it is known to be lost */
  require(): void;
  /**
   * Asks the ledger.
   * @returns tells, without asking anybody, whether this is still so: a process may be stopped right after it asked
   * @throws LeaseLost; ArtworkError where the ledger can't be asked
   */
  ask(): Promise<() => boolean>;
  /** Ends the heartbeat. */
  stop(): void;
}

/** Holds the lease of a run: its heartbeat tells the other processes that the holder is at work. */
export function holdLease({ account: { ports, ledger }, lease }: Run): HeldLease {
  const { clock, log } = ports;
  const losing = new AbortController();
  const stopping = new AbortController();
  const judge = (isHolder: boolean) => {
    if (!isHolder) losing.abort('lost');
  };
  const beat = async () => {
    for (;;) {
      await clock.sleep(heartbeatEvery, stopping.signal);
      if (stopping.signal.aborted || losing.signal.aborted) return;
      try {
        judge(await ledger.heartbeat(lease));
      } catch (error) {
        // A store that fails for a moment must not make the holder look dead for good.
        if (!(error instanceof ArtworkError)) throw error;
        log.warn(`The heartbeat of a mutation could not be recorded: ${error.message}`);
      }
    }
  };
  beat().catch(() => log.error('The heartbeat of a mutation has stopped.'));
  const require = () => {
    if (losing.signal.aborted) throw new LeaseLost();
  };
  return {
    lost: losing.signal,
    require,
    async ask() {
      judge(await (ledger.isFresh(lease) ? ledger.isHolder(lease) : ledger.heartbeat(lease)));
      require();
      return () => !losing.signal.aborted && ledger.isFresh(lease);
    },
    stop: () => stopping.abort('stopped'),
  };
}
