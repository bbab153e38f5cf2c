import { type Database, insert } from '../store/database.ts';

/**
 * The revision after a change at this time. It always differs from the previous one, even for two changes in
 * one millisecond or after the clock was set back.
 */
export function nextRevision(previous: string, at: string): string {
  return at > previous ? at : new Date(Date.parse(previous) + 1).toISOString();
}

export function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

/**
 * The interface document shows `updated` on an item with a replacement chain: a replacement is an update with
 * a previous Asset, an edit of language or edition an update without one.
 */
type ChangeType = 'added' | 'updated';

interface AssetChange {
  readonly assetId: string;
  readonly slot: string;
  readonly targetKind: string;
  readonly targetId: number;
  readonly changeType: ChangeType;
  /** When public reads show the change. */
  readonly changedAt: string;
  /** The Asset that this change replaces. */
  readonly previousAssetId: string | null;
}

/** A link of the replacement chain, as the feed shows it. */
interface Replacement {
  readonly previousAssetId: string;
  readonly newAssetId: string;
  readonly changedAt: string;
}

/** Records a change for the Asset feed. Call it in the transaction that makes the change. */
export function recordAssetChange(database: Database, change: AssetChange): void {
  insert(database, 'asset_changes', {
    asset_id: change.assetId,
    slot: change.slot,
    target_kind: change.targetKind,
    target_id: change.targetId,
    change_type: change.changeType,
    changed_at: change.changedAt,
    previous_asset_id: change.previousAssetId,
    replacements: JSON.stringify(
      change.previousAssetId === null ? [] : chainTo(database, change, change.previousAssetId),
    ),
  });
}

/** The replacement chain of the previous Asset with the new link at its end: oldest first. */
function chainTo(database: Database, change: AssetChange, previousAssetId: string): readonly unknown[] {
  const earlier = database.first(
    `SELECT replacements FROM asset_changes
     WHERE asset_id = ? AND previous_asset_id IS NOT NULL ORDER BY sequence DESC LIMIT 1`,
    previousAssetId,
  );
  const links: unknown = earlier ? JSON.parse(earlier.text('replacements')) : [];
  if (!Array.isArray(links)) throw new TypeError(`The chain of ${previousAssetId} is no array.`);
  const link: Replacement = { previousAssetId, newAssetId: change.assetId, changedAt: change.changedAt };
  return [...links, link];
}

interface SetChange {
  readonly setId: number;
  readonly kind: string;
  readonly changeType: ChangeType;
  /** When public reads show the change. */
  readonly changedAt: string;
}

/** The kinds of Set with a public read. Only their owners see changes of Talent and Category Sets. */
const publicKinds = ['movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set'];

/** Records a change for the Set feed. Call it in the transaction that makes the change. */
export function recordSetChange(database: Database, change: SetChange): void {
  if (!publicKinds.includes(change.kind)) return;
  insert(database, 'set_changes', {
    set_id: change.setId,
    kind: change.kind,
    change_type: change.changeType,
    changed_at: change.changedAt,
  });
}
