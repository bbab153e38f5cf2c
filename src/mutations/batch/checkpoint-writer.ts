import type { EntryView } from '../../ledger/entry-view.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { recordStep } from '../delivery/record.ts';
import { type Checkpoint, checkpointAsJson } from '../checkpoint.ts';

/** Another process holds the submission now, or a person gave it up: nothing may be sent for it any more. */
export class LeaseLost extends Error {
  readonly view: EntryView;

  constructor(view: EntryView) {
    super('the lease of the submission was lost');
    this.view = view;
  }
}

/** What is noted of a submission while it is worked on. */
export interface CheckpointWriter {
  readonly current: Checkpoint;
  /** In the ledger when it resolves. @throws LeaseLost; why it could not be written */
  write(changes: Partial<Checkpoint>): Promise<void>;
  /** The service has accepted it: from now on it is `processing`. @throws as `write` */
  accept(changes: Partial<Checkpoint>): Promise<void>;
}

/**
 * Writes the checkpoints of a submission to the ledger. Several items note at the same time: one after the other,
 * each all that is known by then.
 */
export function openCheckpointWriter(delivery: Delivery, first: Checkpoint): CheckpointWriter {
  let checkpoint = first;
  let last: Promise<void> = Promise.resolve();

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const written = async (accepted: boolean): Promise<void> => {
    const progress = checkpointAsJson(checkpoint);
    const { isHolder, view } = await recordStep(delivery, () =>
      accepted
        ? delivery.ledger.accept(delivery.lease, { receipt: null, progress })
        : delivery.ledger.checkpoint(delivery.lease, progress),
    );
    if (!isHolder) throw new LeaseLost(view);
  };
  const change = (changes: Partial<Checkpoint>, accepted: boolean): Promise<void> => {
    checkpoint = { ...checkpoint, ...changes };
    return inTurn(() => written(accepted));
  };
  return {
    get current() {
      return checkpoint;
    },
    write: (changes) => change(changes, false),
    accept: (changes) => change(changes, true),
  };
}
