import { createSet, editAsset, editGroup, editSet } from '../artwork.ts';
import { type Answer, privateJson, readJson, Refusal } from '../http.ts';
import type { Row } from '../store.ts';
import { checkItem } from './admissions.ts';
import type { Call } from './authorize.ts';
import { type FileHeaders, inspect, keepFile, readFileHeaders, receive } from './file.ts';
import { type Change, changeOf, type Failure, recordEffect } from './mutation.ts';
import { owned } from './records.ts';
import { refusalOf, refuse } from './refusals.ts';
import { checkQuery, completionBody, type EditItem, itemQuery } from './requests.ts';
import { type End, type Family, type Item, itemsOf, itemUnder, ownSubmission } from './submission-records.ts';
import { type Submission, submissionRecord, writeItem, writeSubmission } from './submission-records.ts';
import { type Place, saveAsset } from './uploads.ts';

/** GET /me/set-uploads/{submissionId} and /me/set-updates/{submissionId}. */
export function readSubmission(call: Call, family: Family) {
  return submissionRecord(call, ownSubmission(call, family));
}

/**
 * Receives the file of one item. A transfer that differs from the declaration is refused and can be made again; a
 * declared file that is no suitable picture has failed for good. The same file again gets the same answer.
 */
export async function receiveItem(call: Call, family: Family): Promise<Answer> {
  const { store, context, request, query } = call;
  const { itemId } = checkQuery(itemQuery, query);
  const submission = ownSubmission(call, family);
  const { item } = itemUnder(store, submission.id, itemId);
  const { declaredFile: declared, slot } = item;
  if (declared === null) throw refuse(422, 'item.without_file', `Item ${itemId} takes no file.`, ['itemId']);
  const headers = readFileHeaders(request);
  requireDeclared(declared, headers);
  const { bytes, sha256 } = await receive(request, headers);
  const { contentType, selectedSourceFrame } = declared;
  const picture = await inspect(bytes, contentType, slot, selectedSourceFrame).catch(refusalOf);
  const processing = context.processingOf(request);
  const status = store.transaction(() => {
    const found = itemUnder(store, submission.id, itemId);
    if (found.status !== 'awaiting') {
      if (found.sha256 === sha256) return 200;
      throw refuse(409, 'file.already_received', 'The item has received another file.', ['itemId']);
    }
    const failure = picture instanceof Refusal ? picture : (processing?.failure ?? null);
    const operation = failure === null ? 'submission.file' : 'submission.file_failed';
    const { clientMutationId } = submission.admission;
    const change = changeOf(call, { operation, clientMutationId });
    writeItem(store, submission.id, {
      ...found,
      status: failure === null ? 'received' : 'failed',
      error: failure && { code: failure.code, message: failure.message },
      processedAt: later(change.at, processing?.milliseconds),
      sha256,
      kept: picture instanceof Refusal ? null : keepFile(context.dataDir, bytes, picture),
    });
    recordEffect(change, 'item', itemId);
    return 201;
  });
  if (picture instanceof Refusal) throw picture;
  const record = submissionRecord(call, submission);
  return privateJson(status, {
    item: record.submission.items.find((one) => one.itemId === itemId),
    ...record,
  });
}

function later(at: string, milliseconds = 0): string {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}

/** "Content-Type, Content-Length and X-Upload-Filename matching the declaration exactly". @throws Refusal 409 */
function requireDeclared(declared: NonNullable<EditItem['declaredFile']>, sent: FileHeaders): void {
  for (const field of ['contentType', 'contentLength', 'filename'] as const) {
    if (declared[field] === sent[field]) continue;
    throw refuse(409, 'file.declaration_conflict', `${declared[field]} was declared.`, [field]);
  }
}

/**
 * Completes a submission once the outcome of every file is known: all that it changes, it changes in one transaction.
 * A completed one is answered with its outcome again.
 */
export async function complete(call: Call, family: Family): Promise<Answer> {
  const { store, context, request } = call;
  await readJson(request, completionBody);
  const processing = context.processingOf(request);
  const completed = store.transaction((): Submission => {
    const submission = ownSubmission(call, family);
    if (submission.end !== null) return submission;
    const { clientMutationId } = submission.admission;
    const change = changeOf(call, { operation: 'submission.complete', clientMutationId });
    const items = itemsOf(store, submission.id);
    requireTerminal(items, change.at);
    const failure = processing?.failure ?? null;
    const applied =
      failure === null ? apply(change, submission, items) : fail(change, submission, items, failure);
    const end = {
      ...applied,
      completedAt: change.at,
      settlesAt: later(change.at, processing?.milliseconds),
      publicFrom: change.publicFrom,
    };
    writeSubmission(store, { ...submission, end });
    recordEffect(change, 'submission', submission.id);
    return { ...submission, end };
  });
  return privateJson(200, submissionRecord(call, completed));
}

type Applied = Pick<End, 'outcome' | 'set'>;

/** @throws Refusal 409 while the outcome of a file is not known */
function requireTerminal(items: readonly Item[], at: string): void {
  const open = items.find(
    ({ status, processedAt }) => status === 'awaiting' || (processedAt !== null && processedAt > at),
  );
  if (open === undefined) return;
  const path = ['items', open.item.itemId];
  throw refuse(409, 'submission.files_pending', 'The outcome of a file is not known yet.', path);
}

