import { createSet, editAsset, editGroup, editSet } from '../artwork.ts';
import type { Processing } from '../context.ts';
import { type Answer, privateJson, readJson, Refusal } from '../http.ts';
import type { Row } from '../store.ts';
import { checkItem, mediaSetKind } from './admissions.ts';
import type { Call } from './authorize.ts';
import { type FileHeaders, fileName, inspect, keepFile } from './file.ts';
import { readFileHeaders, receive, removeFiles } from './file.ts';
import { type Change, changeOf, recordEffect } from './mutation.ts';
import { owned } from './records.ts';
import { refuse, stale } from './refusals.ts';
import { checkQuery, completionBody, type EditItem, itemQuery } from './requests.ts';
import { changesMetadata, type Failure, type Family, fileItem, type Item } from './submission-records.ts';
import { itemRecord, itemsOf, metadataOf, ownSubmission, type Submission } from './submission-records.ts';
import { submissionRecord, summaryOf } from './submission-records.ts';
import { type Place, saveAsset } from './uploads.ts';

/**
 * Receives the file of one item. A transfer that differs from the declaration is refused and can be made again; a
 * declared file that is no suitable picture has failed for good. The same file again gets the same answer.
 */
export async function receiveItem(call: Call, family: Family): Promise<Answer> {
  const { store, context, request, query } = call;
  const { dataDir } = context;
  const { itemId } = checkQuery(itemQuery, query);
  const submission = ownSubmission(call, family);
  const { declared, item, status } = fileItem(store, submission.id, itemId);
  const headers = readFileHeaders(request);
  requireDeclared(declared, headers);
  const { bytes, sha256 } = await receive(request, headers);
  if (status !== 'awaiting') return answerAgain(call, submission, itemId, sha256);
  const picture = await inspect(bytes, declared.contentType, item.slot, declared.selectedSourceFrame).catch(
    refusalOf,
  );
  const kept = picture instanceof Refusal ? null : await keepFile(dataDir, bytes, picture);
  const processing = context.processingOf(request);
  const failure = picture instanceof Refusal ? picture : (processing?.failure ?? null);
  const isFirst = store.transaction(() => {
    if (fileItem(store, submission.id, itemId).status !== 'awaiting') return false;
    const { clientMutationId } = submission;
    const operation = failure === null ? 'submission.file' : 'submission.file_failed';
    const change = changeOf(call, { operation, clientMutationId });
    const processedAt = new Date(Date.parse(change.at) + (processing?.milliseconds ?? 0)).toISOString();
    store.run(
      `UPDATE submission_items SET status = ?, error = ?, processed_at = ?, received = ?
       WHERE submission_id = ? AND item_id = ?`,
      failure === null ? 'received' : 'failed',
      failureText(failure),
      picture instanceof Refusal ? change.at : processedAt,
      JSON.stringify({ sha256, kept }),
      submission.id,
      itemId,
    );
    recordEffect(change, 'item', itemId);
    return true;
  });
  if (!isFirst && kept !== null) await removeFiles(dataDir, [fileName(kept)]);
  if (!isFirst) return answerAgain(call, submission, itemId, sha256);
  if (picture instanceof Refusal) throw picture;
  return itemAnswer(call, submission, itemId, 201);
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

function failureText(failure: Failure | null): string | null {
  return failure === null ? null : JSON.stringify({ code: failure.code, message: failure.message });
}

/** "Content-Type, Content-Length and X-Upload-Filename matching the declaration exactly". @throws Refusal 409 */
function requireDeclared(declared: NonNullable<EditItem['declaredFile']>, sent: FileHeaders): void {
  const headers = [
    ['Content-Type', 'contentType'],
    ['Content-Length', 'contentLength'],
    ['X-Upload-Filename', 'filename'],
  ] as const;
  const other = headers.filter(([, field]) => declared[field] !== sent[field]);
  if (other.length === 0) return;
  const code = 'file.declaration_conflict';
  throw new Refusal(409, code, 'This is not the file that was declared.', {
    details: { declared },
    issues: other.map(([name, field]) => ({
      code,
      message: `${declared[field]} was declared.`,
      path: [name],
    })),
  });
}

/** For a transfer to an item that has had one. @throws Refusal 409 for another file, 422 if it was refused */
function answerAgain(call: Call, submission: Submission, itemId: string, sha256: string): Answer {
  const { received, error } = fileItem(call.store, submission.id, itemId);
  if (received?.sha256 !== sha256) {
    throw refuse(409, 'file.already_received', 'The item has received another file.', ['itemId']);
  }
  if (received.kept === null && error !== null) throw refuse(422, error.code, error.message);
  return itemAnswer(call, submission, itemId, 200);
}

function itemAnswer(call: Call, { id }: Submission, itemId: string, status: number): Answer {
  const { settled, ...submission } = summaryOf(call, id);
  const item = itemRecord(fileItem(call.store, id, itemId), settled, call.context.now());
  return privateJson(status, { item, submission });
}

/**
 * Completes a submission once the outcome of every file is known: all that it changes, it changes in one transaction.
 * A completed one is answered with its outcome again.
 */
export async function complete(call: Call, family: Family): Promise<Answer> {
  const { store, context, request } = call;
  await readJson(request, completionBody);
  const processing = context.processingOf(request);
  const id = store.transaction(() => {
    const submission = ownSubmission(call, family);
    if (submission.row.textOrNull('completed_at') === null) {
      const { clientMutationId } = submission;
      settle(changeOf(call, { operation: 'submission.complete', clientMutationId }), submission, processing);
    }
    return submission.id;
  });
  const lost = itemsOf(store, id).flatMap(({ status, received }) =>
    status !== 'succeeded' && received?.kept ? [fileName(received.kept)] : [],
  );
  await removeFiles(context.dataDir, lost);
  return privateJson(200, submissionRecord(call, id));
}

/** How a submission ends. */
interface End {
  readonly outcome: 'succeeded' | 'partial' | 'rolled_back' | 'failed';
  /** The Set that was made or changed, with its new revision; null: nothing was. */
  readonly set: { readonly id: number; readonly updatedAt: string } | null;
  readonly metadataError?: Failure | null;
}

function settle(change: Change, submission: Submission, processing: Processing | null): void {
  const { store, at } = change;
  const items = itemsOf(store, submission.id);
  requireTerminal(items, at);
  const end =
    processing?.failure != null
      ? fail(change, submission, items, processing.failure)
      : submission.family === 'creation'
        ? applyCreation(change, submission, items)
        : applyEdit(change, submission, items);
  store.run(
    `UPDATE submissions SET completed_at = ?, settles_at = ?, meanwhile = ?, outcome = ?,
       set_id = ifnull(?, set_id), set_updated_at = ?, public_from = ?, metadata_error = ? WHERE id = ?`,
    at,
    new Date(Date.parse(at) + (processing?.milliseconds ?? 0)).toISOString(),
    processing?.unresolved ? 'unresolved' : null,
    end.outcome,
    end.set?.id ?? null,
    end.set?.updatedAt ?? null,
    end.set === null ? null : change.publicFrom,
    failureText(end.metadataError ?? null),
    submission.id,
  );
  recordEffect(change, 'submission', submission.id);
}

/** @throws Refusal 409 that names the files whose outcome is not known yet */
function requireTerminal(items: readonly Item[], at: string): void {
  const open = items
    .filter(({ status, processedAt }) => status === 'awaiting' || (processedAt !== null && processedAt > at))
    .map(({ item }) => item.itemId);
  if (open.length === 0) return;
  const code = 'submission.files_pending';
  const message = 'The outcome of a file is not known yet.';
  throw new Refusal(409, code, message, {
    details: { pendingItemIds: open },
    issues: open.map((itemId) => ({ code, message, path: ['items', itemId] })),
  });
}

/** A failure that was asked for: a new Set is taken back, an edit changes nothing. */
function fail(change: Change, submission: Submission, items: readonly Item[], error: Failure): End {
  const ready = items.filter(({ status }) => status === 'received');
  const outcome = submission.family === 'creation' && ready.length > 0 ? 'rolled_back' : 'failed';
  for (const one of ready) endItem(change, submission, one, { status: outcome, error });
  return { outcome, set: null, metadataError: error };
}

interface ItemEnd {
  readonly status: 'succeeded' | 'failed' | 'rolled_back';
  readonly error?: Failure;
  readonly assetId?: string;
  readonly updatedAt?: string;
}

function endItem({ store }: Change, { id }: Submission, { item }: Item, end: ItemEnd): void {
  store.run(
    `UPDATE submission_items SET status = ?, error = ?, asset_id = ?, asset_updated_at = ?
     WHERE submission_id = ? AND item_id = ?`,
    end.status,
    failureText(end.error ?? null),
    end.assetId ?? null,
    end.updatedAt ?? null,
    id,
    item.itemId,
  );
}

/** Creates the Set with every file that has arrived. Without any, there is no Set. */
function applyCreation(
  change: Change,
  submission: Submission & { readonly family: 'creation' },
  items: readonly Item[],
): End {
  const { store, at } = change;
  const ready = items.filter(({ status }) => status === 'received');
  if (ready.length === 0) return { outcome: 'failed', set: null };
  const { admission } = submission;
  const { languageCode, editionId, destination } = admission;
  const id = createSet(store, {
    kind: mediaSetKind(admission),
    target: { kind: admission.entryTargetKind, id: admission.entryTargetId },
    members: [],
    title: admission.titleBase,
    description: admission.description,
    ownerId: change.caller.accountId,
    languageCode,
    editionId,
    finalised: admission.finalised,
    groupId: destination?.id ?? null,
    createdAt: at,
    publicFrom: change.publicFrom,
  });
  if (destination !== null) editGroup(store, destination.id, {}, at);
  recordEffect(change, 'set', id, 'set.create');
  for (const one of ready) {
    const place = { setId: id, languageCode, editionId, replaces: null };
    endItem(change, submission, one, { status: 'succeeded', ...saveItem(change, one, place) });
  }
  return { outcome: ready.length === items.length ? 'succeeded' : 'partial', set: { id, updatedAt: at } };
}

/**
 * Applies what can still be applied: each item is checked again, and the metadata against the admitted revision. What
 * fails stops nothing else (interface document, States, 4 and 5).
 */
function applyEdit(
  change: Change,
  submission: Submission & { readonly family: 'edit' },
  items: readonly Item[],
): End {
  const { store } = change;
  const { admission } = submission;
  const { setId, expectedUpdatedAt } = admission;
  const set = owned(change, 'set', setId);
  const revision = set.text('updated_at');
  const statuses = items.map((one) => {
    if (one.status !== 'received') return one.status;
    const end = applyItem(change, set, one);
    endItem(change, submission, one, end);
    return end.status;
  });
  const isStale = revision !== expectedUpdatedAt;
  const changes = changesMetadata(admission);
  const metadataError = changes && isStale ? stale(`Set ${setId}`, expectedUpdatedAt, revision) : null;
  const all = changes ? [...statuses, metadataError === null ? 'succeeded' : 'failed'] : statuses;
  if (!all.includes('succeeded')) return { outcome: 'failed', set: null, metadataError };
  const edit = metadataError === null ? metadataOf(admission) : {};
  const updatedAt = editSet(store, setId, edit, change.at, change.publicFrom);
  recordEffect(change, 'set', setId, 'set.edit');
  const outcome = all.every((status) => status === 'succeeded') ? 'succeeded' : 'partial';
  return { outcome, set: { id: setId, updatedAt }, metadataError };
}

function applyItem(change: Change, set: Row, stored: Item): ItemEnd {
  const { store, at } = change;
  const { item } = stored;
  try {
    checkItem(change, set, item, ['items', item.itemId]);
  } catch (error) {
    return { status: 'failed', error: refusalOf(error) };
  }
  const setId = set.integer('id');
  if (item.operation === 'add' || item.operation === 'replace') {
    const replaces = item.expectedPreviousAssetId;
    const like = replaces === null ? set : owned(change, 'asset', replaces);
    const [languageCode, editionId] = [like.textOrNull('language_code'), like.integerOrNull('edition_id')];
    const saved = saveItem(change, stored, { setId, languageCode, editionId, replaces });
    return { status: 'succeeded', ...saved };
  }
  const assetId = item.existingAssetId;
  const { languageCode, editionId } = item.operation === 'asset_metadata' ? item : {};
  const edit = {
    ...(languageCode === undefined ? {} : { languageCode }),
    ...(editionId === undefined ? {} : { editionId }),
    ...(item.operation === 'assign' ? { setId } : {}),
  };
  const operation = item.operation === 'assign' ? 'asset.assign' : 'asset.metadata';
  recordEffect(change, 'asset', assetId, operation);
  return { status: 'succeeded', assetId, updatedAt: editAsset(store, assetId, edit, at) };
}

/** Makes the file of an item an Asset. */
function saveItem(change: Change, { item, received }: Item, place: Omit<Place, 'target' | 'slot'>) {
  if (item.declaredFile === null || !received?.kept) throw new TypeError(`${item.itemId} has no file.`);
  const target = { kind: item.targetKind, id: item.targetId };
  const { selectedSourceFrame } = item.declaredFile;
  saveAsset(change, received.kept, { ...place, target, slot: item.slot }, selectedSourceFrame);
  return { assetId: received.kept.assetId, updatedAt: change.at };
}
