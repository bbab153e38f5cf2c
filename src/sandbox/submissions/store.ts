import { type Database, insert, type Row } from '../store/database.ts';
import type { InspectedPicture } from '../uploads/inspect.ts';
import type { Failure } from './assumed.ts';
import type { CreationAdmission, EditAdmission, Item } from './bodies.ts';

export type Outcome = 'succeeded' | 'partial' | 'rolled_back' | 'failed';

export interface Submission {
  readonly id: string;
  readonly accountId: number;
  readonly clientMutationId: string;
  /** The admitted body, which never changes. */
  readonly admitted:
    | { readonly family: 'creation'; readonly admission: CreationAdmission }
    | { readonly family: 'edit'; readonly admission: EditAdmission };
  /** null for a creation until it is completed, and when it created no Set. */
  readonly setId: number | null;
  readonly createdAt: string;
  readonly completion: Completion | null;
  readonly metadata: {
    readonly status: 'not_required' | 'processing' | 'succeeded' | 'failed';
    readonly error: Failure | null;
  };
}

export interface Completion {
  readonly completedAt: string;
  /** Until then, `interimStatus` is reported instead of the outcome. */
  readonly settlesAt: string;
  readonly interimStatus: 'processing' | 'unresolved';
  readonly outcome: Outcome;
  readonly setUpdatedAt: string | null;
  /** null where nothing becomes public. */
  readonly publicFrom: string | null;
}

/** `awaiting` its file; `received`, or no file needed; then its outcome. */
type ItemStatus = 'awaiting' | 'received' | 'succeeded' | 'failed' | 'rolled_back';

export interface StoredItem {
  readonly item: Item;
  readonly status: ItemStatus;
  readonly error: Failure | null;
  /**
   * When the outcome of the file's transfer is known; null while the file is missing, and for an item without
   * one.
   */
  readonly processedAt: string | null;
  readonly file: ReceivedFile | null;
  readonly assetId: string | null;
  readonly assetUpdatedAt: string | null;
}

/** A file that was received for an item. */
interface ReceivedFile {
  readonly sha256: string;
  /** Key among the stored pictures; null once the file was removed or refused. */
  readonly key: string | null;
  readonly inspected: InspectedPicture | null;
}

export function insertSubmission(
  database: Database,
  submission: Omit<Submission, 'completion'>,
  items: readonly Item[],
): void {
  insert(database, 'set_submissions', {
    id: submission.id,
    family: submission.admitted.family,
    account_id: submission.accountId,
    client_mutation_id: submission.clientMutationId,
    set_id: submission.setId,
    admission: JSON.stringify(submission.admitted.admission),
    created_at: submission.createdAt,
    metadata_status: submission.metadata.status,
  });
  for (const item of items) {
    insert(database, 'submission_items', {
      submission_id: submission.id,
      item_id: item.itemId,
      position: item.position,
      item: JSON.stringify(item),
      status: item.declaredFile === null ? 'received' : 'awaiting',
    });
  }
}

export function findSubmission(database: Database, id: string): Submission | undefined {
  const row = database.first('SELECT * FROM set_submissions WHERE id = ?', id);
  if (row === undefined) return undefined;
  return {
    id,
    accountId: row.integer('account_id'),
    clientMutationId: row.text('client_mutation_id'),
    admitted:
      row.text('family') === 'creation'
        ? { family: 'creation', admission: parse<CreationAdmission>(row.text('admission')) }
        : { family: 'edit', admission: parse<EditAdmission>(row.text('admission')) },
    setId: row.integerOrNull('set_id'),
    createdAt: row.text('created_at'),
    completion: completionOf(row),
    metadata: {
      status: oneOf(row.text('metadata_status'), ['not_required', 'processing', 'succeeded', 'failed']),
      error: parseOrNull<Failure>(row.textOrNull('metadata_error')),
    },
  };
}

