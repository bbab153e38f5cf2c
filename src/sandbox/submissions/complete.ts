import type { Answer } from '../http.ts';
import type { Caller } from '../me/authorize.ts';
import type { Processing, ProtectedContext } from '../me/context.ts';
import { recordEffect } from '../me/mutation.ts';
import { protectedAnswer, ProtectedError } from '../me/protected-error.ts';
import { validate } from '../me/request.ts';
import { removeStoredFiles } from '../uploads/files.ts';
import { type AppliedSubmission, applyCreation, applyEdit, type CompletionRequest } from './apply.ts';
import type { Failure } from './assumed.ts';
import { completionBody } from './bodies.ts';
import { ownSubmission, submissionRecord } from './record.ts';
import {
  itemsOf,
  storeCompletion,
  type StoredItem,
  type Submission,
  unreferencedFiles,
  updateItem,
} from './store.ts';

/**
 * Completes a submission once the outcome of every file is known (the interface document, States, 1): its
 * changes become artwork, all in one transaction. A completed one is answered with its outcome again.
 */
export async function complete(
  context: ProtectedContext,
  caller: Caller,
  family: Submission['admitted']['family'],
  submissionId: string,
  given: unknown,
  processing: Processing | null,
): Promise<Answer> {
  validate(completionBody, given);
  const { database, dataDir } = context;
  const now = context.now();
  const { id } = ownSubmission(database, caller, family, submissionId);
  database.transaction(() => {
    const submission = ownSubmission(database, caller, family, id);
    if (submission.completion !== null) return;
    const items = itemsOf(database, id);
    requireTerminal(items, now);
    const applied =
      processing?.failure === undefined || processing.failure === null
        ? apply({ context, caller, clientMutationId: submission.clientMutationId, now }, submission, items)
        : fail(submission, items, processing.failure);
    finish(context, caller, submission, applied, now, processing);
  });
  await removeStoredFiles(dataDir, unreferencedFiles(database, id));
  return protectedAnswer(200, { submission: submissionRecord(database, id, context.now()) });
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
  request: CompletionRequest,
  { admitted }: Submission,
  items: readonly StoredItem[],
): AppliedSubmission {
  switch (admitted.family) {
    case 'creation':
      return applyCreation(request, admitted.admission, items);
    case 'edit':
      return applyEdit(request, admitted.admission, items);
  }
}

/** An injected failure: a creation is rolled back, an edit is not applied. */
function fail(
  { admitted, setId, metadata }: Submission,
  items: readonly StoredItem[],
  error: Failure,
): AppliedSubmission {
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
  { database }: ProtectedContext,
  caller: Caller,
  submission: Submission,
  applied: AppliedSubmission,
  now: Date,
  processing: Processing | null,
): void {
  const { items, outcome, setId, setUpdatedAt, publicFrom, metadata } = applied;
  const { id, clientMutationId } = submission;
  const at = now.toISOString();
  for (const item of items) updateItem(database, id, item);
  storeCompletion(database, {
    ...submission,
    setId,
    metadata,
    completion: {
      completedAt: at,
      settlesAt: new Date(now.getTime() + (processing?.milliseconds ?? 0)).toISOString(),
      interimStatus: processing?.unresolved === true ? 'unresolved' : 'processing',
      outcome,
      setUpdatedAt,
      publicFrom,
    },
  });
  const resource = { kind: 'submission', id };
  recordEffect(database, caller, { operation: 'submission.complete', clientMutationId, resource }, at);
}
