import type { z } from 'zod';
import { createGroup, createSet, editAsset, editGroup, editSet } from '../artwork.ts';
import { findTarget } from '../model.ts';
import type { Row, Store } from '../store.ts';
import type { Call } from './authorize.ts';
import { requireFrame } from './file.ts';
import { type Change, mutate, recordEffect } from './mutation.ts';
import { requireAssignable } from './places.ts';
import {
  current,
  owned,
  publicationOf,
  publishedAt,
  requireEdition,
  requireRevision,
  setKindOf,
} from './records.ts';
import { invalid, missing, refuse } from './refusals.ts';
import {
  assignmentBody,
  groupEditBody,
  metadataBody,
  newGroupBody,
  newGroupingSetBody,
  previewBody,
  relationshipBody,
} from './requests.ts';
import { touchHolder } from './uploads.ts';

/*
 * Single changes that carry no file. But for metadata edits, the interface document shows neither their bodies nor
 * their answers: **assumed** is a receipt in `data` with the id of what was made or changed, its new revision and
 * `publicationStatus`.
 */

/** POST /me/assets/{assetId}/metadata. */
export function editMetadata(call: Call) {
  return mutate(call, 'asset.metadata', 200, metadataBody, (change, { expectedUpdatedAt, ...edit }) => {
    const asset = current(change, call.segment('assetId').toLowerCase(), expectedUpdatedAt);
    requireEdition(change, edit.editionId);
    return changeAsset(change, asset, edit);
  });
}

/** POST /me/assets/{assetId}/preview. */
export function selectPreview(call: Call) {
  return mutate(call, 'asset.preview', 200, previewBody, (change, asked) => {
    const asset = current(change, call.segment('assetId').toLowerCase(), asked.expectedUpdatedAt);
    requireFrame(asked.selectedSourceFrame, asset.integer('frames'));
    return changeAsset(change, asset, { selectedFrame: asked.selectedSourceFrame });
  });
}

function changeAsset(change: Change, asset: Row, edit: Parameters<typeof editAsset>[2]) {
  const assetId = asset.text('id');
  const updatedAt = editAsset(change.store, assetId, edit, change.at);
  const target = { kind: asset.text('target_kind'), id: asset.integer('target_id') };
  touchHolder(change, { setId: asset.integerOrNull('set_id'), target });
  recordEffect(change, 'asset', assetId);
  return {
    assetId,
    updatedAt,
    publicationStatus: publishedAt(asset.text('public_from'), change.context),
  };
}

/** POST /me/groups. */
export function makeGroup(call: Call) {
  return mutate(call, 'group.create', 201, newGroupBody, (change, { clientMutationId: _, ...group }) => {
    const { store, caller, at: createdAt, publicFrom } = change;
    requireMembers(change, group.kind, group.setIds, null);
    const id = createGroup(store, { ...group, ownerId: caller.accountId, createdAt, publicFrom });
    return groupReceipt(change, id);
  });
}

/** POST /me/groups/{groupId}. */
export function changeGroup(call: Call) {
  return mutate(call, 'group.edit', 200, groupEditBody, (change, asked) => {
    const { clientMutationId: _, expectedUpdatedAt, ...edit } = asked;
    const id = call.integer('groupId');
    const group = owned(change, 'group', id);
    requireRevision(group, `Group ${id}`, expectedUpdatedAt);
    if (edit.setIds !== undefined) requireMembers(change, group.text('kind'), edit.setIds, id);
    editGroup(change.store, id, edit, change.at);
    return groupReceipt(change, id);
  });
}

function groupReceipt(change: Change, id: number) {
  const row = change.store.only('SELECT * FROM groups WHERE id = ?', id);
  recordEffect(change, row.text('kind'), id);
  return { ...row.members('id', 'kind', 'updatedAt'), publicationStatus: publicationOf(change.context, row) };
}

/** Each Set is the caller's, of a kind that the group takes, and in no other group. @throws Refusal */
function requireMembers(
  change: Change,
  groupKind: string,
  setIds: readonly number[],
  groupId: number | null,
) {
  const kinds = groupKind === 'loadout' ? ['game_set'] : ['movie_set', 'show_set', 'collection_set'];
  for (const [index, setId] of setIds.entries()) {
    const path = ['setIds', String(index)];
    const set = owned(change, 'set', setId, path);
    const held = set.integerOrNull('group_id');
    if (!kinds.includes(set.text('kind'))) {
      throw refuse(422, 'group.set_kind', `A ${groupKind} has no Sets of this kind.`, path);
    }
    if ((held !== null && held !== groupId) || setIds.indexOf(setId) !== index) {
      throw refuse(422, 'group.set_taken', `Set ${setId} is in a group already.`, path);
    }
  }
}

