import { randomUUID } from 'node:crypto';
import { type Answer, readJson } from '../http.ts';
import { findTarget } from '../model.ts';
import type { Row } from '../store.ts';
import { type Call, requireScopes } from './authorize.ts';
import { requireDeclarable } from './file.ts';
import { applyOnce, recordEffect } from './mutation.ts';
import {
  requireAssignable,
  requireFree,
  requireInSet,
  requirePart,
  requireSlot,
  requireThere,
} from './places.ts';
import { type Acting, current, owned, requireEdition, requireRevision, setKindOf } from './records.ts';
import { invalid, refuse } from './refusals.ts';
import { type CreationBody, creationBody, type EditItem, editBody } from './requests.ts';
import type { Admitted, Item, Submission } from './submission-records.ts';
import { submissionRecord, writeSubmission } from './submission-records.ts';

/** POST /me/set-uploads: declares a new Set and its files. */
export async function admitCreation(call: Call): Promise<Answer> {
  const { declaredFiles, ...admission } = await readJson(call.request, creationBody);
  const items = declaredFiles.map(additionOf);
  return admit(call, { family: 'creation', admission }, items, ({ store }) => {
    const { entryTargetKind: kind, entryTargetId: id, destination } = admission;
    if (findTarget(store, kind, id) === undefined) {
      throw refuse(422, 'target.unknown', `There is no ${kind} ${id}.`, ['entryTargetId']);
    }
    requireEdition(call, admission.editionId);
    if (destination !== null) {
      const group = owned(call, 'group', destination.id, ['destination', 'id']);
      if ((kind === 'game') !== (group.text('kind') === 'loadout')) {
        throw refuse(422, 'destination.incompatible', 'Only games go into a Loadout.', ['destination']);
      }
    }
    for (const [index, item] of items.entries()) {
      const at = ['declaredFiles', String(index)];
      const target = { kind: item.targetKind, id: item.targetId };
      requireSlot(store, target, item.slot, at);
      requirePart(store, { kind, id }, target, at);
    }
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
  const has = (...operations: EditItem['operation'][]) =>
    items.some(({ operation }) => operations.includes(operation));
  if (has('add', 'asset_metadata')) requireScopes(call.caller, { every: ['assets:write'] });
  if (has('replace')) requireScopes(call.caller, { every: ['assets:replace'] });
  return admit(call, { family: 'edit', admission }, items, () => {
    const set = owned(call, 'set', setId);
    const setKind = setKindOf(set);
    if (setKind !== admission.setKind) {
      throw refuse(422, 'set.kind', `The Set is a ${setKind}.`, ['setKind']);
    }
    requireRevision(set, `Set ${setId}`, admission.expectedUpdatedAt);
    requireEdition(call, admission.editionId);
    for (const [index, item] of items.entries()) checkItem(call, set, item, ['items', String(index)]);
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
  return applyOnce(call, { operation, clientMutationId, asked: { ...admission, items } }, (change) => {
    const { store, at: createdAt } = change;
    requirePossible(change);
    requireDistinct(items);
    const waiting = items.map((item): Item => {
      if (item.declaredFile === null) return { item, status: 'received' };
      requireDeclarable(item.declaredFile, ['items', item.itemId]);
      return { item, status: 'awaiting' };
    });
    waiting.sort((one, other) => one.item.position - other.item.position);
    const id = randomUUID();
    const made = { id, accountId: call.caller.accountId, createdAt, items: waiting, end: null };
    const submission: Submission = { ...admitted, ...made };
    writeSubmission(store, submission);
    recordEffect(change, 'submission', id, `${operation}.admit`);
    return { status: 201, body: submissionRecord(change, submission) };
  });
}

/** No two items have the same id or change the same place. @throws Refusal 422 */
function requireDistinct(items: readonly EditItem[]): void {
  const seen = new Set<string>();
  for (const { itemId, operation, targetKind, targetId, slot, existingAssetId } of items) {
    const place = operation === 'asset_metadata' ? existingAssetId : `${targetKind} ${targetId} ${slot}`;
    for (const fact of [itemId, place]) {
      if (seen.has(fact)) throw refuse(422, 'item.repeated', `Two items have ${fact}.`, ['items', itemId]);
      seen.add(fact);
    }
  }
}

/**
 * Requires that an item can be applied to the Set as it is now: at the admission, and again at the completion.
 * @throws Refusal 403, 404, 409 or 422
 */
export function checkItem(acting: Acting, set: Row, item: EditItem, at: readonly string[]): void {
  const { store } = acting;
  const setId = set.integer('id');
  const { operation, slot } = item;
  const target = { kind: item.targetKind, id: item.targetId };
  if (operation === 'add') {
    requireSlot(store, target, slot, at);
    requireInSet(store, set, target, at);
    requireFree(store, { target, slot, setId }, at);
  } else if (operation === 'assign') {
    requireAssignable(acting, set, item, at);
  } else {
    const assetId = operation === 'replace' ? item.expectedPreviousAssetId : item.existingAssetId;
    requireThere(current(acting, assetId, item.expectedAssetUpdatedAt, at), { target, slot, setId }, at);
    if (operation === 'asset_metadata') requireEdition(acting, item.editionId, [...at, 'editionId']);
  }
}
