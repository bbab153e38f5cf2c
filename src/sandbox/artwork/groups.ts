import type { Database } from '../database.ts';
import { insert } from '../insert.ts';

export interface NewGroup {
  readonly id: number;
  readonly kind: 'boxset' | 'loadout';
  readonly title: string;
  readonly description: string | null;
  readonly ownerId: number | null;
  readonly languageCode: string | null;
  readonly createdAt: string;
  /** In their order; each must be in no other group. */
  readonly setIds: readonly number[];
}

export function storeGroup(database: Database, group: NewGroup): void {
  database.transaction(() => {
    insert(database, 'groups', {
      id: group.id,
      kind: group.kind,
      title: group.title,
      description: group.description,
      owner_id: group.ownerId,
      language_code: group.languageCode,
      created_at: group.createdAt,
      updated_at: group.createdAt,
      public_from: group.createdAt,
    });
    for (const [position, setId] of group.setIds.entries()) {
      const joined = database.run(
        'UPDATE sets SET group_id = ?, group_position = ? WHERE id = ? AND group_id IS NULL',
        group.id,
        position,
        setId,
      );
      if (joined !== 1) throw new Error(`Set ${setId} can't join group ${group.id}.`);
    }
  });
}
