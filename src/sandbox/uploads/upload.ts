import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from '../http.ts';
import type { UploadReceipt } from '../me/assumed.ts';
import type { Caller } from '../me/authorize.ts';
import type { OperationRequest, Processing, ProtectedContext } from '../me/context.ts';
import { applyOnce, findReceipt, fingerprintOf } from '../me/mutation.ts';
import type { AssetHolder } from '../me/owned.ts';
import { protectedAnswer, ProtectedError } from '../me/protected-error.ts';
import { insert } from '../store/database.ts';
import { type FileHeaders, mediaTypeOf, readUploadHeaders, validateFile } from './file-headers.ts';
import { receiveFile, type StagedFile, stagingFolder, storeFile } from './files.ts';
import { inspectPicture, requireFit } from './inspect.ts';
import { findPlacement, type Placement } from './placement.ts';
import { type Destination, readUploadQuery, type UploadQuery } from './query.ts';
import { type ReceivedPicture, saveAsset, updatePlacementHolder } from './save.ts';
import { isFinalRefusal, recordUploadRefusal, type UploadIdentity } from './status.ts';

/** One upload, after its query and headers were read. */
interface Upload {
  readonly context: ProtectedContext;
  readonly caller: Caller;
  readonly to: Destination;
  readonly query: UploadQuery;
  readonly identity: UploadIdentity;
}

/**
 * Receives one file and saves it as an Asset (the interface document, Single-Asset upload). A wrong request
 * or place is refused before the body is read; nothing is saved before the whole file was received and
 * decoded. A refusal of a well-formed request is final for its `clientMutationId`: the status lookup reports
 * it, and the same request is refused again.
 */
export async function uploadAsset(
  context: ProtectedContext,
  caller: Caller,
  to: Destination,
  call: OperationRequest,
): Promise<Answer> {
  const query = readUploadQuery(call.query, to);
  const headers = readUploadHeaders(call.request);
  const identity = identityOf(to, query, headers);
  try {
    return await receiveAndSave({ context, caller, to, query, identity }, headers, call.request);
  } catch (error) {
    if (error instanceof ProtectedError && isFinalRefusal(error))
      recordUploadRefusal(context, caller, identity, error);
    throw error;
  }
}

async function receiveAndSave(
  upload: Upload,
  headers: FileHeaders,
  request: IncomingMessage,
): Promise<Answer> {
  const { context, caller, to, query, identity } = upload;
  const before = findReceipt(context.database, caller, identity);
  const declared = validateFile(headers);
  if (before === undefined) findPlacement(context.database, caller, to, query);
  const staged = await receiveFile(request, stagingFolder(context.dataDir), declared);
  try {
    // The same file has to arrive again before the receipt is returned.
    if (before !== undefined) return protectedAnswer(200, { data: before });
    const inspected = await inspectPicture(staged, declared.contentType);
    requireFit(inspected, query.slot);
    const picture = { declared, sha256: staged.sha256, inspected, selectedFrame: null };
    const processing = context.processingOf(request);
    if (processing?.failure) return fail(upload, processing);
    return await save(upload, staged, picture, processing);
  } finally {
    await staged.discard();
  }
}

function identityOf(to: Destination, query: UploadQuery, headers: FileHeaders): UploadIdentity {
  const file = { ...headers, contentType: mediaTypeOf(headers.contentType) };
  return {
    operation: `asset.${query.operation}`,
    clientMutationId: query.clientMutationId,
    // Stored fingerprints contain these member names.
    fingerprint: fingerprintOf({ to, order: query, file }),
  };
}

async function save(
  upload: Upload,
  staged: StagedFile,
  received: Omit<ReceivedPicture, 'assetId' | 'key'>,
  processing: Processing | null,
): Promise<Answer> {
  const { context, caller, to, query, identity } = upload;
  const assetId = randomUUID();
  const stored = await storeFile(staged, context.dataDir, assetId, received.inspected.format);
  let saved = false;
  try {
    const now = context.now();
    const { receipt, first } = applyOnce(context.database, caller, identity, now.toISOString(), () => {
      const placement = findPlacement(context.database, caller, to, query);
      const picture = { ...received, assetId, key: stored.key };
      saveAsset(context, caller, picture, placement, now, query.clientMutationId);
      const holder = updatePlacementHolder(context, placement, now);
      recordUpload(upload, assetId, now, processing);
      return receiptOf(upload, placement, { assetId, holder }, now, processing);
    });
    saved = first;
    return protectedAnswer(first ? 201 : 200, { data: receipt });
  } finally {
    // Refused in the end, or a request with the same identity was faster.
    if (!saved) await stored.remove();
  }
}

/** The upload is accepted, and fails later. */
function fail(upload: Upload, processing: Processing): Answer {
  const { context, caller, to, query, identity } = upload;
  const now = context.now();
  const { receipt } = applyOnce(context.database, caller, identity, now.toISOString(), () => {
    const placement = findPlacement(context.database, caller, to, query);
    recordUpload(upload, null, now, processing);
    return receiptOf(upload, placement, null, now, processing);
  });
  return protectedAnswer(202, { data: receipt });
}

/** Stores what the status lookup reports. */
function recordUpload(
  { context, caller, query }: Upload,
  assetId: string | null,
  now: Date,
  processing: Processing | null,
): void {
  insert(context.database, 'asset_uploads', {
    account_id: caller.accountId,
    client_mutation_id: query.clientMutationId,
    asset_id: assetId,
    processed_at: new Date(now.getTime() + (processing?.milliseconds ?? 0)).toISOString(),
    error_code: processing?.failure?.code ?? null,
    error_message: processing?.failure?.message ?? null,
  });
}

function receiptOf(
  { context, query }: Upload,
  { target }: Placement,
  saved: { readonly assetId: string; readonly holder: AssetHolder | null } | null,
  now: Date,
  processing: Processing | null,
): UploadReceipt {
  const { operation, clientMutationId, previousAssetId, slot } = query;
  return {
    operation: `asset.${operation}`,
    clientMutationId,
    assetId: saved?.assetId ?? null,
    processingStatus: processing === null ? 'succeeded' : 'processing',
    publicationStatus: context.publicationLagMs > 0 || saved === null ? 'pending' : 'succeeded',
    slot,
    target,
    previousAssetId,
    updatedAt: saved === null ? null : now.toISOString(),
    holder: saved?.holder ?? null,
  };
}
