import type { Submission } from '../../catalogue/records/submission.ts';
import { ArtworkError } from '../../errors.ts';
import { submissionIdOf, type SubmissionSession } from './session.ts';

/** For one look, its repetitions included, ms. */
const lookMs = 45_000;

/**
 * What the service shows of a submission; an error where it can't be asked now and may be later.
 * @throws ArtworkError where asking again helps nothing
 */
export async function readSubmissionNow(session: SubmissionSession): Promise<Submission | ArtworkError> {
  const { ports, delivery, declared } = session;
  try {
    const call = { signal: delivery.signals.closing, deadlineMs: lookMs };
    const submission = await ports.owned.findSubmission(declared.kind, submissionIdOf(session), call);
    return submission ?? new ArtworkError('not_found', 'The service does not know the submission now.');
  } catch (error) {
    if (!(error instanceof ArtworkError) || !isPassing(error)) throw error;
    return error;
  }
}

function isPassing({ category }: ArtworkError): boolean {
  switch (category) {
    case 'network':
    case 'service_unavailable':
    case 'rate_limited':
    case 'bad_response':
      return true;
    default:
      return false;
  }
}
