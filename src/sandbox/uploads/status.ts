import { publicationStatus } from '../me/assets.ts';
import type { PublicationStatus } from '../me/assumed.ts';
import type { Caller } from '../me/authorize.ts';
import type { ProtectedContext } from '../me/context.ts';
import { isIdentityUsed, type MutationIdentity, recordRefusal } from '../me/mutation.ts';
import { doesNotExist, type ProtectedError } from '../me/protected-error.ts';
import { type Database, insert } from '../store/database.ts';

/** The interface document, Asset upload status. */
interface UploadStatus {
  readonly clientMutationId: string;
  readonly assetId: string | null;
  readonly processingStatus: 'processing' | 'succeeded' | 'failed';
  readonly publicationStatus: PublicationStatus;
  readonly retryable: false;
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * The status of a single upload of the caller.
 * @throws ProtectedError 404 when none was accepted or, being well-formed, refused under this id.
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
  if (row === undefined) throw doesNotExist(`An upload under ${written}`);
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

export type UploadIdentity = MutationIdentity & { readonly clientMutationId: string };

/**
 * Whether a refusal depends on the upload alone, and so is final. Refusals of the caller (401, 403, 429) are
 * not: with another connection or at another time the same upload can succeed.
 */
export function isFinalRefusal({ status }: ProtectedError): boolean {
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status);
}

/** Stores a refusal as the outcome of an upload, unless its identity has an outcome already. */
export function recordUploadRefusal(
  { database, now }: ProtectedContext,
  caller: Caller,
  identity: UploadIdentity,
  refusal: ProtectedError,
): void {
  const at = now().toISOString();
  database.transaction(() => {
    if (isIdentityUsed(database, caller, identity)) return;
    recordRefusal(database, caller, identity, refusal, at);
    insert(database, 'asset_uploads', {
      account_id: caller.accountId,
      client_mutation_id: identity.clientMutationId,
      asset_id: null,
      processed_at: at,
      error_code: refusal.code,
      error_message: refusal.message,
    });
  });
}
