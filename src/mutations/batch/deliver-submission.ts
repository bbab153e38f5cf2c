import { ArtworkError } from '../../errors.ts';
import {
  type Delivery,
  type DeliveryResult,
  releaseBlobsOfEnded,
  releaseLease,
  startHeartbeat,
} from '../delivery/delivery.ts';
import { MutationError } from '../result.ts';
import { fileItems, readCheckpoint } from '../submission.ts';
import { admitSubmission, type FirstLook } from './admit.ts';
import { requireAllBlobs } from './blob-files.ts';
import { finishSubmission } from './finish.ts';
import { LeaseLost, openCheckpointWriter, type SubmissionSession, tokensFor } from './session.ts';

/**
 * Carries a submission to its end from wherever it stands: admission, transfers, completion, outcome. What the
 * ledger holds of it is enough to go on after any interruption.
 */
export async function deliverSubmission(delivery: Delivery): Promise<DeliveryResult> {
  const { ports } = delivery;
  const heartbeat = startHeartbeat(ports, () => delivery);
  let done: DeliveryResult | null = null;
  try {
    done = await work(delivery);
  } finally {
    heartbeat.stop();
    if (done?.isHolder !== false) await releaseLease(delivery);
  }
  await releaseBlobsOfEnded(ports, done.view);
  // As it stands now that this process does not work on it any more.
  const view = await delivery.ledger.read(delivery.scope, delivery.outgoing.mutation.clientMutationId);
  return { ...done, view: view ?? done.view };
}

async function work(delivery: Delivery): Promise<DeliveryResult> {
  const session = prepare(delivery);
  const { checkpoints } = session;
  try {
    await checkpoints.write({ stopped: null });
    let seen: FirstLook | null = null;
    if (checkpoints.current.submissionId === null) {
      // Another process may have freed the blobs before the claim; under the lease none does.
      if (!delivery.repeated)
        await requireAllBlobs(delivery.ports.blobs, delivery.outgoing.mutation, checkpoints.current);
      const admission = await admitSubmission(session);
      if ('done' in admission) return admission.done;
      ({ seen } = admission);
      await checkpoints.accept({ submissionId: admission.submissionId, idle: 0 });
    }
    return await finishSubmission(session, seen);
  } catch (error) {
    if (error instanceof LeaseLost) return { view: error.view, observed: {}, isHolder: false };
    // What could not be written down can't be written down here either.
    if (!(error instanceof ArtworkError) || error instanceof MutationError) throw error;
    return stopped(session, error);
  }
}

function prepare(delivery: Delivery): SubmissionSession {
  const { ports, signals, outgoing } = delivery;
  const { declared } = outgoing.mutation;
  const checkpoint = readCheckpoint(outgoing.progress);
  if (declared === undefined || checkpoint === null) throw new TypeError('This is no submission.');
  return {
    ports,
    delivery,
    declared,
    files: fileItems(declared),
    checkpoints: openCheckpointWriter(delivery, checkpoint),
    tokens: tokensFor(delivery),
    // Which the program's end is too.
    stop: signals.cancelled,
  };
}

/** It is left as it is, with the reason: it can be resumed. */
async function stopped(
  { delivery, checkpoints, ports }: SubmissionSession,
  error: ArtworkError,
): Promise<DeliveryResult> {
  const { code, message, category } = error;
  try {
    // A person's or the program's end says nothing of whether it could go on.
    if (category !== 'cancelled') {
      const { idle } = checkpoints.current;
      await checkpoints.write({ stopped: { code, message: message.slice(0, 1_000) }, idle: idle + 1 });
    }
  } catch (failure) {
    if (failure instanceof LeaseLost) return { view: failure.view, observed: {}, isHolder: false };
    throw failure;
  }
  const view = await delivery.ledger.read(delivery.scope, delivery.outgoing.mutation.clientMutationId);
  if (view === null) throw new TypeError('An entry that is worked on is not there.');
  ports.log.info(`A submission was left to be resumed: ${code}.`);
  return { view, observed: { error }, isHolder: true };
}
