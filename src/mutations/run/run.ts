import type { EntryView, Lease } from '../../ledger/ledger.ts';
import type { AccountLedger } from '../account.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import type { Prepared } from '../mutation.ts';
import type { StopSignals } from './background.ts';
import { execute } from './execute.ts';
import { singleEffects } from './single-effects.ts';
import { singleWay } from './single-way.ts';
import { submissionEffects } from './submission-effects.ts';
import { submissionWay } from './submission-way.ts';

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

/** Carries a change from wherever its journal stands to its end, or until it has to be left open. */
export function carryOut(run: Run): Promise<RunEnd> {
  const { mutation, names } = run.prepared;
  switch (mutation.by) {
    case 'request':
    case 'upload':
      return execute(run, singleWay(mutation), singleEffects(run));
    case 'submission': {
      const { clientMutationId, declared } = mutation;
      const way = submissionWay({ clientMutationId, declared, names });
      return execute(run, way, submissionEffects(run, declared));
    }
  }
}
