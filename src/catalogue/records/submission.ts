import { z } from 'zod';
import { path } from '../path.ts';
import { isRecord, type ServiceError } from '../refusal.ts';
import { type ProcessingState, processingState } from './processing.ts';
import { type Publication, readPublication } from './publication.ts';
import { dataOf, idAt, type Json, recordAt, textAt } from './read-member.ts';
import { errorOf } from './upload-status.ts';

/** A Set's creation, or a grouped edit of one. */
export type SubmissionKind = 'creation' | 'edit';

/** Interface document, Protected-side records: Set submission, by where it is read and what that needs. */
export const submissions = {
  creation: {
    path: (submissionId: string) => path`/me/set-uploads/${submissionId}`,
    needed: { allOf: ['sets:write', 'assets:write'] },
  },
  edit: {
    path: (submissionId: string) => path`/me/set-updates/${submissionId}`,
    needed: { allOf: ['sets:write'] },
  },
} as const;

export const submission = {
  /** What the record is known by where it comes without `data`. */
  marks: ['submission', 'submissionId', 'outcome', 'items'],
  schema: z.looseObject({}),
} as const;

/**
 * Interface document, States: the outcomes. `open` is what has no outcome yet, and also what the document does
 * not name: neither an end nor success.
 */
export type SubmissionState = 'succeeded' | 'partial' | 'rolled_back' | 'failed' | 'unresolved' | 'open';

export interface SubmissionItem {
  readonly itemId: string | null;
  /** Only this says how the item stands; `processing` may last until completion (States, rule 2). */
  readonly state: ProcessingState;
  /** The service's own word. */
  readonly status: string | null;
  readonly assetId: string | null;
  readonly error: ServiceError | null;
  readonly record: Json;
}

export interface Submission extends Publication {
  readonly state: SubmissionState;
  /** The service's own word. */
  readonly outcome: string | null;
  readonly submissionId: string | null;
  readonly mutationId: string | null;
  /** Of the Set that was made or edited. */
  readonly setId: string | null;
  readonly updatedAt: string | null;
  readonly items: readonly SubmissionItem[];
  readonly error: ServiceError | null;
  readonly record: Json;
}

/** Reads the answer to an admission, to a status read and to a completion alike. */
export function readSubmission(body: unknown, kind: SubmissionKind): Submission {
  const record = dataOf(body);
  const inner = recordAt(record, 'submission');
  const set = recordAt(record, 'set');
  const outcome =
    textAt(inner, 'outcome', 'overallOutcome') ??
    textAt(record, 'outcome', 'overallOutcome') ??
    textAt(inner, 'status') ??
    textAt(record, 'status');
  return {
    state: stateOf(outcome, kind),
    outcome,
    ...readPublication(inner, record, set),
    submissionId: idAt(inner, 'submissionId', 'id') ?? idAt(record, 'submissionId'),
    mutationId: idAt(inner, 'clientMutationId') ?? idAt(record, 'clientMutationId'),
    setId: idAt(inner, 'setId') ?? idAt(record, 'setId') ?? idAt(set, 'id'),
    updatedAt: textAt(set, 'updatedAt') ?? textAt(inner, 'updatedAt') ?? textAt(record, 'updatedAt'),
    items: itemsIn(inner) ?? itemsIn(record) ?? [],
    error: errorOf(inner) ?? errorOf(record),
    record,
  };
}

function stateOf(word: string | null, kind: SubmissionKind): SubmissionState {
  switch (word) {
    case 'succeeded':
    case 'partial':
    case 'failed':
    case 'unresolved':
      return word;
    // Only a creation can be taken back whole.
    case 'rolled_back':
      return kind === 'creation' ? word : 'open';
    default:
      return 'open';
  }
}

/** A list of items, or a record of them by their ids. */
function itemsIn(record: Json): readonly SubmissionItem[] | null {
  for (const name of ['items', 'itemStatuses', 'files', 'declaredFiles']) {
    const found = record[name];
    if (Array.isArray(found)) return found.filter(isRecord).map((item) => itemOf(item, null));
    if (isRecord(found)) {
      return Object.entries(found).map(([itemId, item]) =>
        itemOf(isRecord(item) ? item : { status: item }, itemId),
      );
    }
  }
  return null;
}

function itemOf(record: Json, key: string | null): SubmissionItem {
  const status = textAt(record, 'status', 'processingStatus', 'state', 'outcome');
  const error = errorOf(record);
  return {
    itemId: idAt(record, 'itemId', 'id') ?? key,
    state: processingState(status, error !== null),
    status,
    assetId: idAt(record, 'assetId') ?? idAt(recordAt(record, 'asset'), 'id', 'assetId'),
    error,
    record,
  };
}