function completionOf(row: Row): Completion | null {
  const completedAt = row.textOrNull('completed_at');
  if (completedAt === null) return null;
  return {
    completedAt,
    settlesAt: row.text('settles_at'),
    interimStatus: oneOf(row.textOrNull('meanwhile') ?? 'processing', ['processing', 'unresolved']),
    outcome: oneOf(row.text('outcome'), ['succeeded', 'partial', 'rolled_back', 'failed']),
    setUpdatedAt: row.textOrNull('set_updated_at'),
    publicFrom: row.textOrNull('public_from'),
  };
}

/** The items in the order of their positions. */
export function itemsOf(database: Database, submissionId: string): readonly StoredItem[] {
  return database
    .all('SELECT * FROM submission_items WHERE submission_id = ? ORDER BY position, item_id', submissionId)
    .map(readItem);
}

export function findItem(database: Database, submissionId: string, itemId: string): StoredItem | undefined {
  const row = database.first(
    'SELECT * FROM submission_items WHERE submission_id = ? AND item_id = ?',
    submissionId,
    itemId,
  );
  return row && readItem(row);
}

function readItem(row: Row): StoredItem {
  const sha256 = row.textOrNull('sha256');
  return {
    item: parse<Item>(row.text('item')),
    status: oneOf(row.text('status'), ['awaiting', 'received', 'succeeded', 'failed', 'rolled_back']),
    error: parseOrNull<Failure>(row.textOrNull('error')),
    processedAt: row.textOrNull('processed_at'),
    file:
      sha256 === null
        ? null
        : {
            sha256,
            key: row.textOrNull('kept_file'),
            inspected: parseOrNull<InspectedPicture>(row.textOrNull('inspected')),
          },
    assetId: row.textOrNull('asset_id'),
    assetUpdatedAt: row.textOrNull('asset_updated_at'),
  };
}

/** Stores the state of an item; the item itself never changes. */
export function updateItem(database: Database, submissionId: string, stored: StoredItem): void {
  database.run(
    `UPDATE submission_items SET status = ?, error = ?, processed_at = ?, sha256 = ?, inspected = ?,
       kept_file = ?, asset_id = ?, asset_updated_at = ? WHERE submission_id = ? AND item_id = ?`,
    stored.status,
    stored.error === null ? null : JSON.stringify(stored.error),
    stored.processedAt,
    stored.file?.sha256 ?? null,
    stored.file?.inspected ? JSON.stringify(stored.file.inspected) : null,
    stored.file?.key ?? null,
    stored.assetId,
    stored.assetUpdatedAt,
    submissionId,
    stored.item.itemId,
  );
}

/** Stores the completion of a submission. */
export function storeCompletion(
  database: Database,
  submission: Submission & { readonly completion: Completion },
): void {
  const { id, completion, metadata, setId } = submission;
  database.run(
    `UPDATE set_submissions SET completed_at = ?, settles_at = ?, meanwhile = ?, outcome = ?, set_id = ?,
       metadata_status = ?, metadata_error = ?, set_updated_at = ?, public_from = ? WHERE id = ?`,
    completion.completedAt,
    completion.settlesAt,
    completion.interimStatus,
    completion.outcome,
    setId,
    metadata.status,
    metadata.error === null ? null : JSON.stringify(metadata.error),
    completion.setUpdatedAt,
    completion.publicFrom,
    id,
  );
}

/** Stored files of a submission that no Asset will refer to. */
export function unreferencedFiles(database: Database, submissionId: string): readonly string[] {
  return database
    .all(
      `SELECT kept_file FROM submission_items
       WHERE submission_id = ? AND kept_file IS NOT NULL AND status IN ('failed', 'rolled_back')`,
      submissionId,
    )
    .map((row) => row.text('kept_file'));
}

/** Whether an item refers to a stored picture. */
export function isFileReferenced(database: Database, key: string): boolean {
  return database.first('SELECT 1 FROM submission_items WHERE kept_file = ?', key) !== undefined;
}

/** For JSON that this program has written itself. */
function parse<T>(text: string): T {
  const value: T = JSON.parse(text);
  return value;
}

function parseOrNull<T>(text: string | null): T | null {
  return text === null ? null : parse<T>(text);
}

function oneOf<T extends string>(text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new TypeError(`"${text}" is none of ${known.join(', ')}.`);
  return found;
}
