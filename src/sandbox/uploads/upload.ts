import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../access/caller.ts';
import type { Answer } from '../http.ts';
import type { UploadReceipt } from '../me/assumed.ts';
import type { Holder } from '../me/current-asset.ts';
import type { Asked } from '../me/operation.ts';
import type { OwnerSide, Processing } from '../me/owner-side.ts';
import { ProtectedError, privateAnswer } from '../me/protected-error.ts';
import { applyOnce, fingerprintOf, firstReceipt } from '../me/receipts.ts';
import { insert } from '../store/insert.ts';
import { allowedFile, mediaTypeOf, singleFile, type WrittenFile } from './declared-file.ts';
import { requireFit } from './fit.ts';
import { inspect } from './inspect.ts';
import { keepFile } from './kept-file.ts';
import { type Destination, type Order, readOrder } from './order.ts';
import { type Placement, place } from './placement.ts';
import { receive, type StagedFile, stagingFolder } from './receive.ts';
import { noteRefusal, settlesUpload, type UploadIdentity } from './refusals.ts';
import { type Picture, saveAsset, touchPlace } from './save.ts';

/**
 * Takes one file and saves it as an Asset (the interface document, Single-Asset upload). What is wrong with
 * the request itself, or with its place, is refused before the body is read; nothing is saved before the
 * file has arrived whole and was decoded. A refusal of a well-formed request is the end of its
 * `clientMutationId`: the status lookup tells of it, and the same request is refused again as it was.
 */
export async function upload(
  side: OwnerSide,
  caller: Caller,
  to: Destination,
  { query, request }: Asked,
): Promise<Answer> {
  const order = readOrder(query, to);
  const written = singleFile(request);
  const identity = identityOf(to, order, written);
  try {
    return await take(side, caller, to, order, written, identity, request);
  } catch (error) {
    if (error instanceof ProtectedError && settlesUpload(error)) noteRefusal(side, caller, identity, error);
    throw error;
  }
}

async function take(
  side: OwnerSide,
  caller: Caller,
  to: Destination,
  order: Order,
  written: WrittenFile,
  identity: UploadIdentity,
  request: IncomingMessage,
): Promise<Answer> {
  const { database, dataDir } = side;
  const before = firstReceipt(database, caller, identity);
  const declared = allowedFile(written);
  if (before === undefined) place(database, caller, to, order);
  const staged = await receive(request, stagingFolder(dataDir), declared);
  try {
    // Once more the same file, so that the receipt is given for nothing else.
    if (before !== undefined) return privateAnswer(200, { data: before });
    const inspected = await inspect(staged, declared.contentType);
    requireFit(inspected, order.slot);
    const picture = { declared, sha256: staged.sha256, inspected, selectedFrame: null };
    const processing = side.processingOf(request);
    if (processing?.failure) return fail(side, caller, to, order, identity, processing);
    return await save(side, caller, to, order, identity, staged, picture, processing);
  } finally {
    await staged.discard();
  }
}

function identityOf(to: Destination, order: Order, written: WrittenFile): UploadIdentity {
  const file = { ...written, contentType: mediaTypeOf(written.contentType) };
  return {
    operation: `asset.${order.operation}`,
    clientMutationId: order.clientMutationId,
    fingerprint: fingerprintOf({ to, order, file }),
  };
}

async function save(
  side: OwnerSide,
  caller: Caller,
  to: Destination,
  order: Order,
  identity: UploadIdentity,
  staged: StagedFile,
  arrived: Omit<Picture, 'assetId' | 'key'>,
  processing: Processing | null,
): Promise<Answer> {
  const { database, dataDir } = side;
  const assetId = randomUUID();
  const kept = await keepFile(staged, dataDir, assetId, arrived.inspected.format);
  let saved = false;
  try {
    const now = side.now();
    const { receipt, first } = applyOnce(database, caller, identity, now.toISOString(), () => {
      const placement = place(database, caller, to, order);
      saveAsset(side, caller, { ...arrived, assetId, key: kept.key }, placement, now, order.clientMutationId);
      const holder = touchPlace(side, placement, now);
      noteUpload(side, caller, order, assetId, now, processing);
      return receiptOf(side, order, placement, { assetId, holder }, now, processing);
    });
    saved = first;
    return privateAnswer(first ? 201 : 200, { data: receipt });
  } finally {
    // Refused at last, or a request with the same identity was faster.
    if (!saved) await kept.remove();
  }
}

/** The upload is accepted, and comes to nothing. */
function fail(
  side: OwnerSide,
  caller: Caller,
  to: Destination,
  order: Order,
  identity: UploadIdentity,
  processing: Processing,
): Answer {
  const now = side.now();
  const { receipt } = applyOnce(side.database, caller, identity, now.toISOString(), () => {
    const placement = place(side.database, caller, to, order);
    noteUpload(side, caller, order, null, now, processing);
    return receiptOf(side, order, placement, null, now, processing);
  });
  return privateAnswer(202, { data: receipt });
}

/** What the status lookup will tell. */
function noteUpload(
  { database }: OwnerSide,
  { accountId }: Caller,
  { clientMutationId }: Order,
  assetId: string | null,
  now: Date,
  processing: Processing | null,
): void {
  insert(database, 'asset_uploads', {
    account_id: accountId,
    client_mutation_id: clientMutationId,
    asset_id: assetId,
    processed_at: new Date(now.getTime() + (processing?.milliseconds ?? 0)).toISOString(),
    error_code: processing?.failure?.code ?? null,
    error_message: processing?.failure?.message ?? null,
  });
}

function receiptOf(
  { publicationLagMs }: OwnerSide,
  { operation, clientMutationId, previousAssetId, slot }: Order,
  { target }: Placement,
  saved: { readonly assetId: string; readonly holder: Holder | null } | null,
  now: Date,
  processing: Processing | null,
): UploadReceipt {
  return {
    operation: `asset.${operation}`,
    clientMutationId,
    assetId: saved?.assetId ?? null,
    processingStatus: processing === null ? 'succeeded' : 'processing',
    publicationStatus: publicationLagMs > 0 || saved === null ? 'pending' : 'succeeded',
    slot,
    target,
    previousAssetId,
    updatedAt: saved === null ? null : now.toISOString(),
    holder: saved?.holder ?? null,
  };
}
