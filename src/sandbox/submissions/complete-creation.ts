import type { Caller } from '../access/caller.ts';
import { editGroup } from '../artwork/groups.ts';
import { createSet } from '../artwork/sets.ts';
import { recordEffect } from '../me/effects.ts';
import { type OwnerSide, publicFrom } from '../me/owner-side.ts';
import { kindOfSet } from './admit-creation.ts';
import type { CreationAdmission } from './bodies.ts';
import type { Applied } from './complete.ts';
import { placePicture } from './place-picture.ts';
import type { StoredItem } from './store.ts';

const noMetadata = { status: 'not_required', error: null } as const;

/** Makes the Set with every file that could be taken; without any, there is no Set. */
export function applyCreation(
  side: OwnerSide,
  caller: Caller,
  admission: CreationAdmission,
  items: readonly StoredItem[],
  now: Date,
): Applied {
  const { database } = side;
  const { clientMutationId, languageCode, editionId, destination } = admission;
  if (!items.some(({ status }) => status === 'received')) {
    const nothing = { setId: null, setUpdatedAt: null, publicFrom: null };
    return { items, outcome: 'failed', ...nothing, metadata: noMetadata };
  }
  const at = now.toISOString();
  const showsFrom = publicFrom(side, now);
  const setId = createSet(database, {
    kind: kindOfSet(admission),
    target: { kind: admission.entryTargetKind, id: admission.entryTargetId },
    members: [],
    title: admission.titleBase,
    description: admission.description,
    ownerId: caller.accountId,
    languageCode,
    editionId,
    finalised: admission.finalised,
    createdAt: at,
    publicFrom: showsFrom,
  });
  recordEffect(
    database,
    caller,
    { operation: 'set.create', clientMutationId, resource: { kind: 'set', id: setId } },
    at,
  );
  const placed = items.map((stored): StoredItem => {
    if (stored.status !== 'received') return stored;
    const place = { setId, languageCode, editionId, previousAssetId: null };
    const assetId = placePicture(side, caller, stored, place, now, clientMutationId);
    return { ...stored, status: 'succeeded', assetId, assetUpdatedAt: at };
  });
  if (destination !== null) join(side, destination.id, setId, at);
  const whole = placed.every(({ status }) => status === 'succeeded');
  return {
    items: placed,
    outcome: whole ? 'succeeded' : 'partial',
    setId,
    setUpdatedAt: at,
    publicFrom: showsFrom,
    metadata: noMetadata,
  };
}

/** The new Set becomes the group's last one. */
function join({ database }: OwnerSide, groupId: number, setId: number, at: string): void {
  const members = database
    .all('SELECT id FROM sets WHERE group_id = ? ORDER BY group_position', groupId)
    .map((row) => row.integer('id'));
  editGroup(database, groupId, { setIds: [...members, setId] }, at);
}
