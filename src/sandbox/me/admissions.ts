import { randomUUID } from 'node:crypto';
import type { NewSet } from '../artwork.ts';
import { type Answer, readJson, Refusal } from '../http.ts';
import { findTarget } from '../model.ts';
import type { Row } from '../store.ts';
import { type Call, requireScopes } from './authorize.ts';
import { requireFilename, requireSize, requireType } from './file.ts';
import { applyOnce, recordEffect } from './mutation.ts';
import { isPartOf, outsideSet, requireAssignable, requireFree } from './places.ts';
import { requireInSet, requireSlot, requireThere } from './places.ts';
import { type Acting, current, owned, requireEdition, requireRevision, setKindOf } from './records.ts';
import { invalid, refuse } from './refusals.ts';
import { type CreationBody, creationBody, type DeclaredFile } from './requests.ts';
import { editBody, type EditItem, maxItems } from './requests.ts';
import { type Admitted, changesMetadata, submissionRecord } from './submission-records.ts';

const mediaSetKinds: Readonly<Record<string, NewSet['kind']>> = {
  movie: 'movie_set',
  show: 'show_set',
  collection: 'collection_set',
  game: 'game_set',
};

/** @throws Refusal 422 for a kind of work that has no Sets */
export function mediaSetKind({ entryTargetKind }: Pick<CreationBody, 'entryTargetKind'>): NewSet['kind'] {
  const kind = mediaSetKinds[entryTargetKind];
  if (kind !== undefined) return kind;
  const message = `There are no Sets for a ${entryTargetKind}.`;
  throw refuse(422, 'target.unsupported', message, ['entryTargetKind']);
}

/** POST /me/set-uploads: declares a new Set and its files. */
export async function admitCreation(call: Call): Promise<Answer> {
  const { declaredFiles, ...admission } = await readJson(call.request, creationBody);
  const items = declaredFiles.map(additionOf);
  return admit(call, { family: 'creation', admission }, items, ({ store }) => {
    const { entryTargetKind: kind, entryTargetId: id, destination } = admission;
    const setKind = mediaSetKind(admission);
    if (findTarget(store, kind, id) === undefined) {
      throw refuse(422, 'target.unknown', `There is no ${kind} ${id}.`, ['entryTargetId']);
    }
    requireEdition(call, admission.editionId);
    if (destination !== null) {
      const groupKind = setKind === 'game_set' ? 'loadout' : 'boxset';
      const group = owned(call, 'group', destination.id, ['destination', 'id']);
      if (group.text('kind') !== groupKind) {
        const message = `A ${setKind} goes into a ${groupKind}.`;
        throw refuse(422, 'destination.incompatible', message, ['destination']);
      }
    }
    checkItems('declaredFiles', items, (item, at) => {
      const target = { kind: item.targetKind, id: item.targetId };
      requireSlot(store, target, item.slot, at);
      if (!isPartOf(store, { kind, id }, target)) throw outsideSet(target, at);
      requireDeclarable(item.declaredFile, at);
    });
  });
}

function additionOf(declared: CreationBody['declaredFiles'][number]): EditItem {
  const { itemId, position, targetKind, targetId, slot, ...declaredFile } = declared;
  const unused = { existingAssetId: null, expectedPreviousAssetId: null, expectedAssetUpdatedAt: null };
  return { operation: 'add', itemId, position, targetKind, targetId, slot, ...unused, declaredFile };
}

/** POST /me/sets/{setId}/updates: admits a grouped edit. */
export async function admitEdit(call: Call): Promise<Answer> {
  const setId = call.integer('setId');
  const { items, ...admission } = await readJson(call.request, editBody);
  if (admission.setId !== setId) throw invalid(['setId'], `This must be ${setId}, as in the path.`);
  if (items.length > maxItems) {
    const message = `One edit takes ${maxItems} items.`;
    throw refuse(422, 'submission.too_many_items', message, ['items'], { maxItems });
  }
  if (items.length === 0 && !changesMetadata(admission)) {
    throw invalid(['items'], 'Send items or metadata: there is nothing to change.');
  }
  const has = (...operations: EditItem['operation'][]) =>
    items.some(({ operation }) => operations.includes(operation));
  if (has('add', 'asset_metadata')) requireScopes(call.caller, { every: ['assets:write'] });
  if (has('replace')) requireScopes(call.caller, { every: ['assets:replace'] });
  return admit(call, { family: 'edit', admission }, items, () => {
    const set = owned(call, 'set', setId);
    const setKind = setKindOf(set);
    if (setKind !== admission.setKind) {
      throw refuse(422, 'set.kind', `The Set is a ${setKind}.`, ['setKind'], { setKind });
    }
    requireRevision(set, `Set ${setId}`, admission.expectedUpdatedAt);
    requireEdition(call, admission.editionId);
    checkItems('items', items, (item, at) => {
      checkItem(call, set, item, at);
      requireDeclarable(item.declaredFile, [...at, 'declaredFile']);
    });
  });
}