/** A failure that was asked for: a new Set is taken back, an edit changes nothing. */
function fail(
  { store }: Change,
  { id, family }: Submission,
  items: readonly Item[],
  error: Failure,
): Applied {
  const status = family === 'creation' ? 'rolled_back' : 'failed';
  for (const one of items) if (one.status === 'received') writeItem(store, id, { ...one, status, error });
  return { outcome: status, set: null };
}

function apply(change: Change, submission: Submission, items: readonly Item[]): Applied {
  const write = (item: Item) => writeItem(change.store, submission.id, item);
  return submission.family === 'creation'
    ? applyCreation(change, submission, items, write)
    : applyEdit(change, submission, items, write);
}

type Of<Name extends Family> = Submission & { readonly family: Name };

/** Creates the Set with every file that has arrived. Without any, there is no Set. */
function applyCreation(
  change: Change,
  { admission }: Of<'creation'>,
  items: readonly Item[],
  write: (item: Item) => void,
): Applied {
  const { store, at, publicFrom } = change;
  const ready = items.filter(({ status }) => status === 'received');
  if (ready.length === 0) return { outcome: 'failed', set: null };
  const { entryTargetKind: kind, languageCode, editionId, destination } = admission;
  const setId = createSet(store, {
    ...{ kind: `${kind}_set`, target: { kind, id: admission.entryTargetId }, members: [] },
    ...{ title: admission.titleBase, description: admission.description, languageCode, editionId },
    ...{ finalised: admission.finalised, groupId: destination?.id ?? null },
    ...{ ownerId: change.caller.accountId, createdAt: at, publicFrom },
  });
  if (destination !== null) editGroup(store, destination.id, {}, at);
  recordEffect(change, 'set', setId, 'set.create');
  for (const one of ready) {
    const assetId = saveItem(change, one, { setId, languageCode, editionId, replaces: null });
    write({ ...one, status: 'succeeded', assetId, updatedAt: at });
  }
  const outcome = ready.length === items.length ? 'succeeded' : 'partial';
  return { outcome, set: { id: setId, updatedAt: at } };
}

/**
 * Applies what can still be applied: each item is checked again, and the metadata against the admitted revision. What
 * fails stops nothing else (interface document, States, 4 and 5).
 */
function applyEdit(
  change: Change,
  { admission }: Of<'edit'>,
  items: readonly Item[],
  write: (item: Item) => void,
): Applied {
  const { clientMutationId: _, setId, setKind: __, expectedUpdatedAt, titleBase, ...rest } = admission;
  const metadata = { ...rest, ...(titleBase === undefined ? {} : { title: titleBase }) };
  const set = owned(change, 'set', setId);
  const succeeded = items.map((one) => {
    if (one.status !== 'received') return false;
    const end = applyItem(change, set, one);
    write({ ...one, ...end });
    return end.status === 'succeeded';
  });
  const changes = Object.keys(metadata).length > 0;
  const isStale = set.text('updated_at') !== expectedUpdatedAt;
  if (changes) succeeded.push(!isStale);
  if (!succeeded.includes(true)) return { outcome: 'failed', set: null };
  const updatedAt = editSet(change.store, setId, isStale ? {} : metadata, change.at, change.publicFrom);
  recordEffect(change, 'set', setId, 'set.edit');
  return { outcome: succeeded.includes(false) ? 'partial' : 'succeeded', set: { id: setId, updatedAt } };
}

type ItemEnd = Pick<Item, 'status'> & Partial<Pick<Item, 'error' | 'assetId' | 'updatedAt'>>;

function applyItem(change: Change, set: Row, stored: Item): ItemEnd {
  const { store, at } = change;
  const { item } = stored;
  try {
    checkItem(change, set, item, ['items', item.itemId]);
  } catch (error) {
    const { code, message } = refusalOf(error);
    return { status: 'failed', error: { code, message } };
  }
  const setId = set.integer('id');
  if (item.operation === 'add' || item.operation === 'replace') {
    const replaces = item.expectedPreviousAssetId;
    const like = replaces === null ? set : owned(change, 'asset', replaces);
    const [languageCode, editionId] = [like.textOrNull('language_code'), like.integerOrNull('edition_id')];
    const assetId = saveItem(change, stored, { setId, languageCode, editionId, replaces });
    return { status: 'succeeded', assetId, updatedAt: at };
  }
  const { existingAssetId: assetId, operation } = item;
  const { languageCode, editionId } = operation === 'assign' ? {} : item;
  const edit = {
    ...(languageCode === undefined ? {} : { languageCode }),
    ...(editionId === undefined ? {} : { editionId }),
    ...(operation === 'assign' ? { setId } : {}),
  };
  recordEffect(change, 'asset', assetId, operation === 'assign' ? 'asset.assign' : 'asset.metadata');
  return { status: 'succeeded', assetId, updatedAt: editAsset(store, assetId, edit, at) };
}

/** Makes the file of an item an Asset. */
function saveItem(change: Change, { item, kept }: Item, place: Omit<Place, 'target' | 'slot'>): string {
  if (kept === null) throw new TypeError(`${item.itemId} has no file.`);
  const target = { kind: item.targetKind, id: item.targetId };
  saveAsset(
    change,
    kept,
    { ...place, target, slot: item.slot },
    item.declaredFile?.selectedSourceFrame ?? null,
  );
  return kept.assetId;
}
