import type { Bearer } from '../connections/grant.ts';
import type { Held, Ledger } from '../ledger/ledger.ts';
import type { Scope } from '../ledger/scope.ts';
import type { View } from '../ledger/standing.ts';
import type { Learnt } from './answer.ts';
import type { Wishes } from './background.ts';
import type { Outgoing } from './outgoing.ts';

/** A mutation that was claimed and is to be sent. */
export interface Job {
  readonly outgoing: Outgoing;
  readonly scope: Scope;
  readonly ledger: Ledger;
  readonly held: Held;
  readonly bearer: Bearer;
  readonly wishes: Wishes;
  /**
   * A request was sent under this id before, and its fate is unknown: the revision then is the first one, and
   * may have been changed by that request itself.
   */
  readonly repeated: boolean;
  readonly progress: (done: number, total: number | null, message: string) => void;
}

/** How a job stands at its end. */
export interface Done {
  readonly view: View;
  readonly learnt: Learnt;
  /** Whether the entry still is this job's to let go. */
  readonly held: boolean;
}
