import { z } from 'zod';
import { path, type ServicePath } from './call.ts';
import type { ServiceError } from './failures.ts';
import {
  boundedId,
  boundedRecordOf,
  cutText,
  dataOf,
  idAt,
  identityAt,
  isRecord,
  type JsonRecord,
  type ProcessingState,
  type Publication,
  processingState,
  readPublication,
  recordAt,
  revisionAt,
  textAt,
  wordAt,
} from './records/members.ts';
import { errorIn, errorOfRecord } from './records/owned.ts';
import {
  type FileRequest,
  fileRequest,
  type ItemId,
  type JsonRequest,
  jsonRequest,
  type SubmissionId,
  type UploadFile,
} from './request.ts';

/** A Set's creation, or a grouped edit of one. */
export type SubmissionKind = 'creation' | 'edit';

/** Interface document, Protected-side records: Set submission, by where it is read and what that needs. */
export const submissions = {
  creation: { at: 'set-uploads', needed: { allOf: ['sets:write', 'assets:write'] } },
  edit: { at: 'set-updates', needed: { allOf: ['sets:write'] } },
} as const;

/** Where a submission is read. */
export function submissionPath(kind: SubmissionKind, submissionId: string): ServicePath {
  return path`/me/${submissions[kind].at}/${submissionId}`;
}

export const submission = {
  /** What the record is known by where it comes without `data`. */
  marks: ['submission', 'submissionId', 'outcome', 'items'],
  schema: z.looseObject({}),
} as const;

/**
 * Interface document, States: the outcomes. `open` is what has no outcome yet, and also what the document does
 * not name: neither an end nor success.
 */
type SubmissionState = 'succeeded' | 'partial' | 'rolled_back' | 'failed' | 'unresolved' | 'open';

export interface SubmissionItem {
  readonly itemId: string | null;
  /** Only this says how the item stands; `processing` may last until completion (States, rule 2). */
  readonly state: ProcessingState;
  /** The service's own word. */
  readonly status: string | null;
  readonly assetId: string | null;
  readonly error: ServiceError | null;
  /** As much of its declaration as the answer repeats. */
  readonly declaration: ItemDeclaration;
}

interface ItemDeclaration {
  readonly filename: string | null;
  readonly target: { readonly kind: string; readonly id: string } | null;
  readonly slot: string | null;
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
  readonly record: JsonRecord;
}

/** Reads the answer to an admission, to a status read and to a completion alike. */
export function readSubmission(body: unknown, kind: SubmissionKind): Submission {
  const record = dataOf(body);
  const inner = recordAt(record, 'submission');
  const set = recordAt(record, 'set');
  const outcome =
    wordAt(inner, 'outcome', 'overallOutcome') ??
    wordAt(record, 'outcome', 'overallOutcome') ??
    wordAt(inner, 'status') ??
    wordAt(record, 'status');
  return {
    state: stateOf(outcome, kind),
    outcome,
    ...readPublication(inner, record, set),
    submissionId: idAt(inner, 'submissionId', 'id') ?? idAt(record, 'submissionId'),
    mutationId: identityAt(inner, 'clientMutationId') ?? identityAt(record, 'clientMutationId'),
    setId: idAt(inner, 'setId') ?? idAt(record, 'setId') ?? idAt(set, 'id'),
    updatedAt: revisionAt(set) ?? revisionAt(inner) ?? revisionAt(record),
    items: itemsIn(inner) ?? itemsIn(record) ?? [],
    error: errorIn(body, inner, record),
    record: boundedRecordOf({
      ...withoutItems(record),
      ...(isRecord(record.submission) && { submission: withoutItems(inner) }),
    }),
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

/** Which item the answer to a transfer is about; null where it does not say. */
export function itemIdOfReceipt(body: unknown): string | null {
  const record = dataOf(body);
  return identityAt(recordAt(record, 'item'), 'itemId') ?? identityAt(record, 'itemId');
}

const itemLists: readonly string[] = ['items', 'itemStatuses', 'files', 'declaredFiles'];

/** More than anybody declares; an answer may hold a million, which are kept and shown nowhere. */
const mostItems = 20_000;

/** A list of items, or a record of them by their ids. */
function itemsIn(record: JsonRecord): readonly SubmissionItem[] | null {
  for (const name of itemLists) {
    const found = record[name];
    if (Array.isArray(found)) {
      return found
        .slice(0, mostItems)
        .filter(isRecord)
        .map((item) => itemOf(item, null));
    }
    if (isRecord(found)) {
      return Object.entries(found)
        .slice(0, mostItems)
        .map(([itemId, item]) => itemOf(isRecord(item) ? item : { status: item }, boundedId(itemId)));
    }
  }
  return null;
}

function withoutItems(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !itemLists.includes(name)));
}

function itemOf(record: JsonRecord, key: string | null): SubmissionItem {
  const status = wordAt(record, 'status', 'processingStatus', 'state', 'outcome');
  const error = errorOfRecord(record);
  return {
    itemId: idAt(record, 'itemId', 'id') ?? key,
    state: processingState(status, error !== null),
    status,
    assetId: idAt(record, 'assetId') ?? idAt(recordAt(record, 'asset'), 'id', 'assetId'),
    error,
    declaration: declarationOf(record),
  };
}

/** Characters that are kept of a file's name, to be shown. */
const longestFilename = 100;

function declarationOf(record: JsonRecord): ItemDeclaration {
  const [target, file] = [recordAt(record, 'target'), recordAt(record, 'declaredFile')];
  const kind = wordAt(record, 'targetKind') ?? wordAt(target, 'kind');
  const id = idAt(record, 'targetId') ?? idAt(target, 'id');
  const filename = textAt(record, 'filename') ?? textAt(file, 'filename');
  return {
    filename: filename === null ? null : cutText(filename, longestFilename),
    target: kind === null || id === null ? null : { kind, id },
    slot: wordAt(record, 'slot'),
  };
}

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
  return fileRequest(path`/me/${submissions[kind].at}/${submissionId}/assets`, { itemId }, file);
}

/** Interface document, Media Set creation, step 4, and Grouped Set edit: completion, with an empty object. */
export function completeSubmission(kind: SubmissionKind, submissionId: SubmissionId): JsonRequest {
  return jsonRequest(path`/me/${submissions[kind].at}/${submissionId}/complete`, {}, 'documented');
}
