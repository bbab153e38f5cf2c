import type { Caller } from '../access/caller.ts';
import { notOwned, refused, unknown } from '../me/protected-error.ts';
import type { Database } from '../store/database.ts';
import { findItem, findSubmission, type StoredItem, type Submission } from './store.ts';

/**
 * A submission of the caller's.
 * @throws ProtectedError 404 when there is none of that id in that family, 403 when it is somebody else's.
 */
export function ownSubmission(
  database: Database,
  { accountId }: Caller,
  family: Submission['admitted']['family'],
  writtenId: string,
): Submission {
  const submission = findSubmission(database, writtenId.toLowerCase());
  if (submission === undefined || submission.admitted.family !== family) {
    throw unknown(`Submission ${writtenId}`);
  }
  if (submission.accountId !== accountId) throw notOwned(`Submission ${writtenId}`);
  return submission;
}

/** An item that takes a file, and what was declared of it. */
export interface FileItem extends StoredItem {
  readonly declared: NonNullable<StoredItem['item']['declaredFile']>;
}

/**
 * @throws ProtectedError 404 for an item that there is not, 422 for one that takes no file.
 */
export function fileItem(database: Database, submissionId: string, itemId: string): FileItem {
  const stored = findItem(database, submissionId, itemId);
  if (stored === undefined) throw unknown(`Item ${itemId}`, ['itemId']);
  const declared = stored.item.declaredFile;
  if (declared === null) {
    throw refused(422, 'item.without_file', `Item ${itemId} takes no file.`, ['itemId']);
  }
  return { ...stored, declared };
}
