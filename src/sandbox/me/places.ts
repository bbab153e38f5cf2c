import { findTarget, isKind, kinds, type Target } from '../model.ts';
import type { Row, Store } from '../store.ts';
import { type Acting, current } from './records.ts';
import { refuse } from './refusals.ts';

// Which artwork goes where. `at` is where the request names the target: nowhere, or in an item.

/** Requires the work to exist and to have the slot. @throws Refusal 422 */
export function requireSlot(store: Store, target: Target, slot: string, at: readonly string[] = []): void {
  const { kind, id } = target;
  if (!isKind(kind) || findTarget(store, kind, id) === undefined) {
    const field = isKind(kind) ? 'targetId' : 'targetKind';
    throw refuse(422, 'target.unknown', `There is no ${kind} ${id}.`, [...at, field]);
  }
  const slots: readonly string[] = kinds[kind].slots;
  if (slots.includes(slot)) return;
  throw refuse(422, 'slot.unsupported', `A ${kind} has no slot ${slot}.`, [...at, 'slot'], { slots });
}

/** Requires the Set to be for the work, or for what the work is a part of. @throws Refusal 422 */
export function requireInSet(store: Store, set: Row, target: Target, at: readonly string[] = []): void {
  const [kind, id] = [set.textOrNull('target_kind'), set.integerOrNull('target_id')];
  const isInside =
    kind !== null && id !== null
      ? isPartOf(store, { kind, id }, target)
      : store.first(
          `SELECT 1 FROM json_each(?) m WHERE m.value ->> 'kind' = ? AND m.value ->> 'id' = ?`,
          set.text('members'),
          target.kind,
          target.id,
        ) !== undefined;
  if (!isInside) throw outsideSet(target, at);
}

export function outsideSet({ kind, id }: Target, at: readonly string[]) {
  return refuse(422, 'target.outside_set', `The Set has no ${kind} ${id}.`, [...at, 'targetId']);
}

/** Seasons and episodes of a show, movies of a collection, and the work itself. */
export function isPartOf(store: Store, whole: Target, part: Target): boolean {
  if (part.kind === whole.kind) return part.id === whole.id;
  const parentKind = new Map([
    ['episode', 'season'],
    ['season', 'show'],
    ['movie', 'collection'],
  ]).get(part.kind);
  if (parentKind === undefined) return false;
  const row = store.first('SELECT parent_id FROM entities WHERE kind = ? AND id = ?', part.kind, part.id);
  const parentId = row?.integerOrNull('parent_id') ?? null;
  return parentId !== null && isPartOf(store, whole, { kind: parentKind, id: parentId });
}

/** Requires the slot to be empty in the Set, or on the group without one. @throws Refusal 409 */
export function requireFree(
  store: Store,
  setId: number | null,
  { kind, id }: Target,
  slot: string,
  at: readonly string[] = [],
): void {
  const held = store.first(
    `SELECT id FROM assets WHERE target_kind = ? AND target_id = ? AND slot = ? AND set_id IS ?
       AND replaced_from IS NULL`,
    kind,
    id,
    slot,
    setId,
  );
  if (held === undefined) return;
  const message = 'There is an Asset in this slot already: replace it.';
  throw refuse(409, 'slot.occupied', message, [...at, 'slot'], { assetId: held.text('id') });
}

interface Place extends Target {
  readonly slot: string;
  readonly setId: number | null;
}

/** Requires an Asset to be in exactly this place. @throws Refusal 422 */
export function requireThere(asset: Row, place: Place, path: readonly string[]): void {
  const slot = asset.text('slot');
  const [kind, id] = [asset.text('target_kind'), asset.integer('target_id')];
  const setId = asset.integerOrNull('set_id');
  const isThere = kind === place.kind && id === place.id && slot === place.slot && setId === place.setId;
  if (isThere) return;
  const message = `Asset ${asset.text('id')} is the ${slot} of ${kind} ${id}.`;
  throw refuse(422, 'asset.other_place', message, path, { target: { kind, id }, slot, setId });
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
  const { store } = acting;
  const { existingAssetId: assetId, expectedAssetUpdatedAt, slot } = item;
  const path = [...at, 'existingAssetId'];
  const asset = current(acting, assetId, expectedAssetUpdatedAt, path, [...at, 'expectedAssetUpdatedAt']);
  const setId = asset.integerOrNull('set_id');
  if (setId !== null) {
    throw refuse(409, 'asset.not_standalone', `Asset ${assetId} is in a Set.`, path, { setId });
  }
  const target = { kind: item.targetKind, id: item.targetId };
  requireThere(asset, { ...target, slot, setId: null }, path);
  requireInSet(store, set, target, at);
  requireFree(store, set.integer('id'), target, slot, at);
}
