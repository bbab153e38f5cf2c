import type { Caller } from '../access/caller.ts';
import type { OwnerSide } from '../me/owner-side.ts';
import type { ProtectedError } from '../me/protected-error.ts';
import { hasIdentity, type Identity, recordRefusal } from '../me/receipts.ts';
import { insert } from '../store/insert.ts';

export type UploadIdentity = Identity & { readonly clientMutationId: string };

/**
 * Whether a refusal is about what the upload asks for, and so settles it. One of the caller (401, 403, 429)
 * is not: with another connection or at another time the same upload can be right.
 */
export function settlesUpload({ status }: ProtectedError): boolean {
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status);
}

/** Keeps a refusal as what became of an upload, unless something has become of its identity already. */
export function noteRefusal(
  { database, now }: OwnerSide,
  caller: Caller,
  identity: UploadIdentity,
  refusal: ProtectedError,
): void {
  const at = now().toISOString();
  database.transaction(() => {
    if (hasIdentity(database, caller, identity)) return;
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
