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
  /** By their positions. */
  readonly items: readonly Item[];
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
  readonly error?: Failure | null;
  /** Of an item whose file has arrived. */
  readonly file?: {
    readonly sha256: string;
    /** When its outcome is known. */
    readonly processedAt: string;
    /** null if it was refused. */
    readonly kept: KeptFile | null;
  };
  /** The Asset that was made or changed, with its new revision. */
  readonly asset?: { readonly assetId: string; readonly updatedAt: string };
}

export function writeSubmission(store: Store, submission: Submission): void {
  const sql = 'INSERT OR REPLACE INTO submissions (id, state) VALUES (?, ?)';
  store.run(sql, submission.id, JSON.stringify(submission));
}

/** A submission of the caller. @throws Refusal 404 for an unknown id of this family, 403 for another account's */
export function ownSubmission({ store, caller, segment }: Call, family: Family): Submission {
  const id = segment('submissionId').toLowerCase();
  const row = store.first('SELECT state FROM submissions WHERE id = ?', id);
  // JSON that this program has written itself, after it was checked.
  const found: Submission | undefined = row && JSON.parse(row.text('state'));
  if (found?.family !== family) throw missing(`Submission ${id}`);
  if (found.accountId !== caller.accountId) throw notOwned(`Submission ${id}`);
  return found;
}

/** @throws Refusal 404 */
export function itemUnder({ items }: Submission, itemId: string): Item {
  const found = items.find(({ item }) => item.itemId === itemId);
  if (found === undefined) throw missing(`Item ${itemId}`, ['itemId']);
  return found;
}

/**
 * The record that every answer about a submission has. **Assumed**: its members but the id, the statuses of items and
 * the outcome. Until the outcome is known, an item has no Asset, and is `pending` as long as its file is missing.
 */
export function submissionRecord({ context }: Call, submission: Submission) {
  const now = context.now();
  const { id, family, admission, createdAt, items, end } = submission;
  const settled = end !== null && end.settlesAt <= now ? end : null;
  const published = settled?.set ? publishedAt(settled.publicFrom, context) : 'not_required';
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
      items: items.map((item) => itemRecord(item, settled !== null, now)),
    },
  };
}

function itemRecord({ item, ...stored }: Item, settled: boolean, now: string) {
  const isProcessed = stored.file === undefined || stored.file.processedAt <= now;
  const isKnown = settled || (stored.status === 'failed' && isProcessed);
  const status = isKnown ? stored.status : stored.status === 'awaiting' ? 'pending' : 'processing';
  const { itemId, position, operation, targetKind, targetId, slot, declaredFile } = item;
  return {
    ...{ itemId, position, operation, targetKind, targetId, slot, status },
    filename: declaredFile?.filename ?? null,
    ...(status === 'succeeded' && stored.asset ? stored.asset : { assetId: null, updatedAt: null }),
    error: isKnown ? (stored.error ?? null) : null,
  };
}
