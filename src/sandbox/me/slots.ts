import { assignAsset } from '../artwork/assets.ts';
import { findTarget, slotsOf } from '../artwork/targets.ts';
import type { Database, Row } from '../store/database.ts';
import type { TargetReference } from './assumed.ts';
import type { Caller } from './authorize.ts';
import { currentAsset } from './owned.ts';
import { type ProtectedError, refusal } from './protected-error.ts';

const slotsOfKinds: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(slotsOf));

/**
 * Requires the entity to exist and to have the slot. `at` is where the request names the target: empty, or
 * the path of an item.
 * @throws ProtectedError 422.
 */
export function requireSlot(
  database: Database,
  target: TargetReference,
  slot: string,
  at: readonly string[] = [],
): void {
  const slots = slotsOfKinds.get(target.kind);
  if (slots === undefined || findTarget(database, target.kind, target.id) === undefined) {
    const field = slots === undefined ? 'targetKind' : 'targetId';
    throw refusal(422, 'target.unknown', `There is no ${target.kind} ${target.id}.`, [...at, field]);
  }
  if (!slots.includes(slot)) {
    throw refusal(422, 'slot.unsupported', `A ${target.kind} has no slot ${slot}.`, [...at, 'slot'], {
      slots,
    });
  }
}

/**
 * Requires the Set to be able to contain artwork of the target: its own target and the target's parts.
 * @throws ProtectedError 422.
 */
export function requireInSet(
  database: Database,
  set: Row,
  target: TargetReference,
  at: readonly string[] = [],
): void {
  if (canHold(database, set, target)) return;
  throw refusal(422, 'target.outside_set', `The Set has no ${target.kind} ${target.id}.`, [
    ...at,
    'targetId',
  ]);
}

function canHold(database: Database, set: Row, target: TargetReference): boolean {
  if (set.text('kind') !== 'brand_set') {
    return isPartOf(database, { kind: set.text('target_kind'), id: set.integer('target_id') }, target);
  }
  const member = database.first(
    'SELECT 1 FROM brand_set_members WHERE set_id = ? AND kind = ? AND id = ?',
    set.integer('id'),
    target.kind,
    target.id,
  );
  return member !== undefined;
}

/**
 * Whether a Set for an entity can contain artwork of another: seasons and episodes of a show, movies of a
 * collection.
 */
export function isPartOf(database: Database, entity: TargetReference, part: TargetReference): boolean {
  if (part.kind === entity.kind) return part.id === entity.id;
  const found = (sql: string) => database.first(sql, part.id, entity.id) !== undefined;
  switch (`${entity.kind} ${part.kind}`) {
    case 'show season':
      return found('SELECT 1 FROM seasons WHERE id = ? AND show_id = ?');
    case 'show episode':
      return found('SELECT 1 FROM episodes WHERE id = ? AND show_id = ?');
    case 'collection movie':
      return found('SELECT 1 FROM movies WHERE id = ? AND collection_id = ?');
    default:
      return false;
  }
}

/**
 * Requires the slot to be empty in the Set: an Asset in it has to be replaced.
 * @throws ProtectedError 409 that names the Asset.
 */
export function requireFree(
  database: Database,
  setId: number,
  target: TargetReference,
  slot: string,
  at: readonly string[] = [],
): void {
  const held = database.first(
    `SELECT id FROM assets WHERE set_id = ? AND target_kind = ? AND target_id = ? AND slot = ?
     AND replaced_from IS NULL`,
    setId,
    target.kind,
    target.id,
    slot,
  );
  if (held === undefined) return;
  throw slotOccupied(held.text('id'), at);
}

export function slotOccupied(assetId: string, at: readonly string[] = []): ProtectedError {
  const message = 'There is an Asset in this slot already: replace it.';
  return refusal(409, 'slot.occupied', message, [...at, 'slot'], { assetId });
}

interface Assignment {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  readonly existingAssetId: string;
  readonly expectedAssetUpdatedAt: string;
}

/**
 * Puts a standalone Asset of the caller into their Set, in the slot that it was uploaded for.
 * @returns the Asset's new revision.
 * @throws ProtectedError when the Asset, the Set or the slot does not allow it.
 */
export function assignToSet(
  database: Database,
  caller: Caller,
  set: Row,
  item: Assignment,
  at: string,
  where: readonly string[],
): string {
  requireAssignable(database, caller, set, item, where);
  return assignAsset(database, item.existingAssetId, set.integer('id'), at);
}

export function requireAssignable(
  database: Database,
  caller: Caller,
  set: Row,
  item: Assignment,
  where: readonly string[],
): void {
  const { targetKind, targetId, slot, existingAssetId, expectedAssetUpdatedAt } = item;
  const asset = currentAsset(database, caller, existingAssetId, expectedAssetUpdatedAt, {
    id: [...where, 'existingAssetId'],
    revision: [...where, 'expectedAssetUpdatedAt'],
  });
  if (asset.integerOrNull('set_id') !== null) {
    const message = `Asset ${existingAssetId} is in a Set.`;
    throw refusal(409, 'asset.not_standalone', message, [...where, 'existingAssetId'], {
      setId: asset.integer('set_id'),
    });
  }
  const here = { kind: asset.text('target_kind'), id: asset.integer('target_id') };
  if (here.kind !== targetKind || here.id !== targetId || asset.text('slot') !== slot) {
    const message = `Asset ${existingAssetId} is for the ${asset.text('slot')} of ${here.kind} ${here.id}.`;
    throw refusal(422, 'asset.other_place', message, [...where, 'existingAssetId'], {
      target: here,
      slot: asset.text('slot'),
    });
  }
  requireInSet(database, set, here, where);
  requireFree(database, set.integer('id'), here, slot, where);
}
