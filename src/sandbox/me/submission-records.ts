import type { Store } from '../store.ts';
import type { Call } from './authorize.ts';
import type { KeptFile } from './file.ts';
import type { Failure } from './mutation.ts';
import { publishedAt } from './records.ts';
import { missing, notOwned } from './refusals.ts';
import type { CreationBody, EditBody, EditItem } from './requests.ts';

/** What was admitted, which never changes. A new Set's files are items that add. */
export type Admitted =
  | { readonly family: 'creation'; readonly admission: Omit<CreationBody, 'declaredFiles'> }
  | { readonly family: 'edit'; readonly admission: Omit<EditBody, 'items'> };

export type Family = Admitted['family'];

export type Submission = Admitted & {
  readonly id: string;
  readonly accountId: number;
  readonly createdAt: string;
  /** null: it is not completed yet. */
  readonly end: End | null;
};

/** How a submission ends. */
export interface End {
  readonly completedAt: string;
  /** Until then it is shown as being processed. */
  readonly settlesAt: string;
  readonly outcome: 'succeeded' | 'partial' | 'rolled_back' | 'failed';
  /** The Set that was made or changed, with its new revision; null: nothing was. */
  readonly set: { readonly id: number; readonly updatedAt: string } | null;
  readonly publicFrom: string;
}

export interface Item {
  readonly item: EditItem;
  /** `received`: also of an item without a file. */
  readonly status: 'awaiting' | 'received' | 'succeeded' | 'failed' | 'rolled_back';
  /** When the outcome of its file is known; null: there is no file yet, or none is needed. */
  readonly processedAt: string | null;
  readonly error: Failure | null;
  /** Of the file that has arrived. */
  readonly sha256: string | null;
  /** null also if the file was refused. */
  readonly kept: KeptFile | null;
  readonly assetId: string | null;
  readonly updatedAt: string | null;
}

export function writeSubmission(store: Store, submission: Submission): void {
  const sql = 'INSERT OR REPLACE INTO submissions (id, state) VALUES (?, ?)';
  store.run(sql, submission.id, JSON.stringify(submission));
}

/** A submission of the caller. @throws Refusal 404 for an unknown id of this family, 403 for another account's */
export function ownSubmission({ store, caller, segment }: Call, family: Family): Submission {
  const id = segment('submissionId').toLowerCase();
  const row = store.first('SELECT state FROM submissions WHERE id = ?', id);
  const found = row && parse<Submission>(row.text('state'));
  if (found?.family !== family) throw missing(`Submission ${id}`);
  if (found.accountId !== caller.accountId) throw notOwned(`Submission ${id}`);
  return found;
}

export function writeItem(store: Store, submissionId: string, stored: Item): void {
  const sql =
    'INSERT OR REPLACE INTO submission_items (submission_id, item_id, position, state) VALUES (?, ?, ?, ?)';
  const { itemId, position } = stored.item;
  store.run(sql, submissionId, itemId, position, JSON.stringify(stored));
}

export function itemsOf(store: Store, submissionId: string): readonly Item[] {
  const sql = 'SELECT state FROM submission_items WHERE submission_id = ? ORDER BY position, item_id';
  return store.all(sql, submissionId).map((row) => parse(row.text('state')));
}

/** @throws Refusal 404 */
export function itemUnder(store: Store, submissionId: string, itemId: string): Item {
  const sql = 'SELECT state FROM submission_items WHERE submission_id = ? AND item_id = ?';
  const row = store.first(sql, submissionId, itemId);
  if (row === undefined) throw missing(`Item ${itemId}`, ['itemId']);
  return parse(row.text('state'));
}

/** For JSON that this program has written itself, after it was checked. */
function parse<T>(text: string): T {
  const value: T = JSON.parse(text);
  return value;
}

/**
 * The record that every answer about a submission has. **Assumed**: its members but the id, the statuses of items and
 * the outcome. Until the outcome is known, an item has no Asset, and is `pending` as long as its file is missing.
 */
export function submissionRecord({ store, context }: Call, submission: Submission) {
  const now = context.now();
  const { id, family, admission, createdAt, end } = submission;
  const settled = end !== null && end.settlesAt <= now.toISOString() ? end : null;
  const published = settled?.set ? publishedAt(settled.publicFrom, now) : 'not_required';
  return {
    submission: {
      submissionId: id,
      clientMutationId: admission.clientMutationId,
      status: settled === null ? 'processing' : 'completed',
      outcome: settled?.outcome ?? null,
      setId: family === 'edit' ? admission.setId : (settled?.set?.id ?? null),
      set: settled?.set ?? null,
      publicationStatus: settled === null ? 'pending' : published,
      createdAt,
      completedAt: settled?.completedAt ?? null,
      items: itemsOf(store, id).map((item) => itemRecord(item, settled !== null, now.toISOString())),
    },
  };
}

function itemRecord({ item, ...stored }: Item, settled: boolean, now: string) {
  const isProcessed = stored.processedAt === null || stored.processedAt <= now;
  const isKnown = settled || (stored.status === 'failed' && isProcessed);
  const status = isKnown ? stored.status : stored.status === 'awaiting' ? 'pending' : 'processing';
  const { itemId, position, operation, targetKind, targetId, slot, declaredFile } = item;
  return {
    ...{ itemId, position, operation, targetKind, targetId, slot, status },
    filename: declaredFile?.filename ?? null,
    assetId: status === 'succeeded' ? stored.assetId : null,
    updatedAt: status === 'succeeded' ? stored.updatedAt : null,
    error: isKnown ? stored.error : null,
  };
}
