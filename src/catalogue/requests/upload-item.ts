import { path } from '../path.ts';
import { type SubmissionKind, submissions } from '../records/submission.ts';
import type { ItemId, SubmissionId } from './fields.ts';
import type { FileRequest } from './request.ts';
import { fileHeaders, type UploadFile } from './upload-file.ts';

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
  return {
    method: 'POST',
    path:
      kind === 'creation'
        ? path`/me/set-uploads/${submissionId}/assets`
        : path`/me/set-updates/${submissionId}/assets`,
    query: { itemId },
    headers: fileHeaders(file),
    body: { kind: 'file', bytes: file.contentLength },
    needed: submissions[kind].needed,
    identity: 'documented',
  };
}