function admit(
  call: Call,
  admitted: Admitted,
  items: readonly EditItem[],
  requirePossible: (call: Call) => void,
): Answer {
  const { family, admission } = admitted;
  const { clientMutationId } = admission;
  const operation = family === 'creation' ? 'set.create' : 'set.edit';
  const asked = { ...admission, items };
  return applyOnce(call, { operation, clientMutationId, asked }, 201, (change) => {
    const { store, at } = change;
    requirePossible(change);
    const id = randomUUID();
    store.insert('submissions', {
      id,
      family,
      account_id: call.caller.accountId,
      client_mutation_id: clientMutationId,
      set_id: family === 'edit' ? admission.setId : null,
      admission: JSON.stringify(admission),
      created_at: at,
    });
    for (const item of items) {
      store.insert('submission_items', {
        submission_id: id,
        item_id: item.itemId,
        position: item.position,
        item: JSON.stringify(item),
        status: item.declaredFile === null ? 'received' : 'awaiting',
      });
    }
    recordEffect(change, 'submission', id, `${operation}.admit`);
    return submissionRecord(change, id);
  });
}

/** Checks every item, and refuses with the status and the code of the first refusal and the issues of all. */
function checkItems(
  list: 'items' | 'declaredFiles',
  items: readonly EditItem[],
  requireRight: (item: EditItem, at: readonly string[]) => void,
): void {
  const seen = new Set<string>();
  const refusals = items.flatMap((item, index) => {
    const at = [list, String(index)];
    try {
      requireDistinct(seen, item, at);
      requireRight(item, at);
      return [];
    } catch (error) {
      if (error instanceof Refusal) return [error];
      throw error;
    }
  });
  const [first] = refusals;
  if (first === undefined) return;
  const { status, code, message, details } = first;
  throw new Refusal(status, code, message, { details, issues: refusals.flatMap(({ issues }) => issues) });
}

/** No two items have the same id, position, place or Asset. @throws Refusal 422 */
function requireDistinct(seen: Set<string>, item: EditItem, at: readonly string[]): void {
  const assetId = item.existingAssetId ?? item.expectedPreviousAssetId;
  const facts = {
    itemId: item.itemId,
    position: item.position,
    ...(assetId === null ? {} : { existingAssetId: assetId }),
    ...(item.operation === 'asset_metadata'
      ? {}
      : { slot: `${item.targetKind} ${item.targetId} ${item.slot}` }),
  };
  for (const [field, value] of Object.entries(facts)) {
    const fact = `${field} ${value}`;
    if (seen.has(fact)) {
      throw refuse(422, 'item.repeated', `Two items have the same ${field}.`, [...at, field]);
    }
    seen.add(fact);
  }
}

/** Refuses the declaration of a file that could never be taken. @throws Refusal 400, 413, 415 or 422 */
function requireDeclarable(file: DeclaredFile | null, at: readonly string[]): void {
  if (file === null) return;
  requireFilename(file.filename, [...at, 'filename']);
  const format = requireType(file.contentType, [...at, 'contentType']);
  requireSize(file.contentLength, [...at, 'contentLength']);
  if (file.selectedSourceFrame !== null && format !== 'gif' && format !== 'webp') {
    const message = 'Only GIF and WebP files have frames to select.';
    throw refuse(422, 'asset.preview.not_animated', message, [...at, 'selectedSourceFrame']);
  }
}

/**
 * Requires that an item can be applied to the Set as it is now: at the admission, and again at the completion.
 * @throws Refusal 403, 404, 409 or 422
 */
export function checkItem(acting: Acting, set: Row, item: EditItem, at: readonly string[]): void {
  const { store } = acting;
  const target = { kind: item.targetKind, id: item.targetId };
  if (item.operation === 'add') {
    requireSlot(store, target, item.slot, at);
    requireInSet(store, set, target, at);
    requireFree(store, set.integer('id'), target, item.slot, at);
  } else if (item.operation === 'assign') {
    requireAssignable(acting, set, item, at);
  } else {
    const isReplaced = item.operation === 'replace';
    const path = [...at, isReplaced ? 'expectedPreviousAssetId' : 'existingAssetId'];
    const assetId = isReplaced ? item.expectedPreviousAssetId : item.existingAssetId;
    const revisionPath = [...at, 'expectedAssetUpdatedAt'];
    const asset = current(acting, assetId, item.expectedAssetUpdatedAt, path, revisionPath);
    requireThere(asset, { ...target, slot: item.slot, setId: set.integer('id') }, path);
    if (!isReplaced) requireEdition(acting, item.editionId, [...at, 'editionId']);
  }
}
