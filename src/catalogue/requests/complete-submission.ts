import { path } from '../path.ts';
import type { SubmissionKind } from '../records/submission.ts';
import type { SubmissionId } from './fields.ts';
import { type JsonRequest, jsonRequest } from './request.ts';

/** Interface document, Media Set creation, step 4, and Grouped Set edit: completion, with an empty object. */
export function completeSubmission(kind: SubmissionKind, submissionId: SubmissionId): JsonRequest {
  const where =
    kind === 'creation'
      ? path`/me/set-uploads/${submissionId}/complete`
      : path`/me/set-updates/${submissionId}/complete`;
  return jsonRequest(where, {}, 'documented');
}
