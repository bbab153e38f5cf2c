import { type Database, insert } from '../store/database.ts';
import { nextRevision } from './changes.ts';

interface NewGroup {
  /** Default: the next free id. */
  readonly id?: number;
  readonly kind: 'boxset' | 'loadout';
  readonly title: string;
  readonly description: string | null;
  readonly ownerId: number | null;
  readonly languageCode: string | null;
  readonly createdAt: string;
  /** When public reads show it; default: `createdAt`. */
  readonly publicFrom?: string;
  /** In order; none of them may be in another group. */
  readonly setIds: readonly number[];
}

/** Returns the group's id. */
export function storeGroup(database: Database, group: NewGroup): number {
  return database.transaction(() => {
    insert(database, 'groups', {
      id: group.id ?? null,
      kind: group.kind,
      title: group.title,
      description: group.description,
      owner_id: group.ownerId,
      language_code: group.languageCode,
      created_at: group.createdAt,
      updated_at: group.createdAt,
      public_from: group.publicFrom ?? group.createdAt,
    });
    const id = group.id ?? database.only('SELECT last_insert_rowid() AS id').integer('id');
    join(database, id, group.setIds);
    return id;
  });
}

export interface GroupEdit {
  readonly title?: string;
  readonly description?: string | null;
  readonly languageCode?: string | null;
  /** The complete membership in order: a Set that is missing here leaves the group. */
  readonly setIds?: readonly number[];
}

/**
 * Edits a group. Omitted fields stay; an empty edit gives the group a new revision after its poster has
 * changed. Returns the new revision.
 * @throws Error when there is no such group, or a Set is in another one.
 */
export function editGroup(database: Database, groupId: number, edit: GroupEdit, at: string): string {
  return database.transaction(() => {
    const group = database.only('SELECT * FROM groups WHERE id = ?', groupId);
    const revision = nextRevision(group.text('updated_at'), at);
    const {
      title = group.text('title'),
      description = group.textOrNull('description'),
      languageCode = group.textOrNull('language_code'),
    } = edit;
    database.run(
      'UPDATE groups SET title = ?, description = ?, language_code = ?, updated_at = ? WHERE id = ?',
      title,
      description,
      languageCode,
      revision,
      groupId,
    );
    if (edit.setIds !== undefined) {
      database.run('UPDATE sets SET group_id = NULL, group_position = NULL WHERE group_id = ?', groupId);
      join(database, groupId, edit.setIds);
    }
    return revision;
  });
}

function join(database: Database, groupId: number, setIds: readonly number[]): void {
  for (const [position, setId] of setIds.entries()) {
    const joined = database.run(
      'UPDATE sets SET group_id = ?, group_position = ? WHERE id = ? AND group_id IS NULL',
      groupId,
      position,
      setId,
    );
    if (joined !== 1) throw new Error(`Set ${setId} can't join group ${groupId}.`);
  }
}
