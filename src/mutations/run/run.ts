import type { EntryView, Lease } from '../../ledger/ledger.ts';
import type { AccountLedger } from '../account.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import type { Prepared } from '../mutation.ts';
import type { StopSignals } from './background.ts';

/** A change that is carried out: what it is, the claim and the lease that this process has, and whom it tells. */
export interface Run {
  readonly account: AccountLedger;
  readonly prepared: Prepared;
  readonly lease: Lease;
  /** The entry as it was leased: its journal. */
  readonly view: EntryView;
  readonly signals: StopSignals;
  readonly progress: (done: number, total: number | null, message: string) => void;
}

/** How a run stands once this process does not work on it any more. */
export interface RunEnd {
  readonly view: EntryView;
  readonly observed: Observations;
}
