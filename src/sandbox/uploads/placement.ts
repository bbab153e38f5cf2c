import type { Caller } from '../access/caller.ts';
import { currentAsset } from '../me/current-asset.ts';
import { findPoster } from '../me/groups.ts';
import { ownedRow } from '../me/owned.ts';
import { invalid, type ProtectedError, refused } from '../me/protected-error.ts';
import { occupied, requireFree, requireInSet, requireSlot } from '../me/set-targets.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import type { Destination, Order } from './order.ts';

/** Where a new Asset stands, and what it stands in the place of. */
export interface Placement {
  readonly target: { readonly kind: string; readonly id: number };
  readonly slot: string;
  readonly setId: number | null;
  readonly languageCode: string | null;
  readonly editionId: number | null;
  readonly previousAssetId: string | null;
}

/**
 * Finds the place that an order means, as things are now.
 * @throws ProtectedError for everything that speaks against it: what is unknown, somebody else's, replaced,
 *   occupied, or no place for such artwork.
 */
export function place(database: Database, caller: Caller, to: Destination, order: Order): Placement {
  switch (to.kind) {
    case 'standalone':
      return placeAlone(database, caller, order);
    case 'set':
      return placeInSet(database, caller, to.id, order);
    case 'group':
      return placeOnGroup(database, caller, to.id, order);
  }
}

/** A replacement of artwork in a Set stays in that Set. */
function placeAlone(database: Database, caller: Caller, order: Order): Placement {
  const { target, slot } = order;
  if (target === null) throw new TypeError('An upload to no Set or group names its target.');
  requireSlot(database, target, slot);
  const previous = previousOf(database, caller, order);
  if (previous !== null) requireSame(previous, target, slot);
  return placement(order, target, previous, previous);
}

function placeInSet(database: Database, caller: Caller, setId: number, order: Order): Placement {
  const set = ownedRow(database, caller, 'set', setId);
  const previous = previousOf(database, caller, order);
  if (previous !== null && previous.integerOrNull('set_id') !== setId) throw elsewhere(previous);
  const target = order.target ?? (previous === null ? targetOfSet(set) : targetOf(previous));
  requireSlot(database, target, order.slot);
  requireInSet(database, set, target);
  if (previous === null) requireFree(database, setId, target, order.slot);
  else requireSame(previous, target, order.slot);
  return { ...placement(order, target, previous, previous ?? set), setId };
}

function placeOnGroup(database: Database, caller: Caller, groupId: number, order: Order): Placement {
  const group = ownedRow(database, caller, 'group', groupId);
  const target = { kind: group.text('kind'), id: groupId };
  if (order.target !== null && (order.target.kind !== target.kind || order.target.id !== groupId)) {
    throw refused(422, 'target.outside_group', 'A group’s poster is for the group itself.', ['targetId']);
  }
  const previous = previousOf(database, caller, order);
  if (previous !== null) {
    requireSame(previous, target, order.slot);
  } else {
    const poster = findPoster(database, group);
    if (poster !== undefined) throw occupied(poster.text('id'));
  }
  return placement(order, target, previous, previous);
}

/** The Asset to be replaced: the caller's, and the last of its chain. */
function previousOf(database: Database, caller: Caller, { previousAssetId }: Order): Row | null {
  if (previousAssetId === null) return null;
  return currentAsset(database, caller, previousAssetId, null, { id: ['previousAssetId'] });
}

function placement(
  order: Order,
  target: Placement['target'],
  previous: Row | null,
  edition: Row | null,
): Placement {
  return {
    target,
    slot: order.slot,
    setId: previous?.integerOrNull('set_id') ?? null,
    languageCode: order.languageCode ?? previous?.textOrNull('language_code') ?? null,
    editionId: edition?.integerOrNull('edition_id') ?? null,
    previousAssetId: order.previousAssetId,
  };
}

function targetOfSet(set: Row): Placement['target'] {
  const kind = set.textOrNull('target_kind');
  const id = set.integerOrNull('target_id');
  if (kind !== null && id !== null) return { kind, id };
  const message = 'A Brand Set has several targets: name one.';
  throw invalid(message, [{ code: 'field.invalid', message, path: ['targetKind'] }]);
}

function targetOf(asset: Row): Placement['target'] {
  return { kind: asset.text('target_kind'), id: asset.integer('target_id') };
}

function requireSame(previous: Row, target: Placement['target'], slot: string): void {
  const before = targetOf(previous);
  if (before.kind !== target.kind || before.id !== target.id || previous.text('slot') !== slot) {
    throw elsewhere(previous);
  }
}

function elsewhere(previous: Row): ProtectedError {
  const target = targetOf(previous);
  const slot = previous.text('slot');
  const setId = previous.integerOrNull('set_id');
  const message = `The previous Asset is the ${slot} of ${target.kind} ${target.id}: a replacement takes its place.`;
  return refused(422, 'asset.other_place', message, ['previousAssetId'], { target, slot, setId });
}
