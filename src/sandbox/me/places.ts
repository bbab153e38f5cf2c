import { findTarget, isKind, kinds, type Target } from '../model.ts';
import type { Row, Store } from '../store.ts';
import { type Acting, current } from './records.ts';
import { refuse } from './refusals.ts';

// Which artwork goes where. `at` is where the request names the place: nowhere, or in an item.

/** A slot of a work or a group: in a Set, or standalone without one. */
interface Slot {
  readonly target: Target;
  readonly slot: string;
  readonly setId: number | null;
}

/** Requires the work to exist and to have the slot. A group has a poster. @throws Refusal 422 */
export function requireSlot(store: Store, target: Target, slot: string, at: readonly string[] = []): void {
  const { kind, id } = target;
  if (findTarget(store, kind, id) === undefined) {
    throw refuse(422, 'target.unknown', `There is no ${kind} ${id}.`, [...at, 'targetId']);
  }
  const slots: readonly string[] = isKind(kind) ? kinds[kind].slots : ['poster'];
  if (slots.includes(slot)) return;
  throw refuse(422, 'slot.unsupported', `A ${kind} has no slot ${slot}.`, [...at, 'slot']);
}

/** Requires the Set to be for the work, or for what the work is a part of. @throws Refusal 422 */
export function requireInSet(store: Store, set: Row, target: Target, at: readonly string[] = []): void {
  const [kind, id] = [set.textOrNull('target_kind'), set.integerOrNull('target_id')];
  const isBrand = `SELECT 1 FROM json_each(?) m WHERE m.value ->> 'kind' = ? AND m.value ->> 'id' = ?`;
  if (kind !== null && id !== null) requirePart(store, { kind, id }, target, at);
  else if (!store.first(isBrand, set.text('members'), target.kind, target.id)) throw outsideSet(target, at);
}

/** @throws Refusal 422 */
export function requirePart(store: Store, whole: Target, part: Target, at: readonly string[]): void {
  if (!isPartOf(store, whole, part)) throw outsideSet(part, at);
}

function outsideSet({ kind, id }: Target, at: readonly string[]) {
  return refuse(422, 'target.outside_set', `The Set has no ${kind} ${id}.`, [...at, 'targetId']);
}

const wholes = new Map([
  ['episode', 'season'],
  ['season', 'show'],
  ['movie', 'collection'],
]);

/** Seasons and episodes of a show, movies of a collection, and the work itself. */
function isPartOf(store: Store, whole: Target, part: Target): boolean {
  if (part.kind === whole.kind) return part.id === whole.id;
  const parentKind = wholes.get(part.kind);
  const row = store.first('SELECT parent_id FROM entities WHERE kind = ? AND id = ?', part.kind, part.id);
  const parentId = row?.integerOrNull('parent_id') ?? null;
  if (parentKind === undefined || parentId === null) return false;
  return isPartOf(store, whole, { kind: parentKind, id: parentId });
}

/** @throws Refusal 409 where there is an Asset already */
export function requireFree(store: Store, { target, slot, setId }: Slot, at: readonly string[] = []): void {
  const held = store.first(
    `SELECT id FROM assets WHERE target_kind = ? AND target_id = ? AND slot = ? AND set_id IS ?
       AND replaced_from IS NULL`,
    target.kind,
    target.id,
    slot,
    setId,
  );
  if (held === undefined) return;
  throw refuse(409, 'slot.occupied', 'There is an Asset in this slot: replace it.', [...at, 'slot']);
}

/** Requires an Asset to be in exactly this place. @throws Refusal 422 */
export function requireThere(asset: Row, { target, slot, setId }: Slot, path: readonly string[]): void {
  const isThere =
    asset.text('target_kind') === target.kind &&
    asset.integer('target_id') === target.id &&
    asset.text('slot') === slot &&
    asset.integerOrNull('set_id') === setId;
  if (isThere) return;
  throw refuse(422, 'asset.other_place', `Asset ${asset.text('id')} is in another place.`, path);
}

interface Assignment {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  readonly existingAssetId: string;
  readonly expectedAssetUpdatedAt: string;
}

/** Requires that a standalone Asset of the caller can go into their Set, in its own slot. @throws Refusal */
export function requireAssignable(acting: Acting, set: Row, item: Assignment, at: readonly string[]): void {
  const { existingAssetId: assetId, expectedAssetUpdatedAt, slot } = item;
  const path = [...at, 'existingAssetId'];
  const asset = current(acting, assetId, expectedAssetUpdatedAt, path);
  if (asset.integerOrNull('set_id') !== null) {
    throw refuse(409, 'asset.not_standalone', `Asset ${assetId} is in a Set.`, path);
  }
  const target = { kind: item.targetKind, id: item.targetId };
  requireThere(asset, { target, slot, setId: null }, path);
  requireInSet(acting.store, set, target, at);
  requireFree(acting.store, { target, slot, setId: set.integer('id') }, at);
}
