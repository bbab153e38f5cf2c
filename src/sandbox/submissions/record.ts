import type { Database } from '../database.ts';
import type { PublicationStatus } from '../me/assumed.ts';
import {
  type Completion,
  type Failure,
  findSubmission,
  itemsOf,
  type Outcome,
  type StoredItem,
  type Submission,
} from './store.ts';

/**
 * The record of a submission (the interface document, Protected-side records: "submissionId, per-item status,
 * overall outcome"). Assumed: everything else, and that every answer carries it as `submission`, as the
 * admission's does.
 */
export interface SubmissionRecord {
  readonly submissionId: string;
  readonly clientMutationId: string;
  /** `processing` until the outcome is known. */
  readonly status: 'processing' | 'completed';
  /** null until the submission is completed. */
  readonly outcome: Outcome | 'unresolved' | null;
  /** null for a creation until it is completed, and when no Set came of it. */
  readonly setId: number | null;
  /** The Set's new revision, where the submission has changed it. */
  readonly setUpdatedAt: string | null;
  readonly publicationStatus: PublicationStatus;
  /** What became of a grouped edit's metadata changes. */
  readonly metadata: { readonly status: Submission['metadata']['status']; readonly error: Failure | null };
  readonly items: readonly ItemRecord[];
  readonly createdAt: string;
  readonly completedAt: string | null;
}

/** Assumed. `pending`: its file is awaited; `processing`: nothing more is needed of the client. */
export interface ItemRecord {
  readonly itemId: string;
  readonly position: number;
  readonly operation: string;
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  readonly filename: string | null;
  readonly status: 'pending' | 'processing' | 'succeeded' | 'failed' | 'rolled_back';
  /** null until it succeeded. */
  readonly assetId: string | null;
  readonly updatedAt: string | null;
  readonly error: Failure | null;
}

/** @throws Error when there is none of that id. */
export function submissionRecord(database: Database, id: string, now: Date): SubmissionRecord {
  const { settled, ...brief } = briefRecord(database, id, now);
  const items = itemsOf(database, id).map((item) => itemRecord(item, settled, now.toISOString()));
  return { ...brief, items };
}

/** The record without its items, and whether the outcome is known. */
export function briefRecord(
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
    outcome: settled?.outcome ?? (completion?.meanwhile === 'unresolved' ? 'unresolved' : null),
    setId: settled === null && submission.admitted.family === 'creation' ? null : submission.setId,
    setUpdatedAt: settled?.setUpdatedAt ?? null,
    publicationStatus: publicationOf(settled, at),
    metadata: settled === null && metadata.status !== 'not_required' ? underWay : metadata,
    createdAt: submission.createdAt,
    completedAt: settled?.completedAt ?? null,
    settled: settled !== null,
  };
}

const underWay = { status: 'processing', error: null } as const;

/** Nothing is to be published where nothing came of it. */
function publicationOf(settled: Completion | null, at: string): PublicationStatus {
  if (settled === null) return 'pending';
  if (settled.publicFrom === null) return 'not_required';
  return settled.publicFrom <= at ? 'succeeded' : 'pending';
}

export function itemRecord(stored: StoredItem, settled: boolean, at: string): ItemRecord {
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

/** A file may fail some time after it has arrived; what has succeeded shows with the outcome. */
function statusOf({ status, processedAt }: StoredItem, settled: boolean, at: string): ItemRecord['status'] {
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
