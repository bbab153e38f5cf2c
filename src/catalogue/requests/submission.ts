import { path } from '../path.ts';
import type { SubmissionKind } from '../records/submission.ts';
import type { ItemId, SubmissionId, UploadFile } from './fields.ts';
import { type FileRequest, fileRequest, type JsonRequest, jsonRequest } from './request.ts';

/**
 * Interface document, Media Set creation, step 2, and Grouped Set edit: one item's file, announced exactly as
 * it was declared. A digest is shown for single uploads only.
 */
export function uploadItem(
  kind: SubmissionKind,
  submissionId: SubmissionId,
  itemId: ItemId,
  file: UploadFile,
): FileRequest {
  const where =
    kind === 'creation'
      ? path`/me/set-uploads/${submissionId}/assets`
      : path`/me/set-updates/${submissionId}/assets`;
  return fileRequest(where, { itemId }, file);
}

/** Interface document, Media Set creation, step 4, and Grouped Set edit: completion, with an empty object. */
export function completeSubmission(kind: SubmissionKind, submissionId: SubmissionId): JsonRequest {
  const where =
    kind === 'creation'
      ? path`/me/set-uploads/${submissionId}/complete`
      : path`/me/set-updates/${submissionId}/complete`;
  return jsonRequest(where, {}, 'documented');
}
