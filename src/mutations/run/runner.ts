import type { ArtworkError } from '../../errors.ts';
import type { Lease } from '../../ledger/ledger.ts';
import type { MutationBody, MutationRow } from '../../ledger/rows.ts';
import type { Caller } from '../caller.ts';
import type { Change } from '../change.ts';
import type { UploadSource } from '../ports.ts';

/** A change that this process holds the lease of, from a claim or from a takeover. */
export interface Work {
  readonly change: Change;
  readonly lease: Lease;
  readonly row: MutationRow;
  readonly body: MutationBody;
  /** Of an upload: its open file, which the run closes. Null: there is none, or it can't be read any more. */
  readonly source: UploadSource | null;
  /** Of a submission: the name under which the copies of its files are kept; freed once it has ended. */
  readonly copies: string | null;
}

/** How a change stands when a call has to answer. */
export interface Seen {
  /** As it was read last. */
  readonly row: MutationRow;
  /** Why it stands there, with the call that leads on; the row keeps it without. Null: nothing went wrong here. */
  readonly error: ArtworkError | null;
  /** What a person may look at, which settles nothing. */
  readonly hint: string | null;
}

/** Carries changes out. Each call answers by its caller's deadline; what is not done by then goes on in the background. */
export interface Runner {
  /** Carries out what was claimed, or goes on with what was taken over. Rejections are the store's alone. */
  carryOut(work: Work, caller: Caller): Promise<Seen>;
  /**
   * Looks what became of a change that is not settled, again and again until there is news of it, and records what is
   * proven. Waits for whoever works on it. It needs no lease and sends nothing. Rejections are the store's alone.
   */
  lookUp(change: Change, row: MutationRow, body: MutationBody, caller: Caller): Promise<Seen>;
  /** Lets no request begin any more, and waits for what is under way. */
  close(): Promise<void>;
}
