import { path, type ServicePath } from './call.ts';
import { errorIn } from './failures.ts';
import {
  boundRecord,
  cutText,
  dataOf,
  idAt,
  identityAt,
  isRecord,
  type JsonRecord,
  listAt,
  processingState,
  publicationIn,
  recordAt,
  revisionAt,
  textAt,
  wordAt,
} from './records/members.ts';
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

/**
 * Interface document, Media Set creation, step 2, and Grouped Set edit: one item's file, announced exactly as it was
 * declared. A digest is shown for single uploads only.
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
  return jsonRequest(path`/me/${submissions[kind].at}/${submissionId}/complete`, {});
}

/** What the service says of a submission. Only `state` says how it stands; the words are for showing. */
export type Submission = Readonly<ReturnType<typeof readSubmission>>;
/** What it says of one of its items, with as much of the declaration as the answer repeats. */
export type SubmissionItem = Readonly<ReturnType<typeof itemOf>>;

/** Reads the answer to an admission, to a status read and to a completion alike. */
export function readSubmission(body: unknown, kind: SubmissionKind) {
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
    publicationStatus: publicationIn(inner, record, set),
    submissionId: idAt(inner, 'submissionId', 'id') ?? idAt(record, 'submissionId'),
    mutationId: identityAt(inner, 'clientMutationId') ?? identityAt(record, 'clientMutationId'),
    /** Of the Set that was made or edited, as `updatedAt`. */
    setId: idAt(inner, 'setId') ?? idAt(record, 'setId') ?? idAt(set, 'id'),
    updatedAt: revisionAt(set) ?? revisionAt(inner) ?? revisionAt(record),
    items: itemsIn(inner) ?? itemsIn(record) ?? [],
    error: errorIn(inner, record, isRecord(body) ? body : {}),
    record: boundRecord({ ...withoutItems(record), submission: withoutItems(inner) }),
  };
}

type SubmissionState = 'succeeded' | 'partial' | 'rolled_back' | 'failed' | 'unresolved' | 'open';

/**
 * Interface document, States: the outcomes. `open` is what has no outcome yet, and also what the document does not name:
 * neither an end nor success.
 */
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

/** "Per-item status" (Protected-side records): under which name is not shown. */
const itemLists: readonly string[] = ['items', 'itemStatuses', 'files', 'declaredFiles'];

/** More than anybody declares; an answer may hold a million, which are kept and shown nowhere. */
const mostItems = 20_000;

function itemsIn(record: JsonRecord): readonly SubmissionItem[] | null {
  const name = itemLists.find((one) => Array.isArray(record[one]));
  return name === undefined ? null : listAt(record, name).slice(0, mostItems).map(itemOf);
}

function withoutItems(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !itemLists.includes(name)));
}

function itemOf(record: JsonRecord) {
  const target = recordAt(record, 'target');
  const status = wordAt(record, 'status', 'processingStatus', 'state', 'outcome');
  const error = errorIn(record);
  const kind = wordAt(record, 'targetKind') ?? wordAt(target, 'kind');
  const id = idAt(record, 'targetId') ?? idAt(target, 'id');
  const filename = textAt(record, 'filename') ?? textAt(recordAt(record, 'declaredFile'), 'filename');
  return {
    itemId: idAt(record, 'itemId', 'id'),
    /** `processing` may last until completion (States, rule 2). */
    state: processingState(status, error !== null),
    status,
    assetId: idAt(record, 'assetId') ?? idAt(recordAt(record, 'asset'), 'id', 'assetId'),
    error,
    filename: filename === null ? null : cutText(filename, 100),
    target: kind === null || id === null ? null : { kind, id },
    slot: wordAt(record, 'slot'),
  };
}
