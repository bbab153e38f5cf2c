import { type EntityKind, slotsOf } from '../artwork/slots.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import type { TargetReference } from './assumed.ts';
import { type ProtectedError, refused } from './protected-error.ts';
import { findTarget } from './targets.ts';

/** The slots of a kind of entity; undefined for what is no entity. */
export function slotsFor(kind: string): readonly string[] | undefined {
  return isEntityKind(kind) ? slotsOf[kind] : undefined;
}

function isEntityKind(kind: string): kind is EntityKind {
  return Object.hasOwn(slotsOf, kind);
}

/**
 * Sees to it that there is such an entity and that it has such a slot. `at` is where the request names the
 * target: empty, or the path of an item.
 * @throws ProtectedError 422.
 */
export function requireSlot(
  database: Database,
  target: TargetReference,
  slot: string,
  at: readonly string[] = [],
): void {
  const slots = slotsFor(target.kind);
  if (slots === undefined || findTarget(database, target.kind, target.id) === undefined) {
    const field = slots === undefined ? 'targetKind' : 'targetId';
    throw refused(422, 'target.unknown', `There is no ${target.kind} ${target.id}.`, [...at, field]);
  }
  if (!slots.includes(slot)) {
    throw refused(422, 'slot.unsupported', `A ${target.kind} has no slot ${slot}.`, [...at, 'slot'], {
      slots,
    });
  }
}

/**
 * Sees to it that a Set of this row can hold artwork of the target: its own target, and what belongs to it.
 * @throws ProtectedError 422.
 */
export function requireInSet(
  database: Database,
  set: Row,
  target: TargetReference,
  at: readonly string[] = [],
): void {
  if (holds(database, set, target)) return;
  throw refused(422, 'target.outside_set', `The Set has no ${target.kind} ${target.id}.`, [
    ...at,
    'targetId',
  ]);
}

function holds(database: Database, set: Row, target: TargetReference): boolean {
  if (set.text('kind') !== 'brand_set') {
    return belongs(database, { kind: set.text('target_kind'), id: set.integer('target_id') }, target);
  }
  const member = database.first(
    'SELECT 1 FROM brand_set_members WHERE set_id = ? AND kind = ? AND id = ?',
    set.integer('id'),
    target.kind,
    target.id,
  );
  return member !== undefined;
}

/** Whether a Set for an entity can hold artwork of another: seasons and episodes of a show, movies of a collection. */
export function belongs(database: Database, entity: TargetReference, part: TargetReference): boolean {
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
 * Sees to it that the Set has nothing in the slot yet: what is there is replaced, not added to.
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
  throw occupied(held.text('id'), at);
}

export function occupied(assetId: string, at: readonly string[] = []): ProtectedError {
  const message = 'There is an Asset in this slot already: replace it.';
  return refused(409, 'slot.occupied', message, [...at, 'slot'], { assetId });
}
