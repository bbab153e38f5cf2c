import type { Caller } from '../access/caller.ts';
import { publicationStatus } from '../me/assets.ts';
import type { PublicationStatus } from '../me/assumed.ts';
import { unknown } from '../me/protected-error.ts';
import type { Database } from '../store/database.ts';

/** The interface document, Asset upload status. */
export interface UploadStatus {
  readonly clientMutationId: string;
  readonly assetId: string | null;
  readonly processingStatus: 'processing' | 'succeeded' | 'failed';
  readonly publicationStatus: PublicationStatus;
  readonly retryable: false;
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * What became of a single upload of the caller's.
 * @throws ProtectedError 404 when none under this id was accepted or, being well-formed, refused.
 */
export function readUploadStatus(
  database: Database,
  { accountId }: Caller,
  written: string,
  now: Date,
): UploadStatus {
  const clientMutationId = written.toLowerCase();
  const row = database.first(
    `SELECT u.*, a.public_from FROM asset_uploads u LEFT JOIN assets a ON a.id = u.asset_id
     WHERE u.account_id = ? AND u.client_mutation_id = ?`,
    accountId,
    clientMutationId,
  );
  if (row === undefined) throw unknown(`An upload under ${written}`);
  const known = { clientMutationId, assetId: row.textOrNull('asset_id'), retryable: false } as const;
  if (row.text('processed_at') > now.toISOString()) {
    return { ...known, processingStatus: 'processing', publicationStatus: 'pending' };
  }
  const code = row.textOrNull('error_code');
  if (code === null) {
    return { ...known, processingStatus: 'succeeded', publicationStatus: publicationStatus(row, now) };
  }
  const error = { code, message: row.text('error_message') };
  return { ...known, processingStatus: 'failed', publicationStatus: 'not_required', error };
}
