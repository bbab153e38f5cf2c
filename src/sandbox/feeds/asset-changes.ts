import type { Database } from '../store/database.ts';
import { insert } from '../store/insert.ts';

/**
 * The interface document shows `updated` on an item that has a replacement chain: a replacement is an
 * update with a previous Asset, an edit of language or edition one without.
 */
export type ChangeType = 'added' | 'updated';

export interface AssetChange {
  readonly assetId: string;
  readonly slot: string;
  readonly targetKind: string;
  readonly targetId: number;
  readonly changeType: ChangeType;
  /** When the change shows in public. */
  readonly changedAt: string;
  /** The Asset that this one replaces by this very change. */
  readonly previousAssetId: string | null;
}

/** A link of the replacement chain, as the feed shows it. */
interface Replacement {
  readonly previousAssetId: string;
  readonly newAssetId: string;
  readonly changedAt: string;
}

/** Writes the change down for the Asset feed. To be called in the transaction that makes the change. */
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

/** The chain that led to the previous Asset, and the new link at its end: oldest first. */
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
