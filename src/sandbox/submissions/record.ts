import type { PublicationStatus } from '../me/assumed.ts';
import type { Caller } from '../me/authorize.ts';
import { doesNotExist, notOwned, refusal } from '../me/protected-error.ts';
import type { Database } from '../store/database.ts';
import type { SubmissionItemRecord, SubmissionRecord } from './assumed.ts';
import {
  type Completion,
  findItem,
  findSubmission,
  itemsOf,
  type StoredItem,
  type Submission,
} from './store.ts';

/**
 * A submission of the caller.
 * @throws ProtectedError 404 for an unknown id in that family, 403 when another account owns it.
 */
export function ownSubmission(
  database: Database,
  { accountId }: Caller,
  family: Submission['admitted']['family'],
  writtenId: string,
): Submission {
  const submission = findSubmission(database, writtenId.toLowerCase());
  if (submission === undefined || submission.admitted.family !== family) {
    throw doesNotExist(`Submission ${writtenId}`);
  }
  if (submission.accountId !== accountId) throw notOwned(`Submission ${writtenId}`);
  return submission;
}

/** An item with a declared file. */
export interface FileItem extends StoredItem {
  readonly declared: NonNullable<StoredItem['item']['declaredFile']>;
}

/** @throws ProtectedError 404 for an unknown item, 422 for one without a file. */
export function fileItem(database: Database, submissionId: string, itemId: string): FileItem {
  const stored = findItem(database, submissionId, itemId);
  if (stored === undefined) throw doesNotExist(`Item ${itemId}`, ['itemId']);
  const declared = stored.item.declaredFile;
  if (declared === null) {
    throw refusal(422, 'item.without_file', `Item ${itemId} takes no file.`, ['itemId']);
  }
  return { ...stored, declared };
}

/** @throws Error for an unknown id. */
export function submissionRecord(database: Database, id: string, now: Date): SubmissionRecord {
  const { settled, ...brief } = submissionSummary(database, id, now);
  const items = itemsOf(database, id).map((item) => itemRecord(item, settled, now.toISOString()));
  return { ...brief, items };
}

/** The record without its items, and whether the outcome is known. */
export function submissionSummary(
  database: Database,
  id: string,
  now: Date,
): Omit<SubmissionRecord, 'items'> & { readonly settled: boolean } {
  const submission = findSubmission(database, id);
  if (submission === undefined) throw new Error(`There is no submission ${id}.`);
  const { completion, metadata } = submission;
  const at = now.toISOString();
  const settled = completion !== null && completion.settlesAt <= at ? completion : null;
  return {
    submissionId: id,
    clientMutationId: submission.clientMutationId,
    status: settled === null ? 'processing' : 'completed',
    outcome: settled?.outcome ?? (completion?.interimStatus === 'unresolved' ? 'unresolved' : null),
    setId: settled === null && submission.admitted.family === 'creation' ? null : submission.setId,
    set: setOf(submission.setId, settled),
    publicationStatus: publicationOf(settled, at),
    metadata: settled === null && metadata.status !== 'not_required' ? processingMetadata : metadata,
    createdAt: submission.createdAt,
    completedAt: settled?.completedAt ?? null,
    settled: settled !== null,
  };
}

function setOf(id: number | null, settled: Completion | null): SubmissionRecord['set'] {
  const updatedAt = settled?.setUpdatedAt ?? null;
  return id === null || updatedAt === null ? null : { id, updatedAt };
}

const processingMetadata = { status: 'processing', error: null } as const;

/** Nothing is published where nothing was changed. */
function publicationOf(settled: Completion | null, at: string): PublicationStatus {
  if (settled === null) return 'pending';
  if (settled.publicFrom === null) return 'not_required';
  return settled.publicFrom <= at ? 'succeeded' : 'pending';
}

export function itemRecord(stored: StoredItem, settled: boolean, at: string): SubmissionItemRecord {
  const { item } = stored;
  const status = statusOf(stored, settled, at);
  const known = settled && status === 'succeeded';
  return {
    itemId: item.itemId,
    position: item.position,
    operation: item.operation,
    targetKind: item.targetKind,
    targetId: item.targetId,
    slot: item.slot,
    filename: item.declaredFile?.filename ?? null,
    status,
    assetId: known ? stored.assetId : null,
    updatedAt: known ? stored.assetUpdatedAt : null,
    error: status === 'failed' || status === 'rolled_back' ? stored.error : null,
  };
}

/** A file may fail some time after it was received; a success is shown with the outcome. */
function statusOf(
  { status, processedAt }: StoredItem,
  settled: boolean,
  at: string,
): SubmissionItemRecord['status'] {
  switch (status) {
    case 'awaiting':
      return 'pending';
    case 'received':
      return 'processing';
    case 'failed':
      return processedAt === null || processedAt <= at ? 'failed' : 'processing';
    case 'succeeded':
    case 'rolled_back':
      return settled ? status : 'processing';
  }
}
