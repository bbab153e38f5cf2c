import type { Lease } from '../../ledger/ledger.ts';
import type { Caller } from '../caller.ts';
import type { Change } from '../change.ts';
import type { UploadSource } from '../ports.ts';

/** A change that this process holds the lease of, from a claim or from a takeover. */
export interface Work {
  readonly change: Change;
  readonly lease: Lease;
  /** Of an upload: its open file, which the run closes. Null where it can't be read any more: then nothing is sent. */
  readonly source: UploadSource | null;
}

/**
 * Carries changes out. Neither function says what became of one: the ledger does, which the caller reads next. All answer
 * by the caller's deadline, and go on in the background.
 */
export interface Runner {
  /** Carries out what was claimed, or goes on with what was taken over. @throws ArtworkError of the store alone */
  carryOut(work: Work, caller: Caller): Promise<void>;
  /**
   * Looks what became of a change that is not settled, again and again until there is news of it, and records what is
   * proven. It needs no lease and sends nothing. @throws ArtworkError where the last look could not be made
   */
  lookUp(change: Change, caller: Caller): Promise<void>;
  /** Waits until this process does not work on the change any more; at once where it does not. */
  wait(id: string, caller: Caller): Promise<void>;
  /** Lets no request begin any more, and waits for what is under way. */
  close(): Promise<void>;
}