/** POST /me/grouping-sets. */
export function makeGroupingSet(call: Call) {
  return mutate(call, 'grouping_set.create', 201, newGroupingSetBody, (change, asked) => {
    const { store, at: createdAt, publicFrom } = change;
    const { setKind, description, languageCode, editionId } = asked;
    const { target, members } = subjectOf(asked);
    for (const { kind, id } of target === null ? members : [target]) {
      if (findTarget(store, kind, id)) continue;
      throw refuse(422, 'target.unknown', `There is no ${kind} ${id}.`);
    }
    requireEdition(change, editionId);
    const named = { title: asked.titleBase, description, languageCode, editionId, finalised: false };
    const made = { ownerId: change.caller.accountId, createdAt, publicFrom };
    const id = createSet(store, { kind: setKind, target, members, ...named, ...made });
    recordEffect(change, setKind, id);
    return setReceipt(change, id);
  });
}

/** What a grouping Set is for: one work, or several brands. @throws Refusal 400 */
function subjectOf(asked: z.infer<typeof newGroupingSetBody>) {
  const { setKind, entryTargetKind: kind, entryTargetId: id, networkIds, companyIds } = asked;
  const members = [
    ...networkIds.map((network) => ({ kind: 'network', id: network })),
    ...companyIds.map((company) => ({ kind: 'company', id: company })),
  ];
  if ((setKind === 'brand_set') !== members.length > 0) {
    throw invalid(['networkIds'], 'A Brand Set has networkIds or companyIds, and no other Set has them.');
  }
  if (setKind === 'brand_set') return { target: null, members };
  const wanted = setKind === 'talent_set' ? 'person' : 'category';
  if (kind === wanted && typeof id === 'number') return { target: { kind, id }, members };
  throw invalid(
    ['entryTargetKind'],
    `A ${setKind} is for a ${wanted}, by entryTargetKind and entryTargetId.`,
  );
}

function setReceipt({ store, context }: Change, id: number) {
  const row = store.only('SELECT * FROM sets WHERE id = ?', id);
  const publicationStatus = publicationOf(context, row);
  return { ...row.members('id', 'updatedAt'), setKind: setKindOf(row), publicationStatus };
}

/** POST /me/grouping-sets/{setId}/assets: all of the items, or none. */
export function assignArtwork(call: Call) {
  return mutate(call, 'grouping_set.assign', 200, assignmentBody, (change, asked) => {
    const { store, at } = change;
    const setId = call.integer('setId');
    const set = owned(change, 'set', setId);
    if (setKindOf(set) === 'media_set') {
      throw refuse(422, 'set.kind', `Set ${setId} is no Talent, Brand or Category Set.`);
    }
    requireRevision(set, `Set ${setId}`, asked.expectedUpdatedAt);
    const items = asked.items.map((item, index) => {
      requireAssignable(change, set, item, ['items', String(index)]);
      const { itemId, existingAssetId: assetId } = item;
      recordEffect(change, 'asset', assetId);
      return { itemId, status: 'succeeded', assetId, updatedAt: editAsset(store, assetId, { setId }, at) };
    });
    editSet(store, setId, {}, at);
    return { ...setReceipt(change, setId), items };
  });
}

/** POST /me/relationships: what shall be between the caller and another account. */
export function changeRelationship(call: Call) {
  return mutate(call, 'relationship.change', 200, relationshipBody, (change, asked) => {
    const { store, at, caller } = change;
    const { targetKind, relationship } = asked;
    const targetId = accountNamed(store, asked.targetId);
    if (targetId === caller.accountId) {
      throw refuse(422, 'relationship.self', 'An account can’t follow or hide itself.', ['targetId']);
    }
    const pair = 'account_id = ? AND target_id = ?';
    const before = store.first(`SELECT * FROM relationships WHERE ${pair}`, caller.accountId, targetId);
    const receipt = { targetKind, targetId, relationship, publicationStatus: 'not_required' };
    if ((before?.text('relationship') ?? null) === relationship) {
      return { ...receipt, updatedAt: before?.text('updated_at') ?? null };
    }
    store.run(`DELETE FROM relationships WHERE ${pair}`, caller.accountId, targetId);
    if (relationship !== null) {
      const pairOf = { accountId: caller.accountId, targetId };
      store.insert('relationships', { ...pairOf, relationship, updatedAt: at });
    }
    recordEffect(change, 'user', targetId);
    return { ...receipt, updatedAt: relationship === null ? null : at };
  });
}

/** By its id, or by its name in any case. @throws Refusal 404 */
function accountNamed(store: Store, named: number | string): number {
  const isId = typeof named === 'number' || /^[0-9]{1,15}$/.test(named);
  const row = store.first(
    `SELECT id FROM accounts WHERE ${isId ? 'id = ?' : 'name = ? COLLATE NOCASE'}`,
    named,
  );
  if (row === undefined) throw missing(`Account ${named}`, ['targetId']);
  return row.integer('id');
}
