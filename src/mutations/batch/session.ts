import type { SendOutcome } from '../../catalogue/send-outcome.ts';
import { protectedError } from '../../catalogue/protected-error.ts';
import { submissions } from '../../catalogue/records/submission.ts';
import { submissionId as parseId, type SubmissionId } from '../../catalogue/requests/fields.ts';
import type { Bearer } from '../../connections/grant.ts';
import type { ArtworkError } from '../../errors.ts';
import { callCancelledError } from '../call-clock.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { MutationPorts } from '../ports.ts';
import type { Declared, FileItem } from '../declared.ts';
import type { CheckpointWriter } from './checkpoint-writer.ts';
import type { Tokens } from './tokens.ts';

/** One process's work on one submission. */
export interface SubmissionSession {
  readonly ports: MutationPorts;
  readonly delivery: Delivery;
  readonly declared: Declared;
  readonly files: readonly FileItem[];
  readonly checkpoints: CheckpointWriter;
  readonly tokens: Tokens;
  /** The call was given up, or the program ends: nothing more is begun. */
  readonly stop: AbortSignal;
}

/** The service's id of a submission that was admitted. */
export function submissionIdOf({ checkpoints }: SubmissionSession): SubmissionId {
  return parseId.parse(checkpoints.current.submissionId);
}

/** Stops a submission before its next step. @throws ArtworkError `cancelled` once nothing more is to be begun */
export function requireNotStopped({ stop }: SubmissionSession): void {
  if (stop.aborted) throw callCancelledError();
}

/** What a refusal means to the caller of the request. */
export function refusalOfSubmissionRequest(
  { declared }: SubmissionSession,
  { error }: Extract<SendOutcome, { outcome: 'refused' }>,
  { scopes }: Bearer,
): ArtworkError {
  return protectedError(error, submissions[declared.kind].needed, scopes);
}
