import type { Caller } from '../access/caller.ts';
import type { Answer } from '../http.ts';
import { checked } from '../me/checked.ts';
import { recordEffect } from '../me/effects.ts';
import type { OwnerSide, Processing } from '../me/owner-side.ts';
import { ProtectedError, privateAnswer } from '../me/protected-error.ts';
import { removeKept } from '../uploads/kept-file.ts';
import type { Failure } from './assumed.ts';
import { completionBody } from './bodies.ts';
import { applyCreation } from './complete-creation.ts';
import { applyEdit } from './complete-edit.ts';
import { ownSubmission } from './find.ts';
import { submissionRecord } from './record.ts';
import {
  abandonedPictures,
  completeSubmission,
  itemsOf,
  type Outcome,
  type StoredItem,
  type Submission,
  updateItem,
} from './store.ts';

/** What came of a submission, its items apart. */
export interface Applied {
  readonly items: readonly StoredItem[];
  readonly outcome: Outcome;
  readonly setId: number | null;
  readonly setUpdatedAt: string | null;
  /** null where nothing shows in public. */
  readonly publicFrom: string | null;
  readonly metadata: Submission['metadata'];
}

/**
 * Completes a submission once the outcome of every file is known (the interface document, States, 1): from
 * then on its changes are artwork, all in one transaction. Completed before, it is answered as it ended.
 */
export async function complete(
  side: OwnerSide,
  caller: Caller,
  family: Submission['admitted']['family'],
  submissionId: string,
  given: unknown,
  processing: Processing | null,
): Promise<Answer> {
  checked(completionBody, given);
  const { database, dataDir } = side;
  const now = side.now();
  const { id } = ownSubmission(database, caller, family, submissionId);
  database.transaction(() => {
    const submission = ownSubmission(database, caller, family, id);
    if (submission.completion !== null) return;
    const items = itemsOf(database, id);
    requireTerminal(items, now);
    const applied =
      processing?.failure === undefined || processing.failure === null
        ? apply(side, caller, submission, items, now)
        : fail(submission, items, processing.failure);
    finish(side, caller, submission, applied, now, processing);
  });
  await removeKept(dataDir, abandonedPictures(database, id));
  return privateAnswer(200, { submission: submissionRecord(database, id, side.now()) });
}

function requireTerminal(items: readonly StoredItem[], now: Date): void {
  const at = now.toISOString();
  const open = items.filter(
    ({ status, processedAt }) => status === 'awaiting' || (processedAt !== null && processedAt > at),
  );
  if (open.length === 0) return;
  const message = 'The outcome of a file is not known yet.';
  throw new ProtectedError(409, 'submission.files_pending', message, {
    details: { pendingItemIds: open.map(({ item }) => item.itemId) },
    issues: open.map(({ item }) => ({
      code: 'submission.files_pending',
      message,
      path: ['items', item.itemId],
    })),
  });
}

function apply(
  side: OwnerSide,
  caller: Caller,
  submission: Submission,
  items: readonly StoredItem[],
  now: Date,
): Applied {
  const { admitted } = submission;
  switch (admitted.family) {
    case 'creation':
      return applyCreation(side, caller, admitted.admission, items, now);
    case 'edit':
      return applyEdit(side, caller, admitted.admission, items, now);
  }
}

/** Nothing comes of it in the end: a creation is undone, an edit never was. */
function fail(
  { admitted, setId, metadata }: Submission,
  items: readonly StoredItem[],
  error: Failure,
): Applied {
  const undone = admitted.family === 'creation' && items.some(({ status }) => status === 'received');
  const status = undone ? 'rolled_back' : 'failed';
  return {
    items: items.map((item) => (item.status === 'received' ? { ...item, status, error } : item)),
    outcome: status,
    setId,
    setUpdatedAt: null,
    publicFrom: null,
    metadata: metadata.status === 'not_required' ? metadata : { status: 'failed', error },
  };
}

function finish(
  { database }: OwnerSide,
  caller: Caller,
  submission: Submission,
  applied: Applied,
  now: Date,
  processing: Processing | null,
): void {
  const { items, outcome, setId, setUpdatedAt, publicFrom, metadata } = applied;
  const { id, clientMutationId } = submission;
  const at = now.toISOString();
  for (const item of items) updateItem(database, id, item);
  completeSubmission(database, {
    ...submission,
    setId,
    metadata,
    completion: {
      completedAt: at,
      settlesAt: new Date(now.getTime() + (processing?.milliseconds ?? 0)).toISOString(),
      meanwhile: processing?.unresolved === true ? 'unresolved' : 'processing',
      outcome,
      setUpdatedAt,
      publicFrom,
    },
  });
  const resource = { kind: 'submission', id };
  recordEffect(database, caller, { operation: 'submission.complete', clientMutationId, resource }, at);
}
