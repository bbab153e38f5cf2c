import { createSet, editAsset, editGroup, editSet } from '../artwork.ts';
import { later } from '../context.ts';
import { type Answer, privateJson, Refusal, readJson } from '../http.ts';
import type { Row } from '../store.ts';
import { checkItem } from './admissions.ts';
import type { Call } from './authorize.ts';
import { type FileHeaders, inspect, keepFile, readFileHeaders, receive } from './file.ts';
import { type Change, changeOf, type Failure, recordEffect } from './mutation.ts';
import { owned } from './records.ts';
import { refusalOf, refuse } from './refusals.ts';
import { checkQuery, completionBody, type EditItem, itemQuery } from './requests.ts';
import type { End, Family, Item, Submission } from './submission-records.ts';
import { itemUnder, ownSubmission, submissionRecord, writeSubmission } from './submission-records.ts';
import { type Place, saveAsset } from './uploads.ts';

/**
 * Receives the file of one item. A transfer that differs from the declaration is refused and can be made again; a
 * declared file that is no suitable picture has failed for good. The same file again gets the same answer.
 */
export async function receiveItem(call: Call, family: Family): Promise<Answer> {
  const { store, context, request, query } = call;
  const { itemId } = checkQuery(itemQuery, query);
  const { item } = itemUnder(ownSubmission(call, family), itemId);
  const { declaredFile: declared, slot } = item;
  if (declared === null) throw refuse(422, 'item.without_file', `Item ${itemId} takes no file.`, ['itemId']);
  const headers = readFileHeaders(request);
  requireDeclared(declared, headers);
  const { bytes, sha256 } = await receive(request, headers);
  const { contentType, selectedSourceFrame } = declared;
  const picture = await inspect(bytes, contentType, slot, selectedSourceFrame).catch(refusalOf);
  const processing = context.processingOf(request);
  const { status, submission } = store.transaction(() => {
    const submission = ownSubmission(call, family);
    const found = itemUnder(submission, itemId);
    if (found.file?.sha256 === sha256) return { status: 200, submission };
    if (found.status !== 'awaiting') {
      throw refuse(409, 'file.already_received', 'The item has received another file.', ['itemId']);
    }
    const failure = picture instanceof Refusal ? picture : (processing?.failure ?? null);
    const operation = failure === null ? 'submission.file' : 'submission.file_failed';
    const { clientMutationId } = submission.admission;
    const change = changeOf(call, { operation, clientMutationId });
    const received: Item = {
      item,
      status: failure === null ? 'received' : 'failed',
      error: failure && { code: failure.code, message: failure.message },
      file: {
        sha256,
        processedAt: later(change.at, processing?.milliseconds ?? 0),
        kept: picture instanceof Refusal ? null : keepFile(context.dataDir, bytes, picture),
      },
    };
    const items = submission.items.map((one) => (one === found ? received : one));
    writeSubmission(store, { ...submission, items });
    recordEffect(change, 'item', itemId);
    return { status: 201, submission: { ...submission, items } };
  });
  if (picture instanceof Refusal) throw picture;
  const record = submissionRecord(call, submission);
  const shown = record.submission.items.find((one) => one.itemId === itemId);
  return privateJson(status, { item: shown, ...record });
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
    requireTerminal(submission.items, change.at);
    const { items, ...applied } = processing?.failure
      ? failed(submission, processing.failure)
      : submission.family === 'creation'
        ? applyCreation(change, submission.admission, submission.items)
        : applyEdit(change, submission.admission, submission.items);
    const settlesAt = later(change.at, processing?.milliseconds ?? 0);
    const end = { ...applied, completedAt: change.at, settlesAt, publicFrom: change.publicFrom };
    const completed = { ...submission, items, end };
    writeSubmission(store, completed);
    recordEffect(change, 'submission', submission.id);
    return completed;
  });
  return privateJson(200, submissionRecord(call, completed));
}

/** @throws Refusal 409 while the outcome of a file is not known */
function requireTerminal(items: readonly Item[], at: string): void {
  const isOpen = ({ status, file }: Item) => status === 'awaiting' || (file?.processedAt ?? at) > at;
  const open = items.find(isOpen);
  if (open === undefined) return;
  const path = ['items', open.item.itemId];
  throw refuse(409, 'submission.files_pending', 'The outcome of a file is not known yet.', path);
}

type Applied = Pick<End, 'outcome' | 'set'> & Pick<Submission, 'items'>;

/** A failure that was asked for: a new Set is taken back, an edit changes nothing. */
function failed({ family, items }: Submission, error: Failure): Applied {
  const status = family === 'creation' ? 'rolled_back' : 'failed';
  const ended = items.map((one): Item => (one.status === 'received' ? { ...one, status, error } : one));
  return { outcome: status, set: null, items: ended };
}

