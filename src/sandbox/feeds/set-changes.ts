import type { Database } from '../store/database.ts';
import { insert } from '../store/insert.ts';
import type { ChangeType } from './asset-changes.ts';

export interface SetChange {
  readonly setId: number;
  readonly kind: string;
  readonly changeType: ChangeType;
  /** When the change shows in public. */
  readonly changedAt: string;
}

/** The Set kinds with a public read; changes of Talent and Category Sets are nobody's but their owner's. */
const publicKinds = ['movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set'];

/** Writes the change down for the Set feed. To be called in the transaction that makes the change. */
export function recordSetChange(database: Database, change: SetChange): void {
  if (!publicKinds.includes(change.kind)) return;
  insert(database, 'set_changes', {
    set_id: change.setId,
    kind: change.kind,
    change_type: change.changeType,
    changed_at: change.changedAt,
  });
}
