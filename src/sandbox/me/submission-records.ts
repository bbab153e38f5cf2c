import type { Row, Store } from '../store.ts';
import type { Call } from './authorize.ts';
import type { KeptFile } from './file.ts';
import { publishedAt } from './records.ts';
import { missing, notOwned, refuse } from './refusals.ts';
import type { CreationBody, EditBody, EditItem } from './requests.ts';

/** What was admitted, which never changes. A new Set's files are items that add. */
export type Admitted =
  | { readonly family: 'creation'; readonly admission: Omit<CreationBody, 'declaredFiles'> }
  | { readonly family: 'edit'; readonly admission: Omit<EditBody, 'items'> };

/** The changes of a Set's metadata that a grouped edit asks for. */
export function metadataOf(admission: Omit<EditBody, 'items'>) {
  const { clientMutationId: _, setId: __, setKind: ___, expectedUpdatedAt: ____, ...changes } = admission;
  const { titleBase, ...rest } = changes;
  return { ...rest, ...(titleBase === undefined ? {} : { title: titleBase }) };
}

export function changesMetadata(admission: Omit<EditBody, 'items'>): boolean {
  return Object.keys(metadataOf(admission)).length > 0;
}

export type Family = Admitted['family'];

export interface Failure {
  readonly code: string;
  readonly message: string;
}

export type Submission = Admitted & {
  readonly row: Row;
  readonly id: string;
  readonly clientMutationId: string;
};

export interface Item {
  readonly item: EditItem;
  readonly status: string;
  /** When the outcome of its file is known; null: there is no file yet, or none is needed. */
  readonly processedAt: string | null;
  readonly error: Failure | null;
  /** The file that has arrived; `kept` is null if it was refused. */
  readonly received: { readonly sha256: string; readonly kept: KeptFile | null } | null;
  readonly assetId: string | null;
  readonly assetUpdatedAt: string | null;
}

/** A submission of the caller. @throws Refusal 404 for an unknown id of this family, 403 for another account's */
export function ownSubmission({ store, caller, segment }: Call, family: Family): Submission {
  const written = segment('submissionId');
  const row = store.first('SELECT * FROM submissions WHERE id = ?', written.toLowerCase());
  if (row === undefined || row.text('family') !== family) throw missing(`Submission ${written}`);
  if (row.integer('account_id') !== caller.accountId) throw notOwned(`Submission ${written}`);
  return submissionOf(row);
}

function submissionOf(row: Row): Submission {
  const known = { row, id: row.text('id'), clientMutationId: row.text('client_mutation_id') };
  const admission = row.text('admission');
  return row.text('family') === 'creation'
    ? { ...known, family: 'creation', admission: parse(admission) }
    : { ...known, family: 'edit', admission: parse(admission) };
}

function itemOf(row: Row): Item {
  const [error, received] = [row.textOrNull('error'), row.textOrNull('received')];
  return {
    item: parse(row.text('item')),
    status: row.text('status'),
    processedAt: row.textOrNull('processed_at'),
    error: error === null ? null : parse(error),
    received: received === null ? null : parse(received),
    assetId: row.textOrNull('asset_id'),
    assetUpdatedAt: row.textOrNull('asset_updated_at'),
  };
}

/** For JSON that this program has written itself, after it was checked. */
function parse<T>(text: string): T {
  const value: T = JSON.parse(text);
  return value;
}

export function itemsOf(store: Store, submissionId: string): readonly Item[] {
  const sql = 'SELECT * FROM submission_items WHERE submission_id = ? ORDER BY position';
  return store.all(sql, submissionId).map(itemOf);
}

/** An item that takes a file. @throws Refusal 404 for an unknown one, 422 for one without a file */
export function fileItem(store: Store, submissionId: string, itemId: string) {
  const sql = 'SELECT * FROM submission_items WHERE submission_id = ? AND item_id = ?';
  const row = store.first(sql, submissionId, itemId);
  if (row === undefined) throw missing(`Item ${itemId}`, ['itemId']);
  const found = itemOf(row);
  const declared = found.item.declaredFile;
  if (declared === null) throw refuse(422, 'item.without_file', `Item ${itemId} takes no file.`, ['itemId']);
  return { ...found, declared };
}

/** GET /me/set-uploads/{submissionId} and /me/set-updates/{submissionId}. */
export function readSubmission(call: Call, family: Family) {
  return submissionRecord(call, ownSubmission(call, family).id);
}

/**
 * The record that every answer about a submission has. **Assumed**: its members but the id, the statuses of items and
 * the outcome. Until the outcome is known, an item has no Asset, and is `pending` as long as its file is missing.
 */
export function submissionRecord(call: Call, id: string) {
  const { settled, ...record } = summaryOf(call, id);
  const items = itemsOf(call.store, id).map((item) => itemRecord(item, settled, call.context.now()));
  return { submission: { ...record, items } };
}

export function summaryOf({ store, context }: Call, id: string) {
  const now = context.now();
  const submission = submissionOf(store.only('SELECT * FROM submissions WHERE id = ?', id));
  const { row, family, clientMutationId } = submission;
  const settlesAt = row.textOrNull('settles_at');
  const settled = settlesAt !== null && settlesAt <= now.toISOString();
  const setId = family === 'creation' && !settled ? null : row.integerOrNull('set_id');
  const updatedAt = settled ? row.textOrNull('set_updated_at') : null;
  const publicFrom = row.textOrNull('public_from');
  return {
    settled,
    submissionId: id,
    clientMutationId,
    status: settled ? 'completed' : 'processing',
    outcome: settled ? row.text('outcome') : row.textOrNull('meanwhile'),
    setId,
    set: setId === null || updatedAt === null ? null : { id: setId, updatedAt },
    publicationStatus: !settled
      ? 'pending'
      : publicFrom === null
        ? 'not_required'
        : publishedAt(publicFrom, now),
    metadata: metadataRecord(submission, settled),
    createdAt: row.text('created_at'),
    completedAt: settled ? row.text('completed_at') : null,
  };
}

function metadataRecord(submission: Submission, settled: boolean) {
  const error = submission.row.textOrNull('metadata_error');
  if (submission.family === 'creation' || !changesMetadata(submission.admission)) {
    return { status: 'not_required', error: null };
  }
  if (!settled) return { status: 'processing', error: null };
  return error === null
    ? { status: 'succeeded', error: null }
    : { status: 'failed', error: parse<Failure>(error) };
}

export function itemRecord({ item, ...stored }: Item, settled: boolean, now: Date) {
  const isProcessed = stored.processedAt === null || stored.processedAt <= now.toISOString();
  const isKnown = settled || (stored.status === 'failed' && isProcessed);
  const status = isKnown ? stored.status : stored.status === 'awaiting' ? 'pending' : 'processing';
  const { itemId, position, operation, targetKind, targetId, slot, declaredFile } = item;
  return {
    ...{ itemId, position, operation, targetKind, targetId, slot },
    filename: declaredFile?.filename ?? null,
    status,
    assetId: status === 'succeeded' ? stored.assetId : null,
    updatedAt: status === 'succeeded' ? stored.assetUpdatedAt : null,
    error: isKnown ? stored.error : null,
  };
}
