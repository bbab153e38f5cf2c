import type { Bearer } from '../../connections/grant.ts';
import type { Lease } from '../../ledger/ledger.ts';
import type { EntryView } from '../../ledger/entry-view.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import type { StopSignals } from '../background.ts';
import type { Outgoing } from '../before-claim/outgoing.ts';
import type { AccountLedger } from '../session.ts';

/** A mutation that was claimed and is to be sent. */
export interface Delivery extends AccountLedger {
  readonly outgoing: Outgoing;
  readonly lease: Lease;
  readonly bearer: Bearer;
  readonly signals: StopSignals;
  /**
   * A request was sent under this id before, and what became of it is unknown: the revision then is the first one, and
   * may have been changed by that request itself.
   */
  readonly repeated: boolean;
  readonly progress: (done: number, total: number | null, message: string) => void;
}

/** How a delivery stands at its end. */
export interface DeliveryResult {
  readonly view: EntryView;
  readonly observed: Observations;
  /** Whether this delivery still holds the lease, and has to release it. */
  readonly isHolder: boolean;
}
