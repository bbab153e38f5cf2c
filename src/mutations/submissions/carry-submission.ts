import { ArtworkError } from '../../errors.ts';
import { startHeartbeat } from '../heart.ts';
import type { DeliveryResult, Delivery } from '../job.ts';
import { releaseLease } from '../let-go.ts';
import { MutationError } from '../mutation-error.ts';
import type { MutationPorts } from '../ports.ts';
import { admit, type FirstLook } from './admit.ts';
import { fileItems } from './declared.ts';
import { finish } from './finish.ts';
import { openCheckpointWriter, LeaseLost } from './notebook.ts';
import { readCheckpoint } from './notes.ts';
import { releaseEnded } from './release.ts';
import { requireAllBlobs } from './require-all-kept.ts';
import type { SubmissionSession } from './run.ts';
import { tokensFor } from './tokens.ts';

/**
 * Carries a submission to its end from wherever it stands: admission, transfers, completion, outcome. What the
 * ledger holds of it is enough to go on after any interruption.
 */
export async function deliverSubmission(ports: MutationPorts, job: Delivery): Promise<DeliveryResult> {
  const heart = startHeartbeat(ports.clock, ports.log, () => job);
  let done: DeliveryResult | null = null;
  try {
    done = await work(ports, job);
  } finally {
    heart.stop();
    if (done?.held !== false) await releaseLease(ports.log, job);
  }
  await releaseEnded(ports, done.view);
  // As it stands now that nobody works on it.
  const view = await job.ledger.read(job.scope, job.outgoing.mutation.clientMutationId);
  return { ...done, view: view ?? done.view };
}

async function work(ports: MutationPorts, job: Delivery): Promise<DeliveryResult> {
  const run = prepare(ports, job);
  const { notebook } = run;
  try {
    await notebook.write({ stopped: null });
    let seen: FirstLook | null = null;
    if (notebook.notes.submissionId === null) {
      // Somebody may have freed them until it was claimed; while it is held nobody does.
      if (!job.repeated) await requireAllBlobs(ports.kept, job.outgoing.mutation, notebook.notes);
      const admission = await admit(run);
      if ('done' in admission) return admission.done;
      ({ seen } = admission);
      await notebook.accept({ submissionId: admission.submissionId, idle: 0 });
    }
    return await finish(run, seen);
  } catch (error) {
    if (error instanceof LeaseLost) return { view: error.view, learnt: {}, held: false };
    // What could not be written down can't be written down here either.
    if (!(error instanceof ArtworkError) || error instanceof MutationError) throw error;
    return stopped(run, error);
  }
}

function prepare(ports: MutationPorts, job: Delivery): SubmissionSession {
  const { wishes, outgoing } = job;
  const { declared } = outgoing.mutation;
  const notes = readCheckpoint(outgoing.progress);
  if (declared === undefined || notes === null) throw new TypeError('This is no submission.');
  return {
    ports,
    job,
    declared,
    files: fileItems(declared),
    notebook: openCheckpointWriter(ports, job, notes),
    tokens: tokensFor(ports, job),
    // Which the program's end is too.
    stop: wishes.cancelled,
  };
}

/** It is left as it is, with the reason: it can be gone on with. */
async function stopped({ job, notebook, ports }: SubmissionSession, error: ArtworkError): Promise<DeliveryResult> {
  const { code, message, category } = error;
  try {
    // A person's or the program's end says nothing of whether it could go on.
    if (category !== 'cancelled') {
      const { idle } = notebook.notes;
      await notebook.write({ stopped: { code, message: message.slice(0, 1_000) }, idle: idle + 1 });
    }
  } catch (failure) {
    if (failure instanceof LeaseLost) return { view: failure.view, learnt: {}, held: false };
    throw failure;
  }
  const view = await job.ledger.read(job.scope, job.outgoing.mutation.clientMutationId);
  if (view === null) throw new TypeError('An entry that is worked on is not there.');
  ports.log.info(`A submission was left to be resumed: ${code}.`);
  return { view, learnt: { error }, held: true };
}
