import { itemsOf, type Plan } from '../plan/plan.ts';
import type { OwnSet } from './own-set.ts';

/** Whether a Set, as it is now, is another than the one that a plan edits: then a new plan would be another too. */
export function isOutdated(plan: Plan, { updatedAt, assets }: Pick<OwnSet, 'updatedAt' | 'assets'>): boolean {
  if (plan.set?.updatedAt !== updatedAt) return true;
  return itemsOf(plan).some(({ place: { targetKind, targetId, slot }, change }) => {
    const held = assets.filter(
      (asset) => asset.targetKind === targetKind && asset.targetId === targetId && asset.slot === slot,
    );
    if (change.operation !== 'replace') return held.length > 0;
    const before = held.find(({ assetId }) => assetId === change.expectedPreviousAssetId);
    // Where the Set shows no revision of it, a new plan reads the Asset itself, as the guard does.
    return before === undefined || (before.updatedAt ?? null) !== change.expectedAssetUpdatedAt;
  });
}
