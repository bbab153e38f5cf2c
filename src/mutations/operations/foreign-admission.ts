import type { Submission, SubmissionItem } from '../../catalogue/records/submission.ts';
import { ArtworkError } from '../../errors.ts';
import { type Declared, fileItems } from '../declared.ts';
import type { Checkpoint } from '../checkpoint.ts';

/**
 * Whether a submission has ended, or holds files, of which this ledger has sent none: the same admission was made from
 * elsewhere before. An admission carries no digests, so that those files are the ones that are meant now is not shown.
 */
export function isForeignSubmission(
  { state, items }: Submission,
  declared: Declared,
  { mark }: Pick<Checkpoint, 'mark'>,
): boolean {
  const files = new Set<string>(fileItems(declared).map(({ itemId }) => itemId));
  if (mark > 0 || files.size === 0) return false;
  const hasEnded = state !== 'open' && state !== 'unresolved';
  return hasEnded || holdsFiles(items.filter(({ itemId }) => files.has(itemId?.toLowerCase() ?? '')));
}

/** "After a file is uploaded, its item can stay processing" (States, rule 2): some services show all of them so. */
function holdsFiles(items: readonly SubmissionItem[]): boolean {
  const states = new Set(items.map(({ state }) => state));
  return states.has('succeeded') || states.has('failed') || (states.has('processing') && states.size > 1);
}

export function foreignSubmissionError(
  { submissionId, outcome }: Submission,
  clientMutationId: string,
  { kind }: Declared,
): ArtworkError {
  const asking = `get_mutation_status with submissionId ${submissionId ?? '(not said)'} and kind ${kind}`;
  const message = `The id ${clientMutationId} belongs to a submission that was made before, and not from this machine's ledger: the service shows it as ${outcome ?? 'begun'}. This call sent no files and changed nothing; whether the files there are these is not shown. ${asking} tells how it stands.`;
  const details = { earlierSubmission: { submissionId, kind, outcome: outcome ?? 'processing' } };
  return new ArtworkError('conflict', message, { details });
}
