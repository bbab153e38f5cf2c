import type { Caller } from '../me/authorize.ts';
import { findPoster } from '../me/groups.ts';
import { currentAsset, ownedRow } from '../me/owned.ts';
import { invalidRequest, type ProtectedError, refusal } from '../me/protected-error.ts';
import { requireFree, requireInSet, requireSlot, slotOccupied } from '../me/slots.ts';
import type { Database, Row } from '../store/database.ts';
import type { Destination, UploadQuery } from './query.ts';

/** Where a new Asset goes, and which Asset it replaces. */
export interface Placement {
  readonly target: { readonly kind: string; readonly id: number };
  readonly slot: string;
  readonly setId: number | null;
  readonly languageCode: string | null;
  readonly editionId: number | null;
  readonly previousAssetId: string | null;
}

/**
 * Finds the place for an upload in the current state.
 * @throws ProtectedError when something is unknown, owned by another account, replaced, occupied, or
 *   unsuitable.
 */
export function findPlacement(
  database: Database,
  caller: Caller,
  to: Destination,
  query: UploadQuery,
): Placement {
  switch (to.kind) {
    case 'standalone':
      return placeAlone(database, caller, query);
    case 'set':
      return placeInSet(database, caller, to.id, query);
    case 'group':
      return placeOnGroup(database, caller, to.id, query);
  }
}

/** A replacement stays in the Set of the previous Asset. */
function placeAlone(database: Database, caller: Caller, query: UploadQuery): Placement {
  const { target, slot } = query;
  if (target === null) throw new TypeError('An upload to no Set or group names its target.');
  requireSlot(database, target, slot);
  const previous = previousOf(database, caller, query);
  if (previous !== null) requireSame(previous, target, slot);
  return placement(query, target, previous, previous);
}

function placeInSet(database: Database, caller: Caller, setId: number, query: UploadQuery): Placement {
  const set = ownedRow(database, caller, 'set', setId);
  const previous = previousOf(database, caller, query);
  if (previous !== null && previous.integerOrNull('set_id') !== setId) throw otherPlace(previous);
  const target = query.target ?? (previous === null ? targetOfSet(set) : targetOf(previous));
  requireSlot(database, target, query.slot);
  requireInSet(database, set, target);
  if (previous === null) requireFree(database, setId, target, query.slot);
  else requireSame(previous, target, query.slot);
  return { ...placement(query, target, previous, previous ?? set), setId };
}

function placeOnGroup(database: Database, caller: Caller, groupId: number, query: UploadQuery): Placement {
  const group = ownedRow(database, caller, 'group', groupId);
  const target = { kind: group.text('kind'), id: groupId };
  if (query.target !== null && (query.target.kind !== target.kind || query.target.id !== groupId)) {
    throw refusal(422, 'target.outside_group', 'A group’s poster is for the group itself.', ['targetId']);
  }
  const previous = previousOf(database, caller, query);
  if (previous !== null) {
    requireSame(previous, target, query.slot);
  } else {
    const poster = findPoster(database, group);
    if (poster !== undefined) throw slotOccupied(poster.text('id'));
  }
  return placement(query, target, previous, previous);
}

/** The Asset to be replaced: the caller's, and the last of its chain. */
function previousOf(database: Database, caller: Caller, { previousAssetId }: UploadQuery): Row | null {
  if (previousAssetId === null) return null;
  return currentAsset(database, caller, previousAssetId, null, { id: ['previousAssetId'] });
}

function placement(
  query: UploadQuery,
  target: Placement['target'],
  previous: Row | null,
  edition: Row | null,
): Placement {
  return {
    target,
    slot: query.slot,
    setId: previous?.integerOrNull('set_id') ?? null,
    languageCode: query.languageCode ?? previous?.textOrNull('language_code') ?? null,
    editionId: edition?.integerOrNull('edition_id') ?? null,
    previousAssetId: query.previousAssetId,
  };
}

function targetOfSet(set: Row): Placement['target'] {
  const kind = set.textOrNull('target_kind');
  const id = set.integerOrNull('target_id');
  if (kind !== null && id !== null) return { kind, id };
  const message = 'A Brand Set has several targets: name one.';
  throw invalidRequest(message, [{ code: 'field.invalid', message, path: ['targetKind'] }]);
}

function targetOf(asset: Row): Placement['target'] {
  return { kind: asset.text('target_kind'), id: asset.integer('target_id') };
}

function requireSame(previous: Row, target: Placement['target'], slot: string): void {
  const before = targetOf(previous);
  if (before.kind !== target.kind || before.id !== target.id || previous.text('slot') !== slot) {
    throw otherPlace(previous);
  }
}

function otherPlace(previous: Row): ProtectedError {
  const target = targetOf(previous);
  const slot = previous.text('slot');
  const setId = previous.integerOrNull('set_id');
  const message = `The previous Asset is the ${slot} of ${target.kind} ${target.id}: a replacement takes its place.`;
  return refusal(422, 'asset.other_place', message, ['previousAssetId'], { target, slot, setId });
}