type AdmissionOf<Name extends Family> = (Submission & { readonly family: Name })['admission'];

/** Creates the Set with every file that has arrived. Without any, there is no Set. */
function applyCreation(change: Change, admission: AdmissionOf<'creation'>, items: readonly Item[]): Applied {
  const { store, at, publicFrom } = change;
  const arrived = items.filter(({ status }) => status === 'received').length;
  if (arrived === 0) return { outcome: 'failed', set: null, items };
  const { entryTargetKind: kind, languageCode, editionId, destination } = admission;
  const setId = createSet(store, {
    ...{ kind: `${kind}_set`, target: { kind, id: admission.entryTargetId }, members: [] },
    ...{ title: admission.titleBase, description: admission.description, languageCode, editionId },
    ...{ finalised: admission.finalised, groupId: destination?.id ?? null },
    ...{ ownerId: change.caller.accountId, createdAt: at, publicFrom },
  });
  if (destination !== null) editGroup(store, destination.id, {}, at);
  recordEffect(change, 'set', setId, 'set.create');
  const ended = items.map((one): Item => {
    if (one.status !== 'received') return one;
    const assetId = saveItem(change, one, { setId, languageCode, editionId, replaces: null });
    return { ...one, status: 'succeeded', asset: { assetId, updatedAt: at } };
  });
  const outcome = arrived === items.length ? 'succeeded' : 'partial';
  return { outcome, set: { id: setId, updatedAt: at }, items: ended };
}

/**
 * Applies what can still be applied: each item is checked again, and the metadata against the admitted revision. What
 * fails stops nothing else (interface document, States, 4 and 5).
 */
function applyEdit(change: Change, admission: AdmissionOf<'edit'>, items: readonly Item[]): Applied {
  const { clientMutationId: _, setId, setKind: __, expectedUpdatedAt, titleBase, ...rest } = admission;
  const metadata = { ...rest, ...(titleBase === undefined ? {} : { title: titleBase }) };
  const set = owned(change, 'set', setId);
  const ended = items.map((one) => (one.status === 'received' ? applyItem(change, set, one) : one));
  const succeeded = ended.map(({ status }) => status === 'succeeded');
  const isStale = set.text('updated_at') !== expectedUpdatedAt;
  if (Object.keys(metadata).length > 0) succeeded.push(!isStale);
  if (!succeeded.includes(true)) return { outcome: 'failed', set: null, items: ended };
  const updatedAt = editSet(change.store, setId, isStale ? {} : metadata, change.at, change.publicFrom);
  recordEffect(change, 'set', setId, 'set.edit');
  const outcome = succeeded.includes(false) ? 'partial' : 'succeeded';
  return { outcome, set: { id: setId, updatedAt }, items: ended };
}

function applyItem(change: Change, set: Row, stored: Item): Item {
  const { store, at } = change;
  const { item } = stored;
  try {
    checkItem(change, set, item, ['items', item.itemId]);
  } catch (error) {
    const { code, message } = refusalOf(error);
    return { ...stored, status: 'failed', error: { code, message } };
  }
  const setId = set.integer('id');
  if (item.operation === 'add' || item.operation === 'replace') {
    const replaces = item.expectedPreviousAssetId;
    const like = replaces === null ? set : owned(change, 'asset', replaces);
    const [languageCode, editionId] = [like.textOrNull('language_code'), like.integerOrNull('edition_id')];
    const assetId = saveItem(change, stored, { setId, languageCode, editionId, replaces });
    return { ...stored, status: 'succeeded', asset: { assetId, updatedAt: at } };
  }
  const { existingAssetId: assetId } = item;
  const edit =
    item.operation === 'assign' ? { setId } : { languageCode: item.languageCode, editionId: item.editionId };
  recordEffect(change, 'asset', assetId, `asset.${item.operation === 'assign' ? 'assign' : 'metadata'}`);
  const updatedAt = editAsset(store, assetId, edit, at);
  return { ...stored, status: 'succeeded', asset: { assetId, updatedAt } };
}

/** Makes the file of an item an Asset. */
function saveItem(change: Change, { item, file }: Item, place: Omit<Place, 'target' | 'slot'>): string {
  if (!file?.kept) throw new TypeError(`${item.itemId} has no file.`);
  const target = { kind: item.targetKind, id: item.targetId };
  const frame = item.declaredFile?.selectedSourceFrame ?? null;
  saveAsset(change, file.kept, { ...place, target, slot: item.slot }, frame);
  return file.kept.assetId;
}
