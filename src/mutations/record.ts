import { ArtworkError } from '../errors.ts';
import type { Settlement, Step } from '../ledger/ledger.ts';
import { askStatus } from './ask.ts';
import type { Done, Job } from './job.ts';
import { keep } from './kept.ts';
import type { Finding } from './mutation.ts';
import { MutationError } from './mutation-error.ts';
import type { MutationPorts } from './ports.ts';

export async function settle(
  ports: MutationPorts,
  job: Job,
  settlement: Settlement,
  error?: ArtworkError,
): Promise<Done> {
  return done(await record(ports, job, () => job.ledger.settle(job.held, settlement)), error);
}

export function settleFound(
  ports: MutationPorts,
  job: Job,
  { outcome, kept, error }: Extract<Finding, { found: 'ended' }>,
): Promise<Done> {
  const warnings = [...kept.warnings, ...job.outgoing.warnings];
  return settle(ports, job, { outcome, receipt: keep({ ...kept, warnings }), error });
}

export async function doubt(ports: MutationPorts, job: Job, error: ArtworkError): Promise<Done> {
  return done(await record(ports, job, () => job.ledger.doubt(job.held, error)));
}

export function done({ view, held }: Step, error?: ArtworkError): Done {
  return { view, held, learnt: error === undefined ? {} : { error } };
}

const firstPauseMs = 100;
const longestPauseMs = 6_400;

/** What the service said exists nowhere else, so a disk that is full for a moment must not lose it. */
export async function record(ports: MutationPorts, job: Job, write: () => Promise<Step>): Promise<Step> {
  for (let pause = firstPauseMs; ; pause *= 2) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      if (pause > longestPauseMs || job.wishes.closing.aborted) throw unrecorded(job, error);
      await ports.clock.sleep(pause, job.wishes.closing);
    }
  }
}

function unrecorded({ outgoing: { mutation } }: Job, error: ArtworkError): MutationError {
  const { clientMutationId } = mutation;
  const message = `What became of the mutation could not be recorded. ${error.message}`;
  return new MutationError(error.category, message, {
    code: error.code,
    clientMutationId,
    next: askStatus(clientMutationId, 'Once that is mended, this finds out what became of it.'),
    cause: error,
  });
}
