import type { Bearer } from '../../connections/grant.ts';
import type { Lease, Ledger } from '../../ledger/ledger.ts';
import type { AccountScope } from '../../ledger/scope.ts';
import type { EntryView } from '../../ledger/standing.ts';
import type { Observations } from '../answer/answer.ts';
import type { StopSignals } from './background.ts';
import type { Outgoing } from '../before-claim/outgoing.ts';

/** A mutation that was claimed and is to be sent. */
export interface Delivery {
  readonly outgoing: Outgoing;
  readonly scope: AccountScope;
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly bearer: Bearer;
  readonly signals: StopSignals;
  /**
   * A request was sent under this id before, and its fate is unknown: the revision then is the first one, and
   * may have been changed by that request itself.
   */
  readonly repeated: boolean;
  readonly progress: (done: number, total: number | null, message: string) => void;
}

/** How a job stands at its end. */
export interface DeliveryResult {
  readonly view: EntryView;
  readonly observed: Observations;
  /** Whether the entry still is this job's to let go. */
  readonly isHolder: boolean;
}
