import type { Caller } from '../access/caller.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import type { Relationship } from './assumed.ts';

const select = `SELECT r.target_id, r.relationship, r.updated_at, a.name
  FROM relationships r JOIN accounts a ON a.id = r.target_id WHERE r.account_id = ?`;

/** Whom the caller follows and hides, the latest change first. */
export function readRelationships(database: Database, { accountId }: Caller): readonly Relationship[] {
  return database.all(`${select} ORDER BY r.updated_at DESC, r.target_id`, accountId).map(relationship);
}

export function findRelationship(
  database: Database,
  { accountId }: Caller,
  targetId: number,
): Relationship | null {
  const row = database.first(`${select} AND r.target_id = ?`, accountId, targetId);
  return row ? relationship(row) : null;
}

function relationship(row: Row): Relationship {
  const id = row.integer('target_id');
  return {
    targetKind: 'user',
    targetId: id,
    target: { id, kind: 'user', name: row.text('name') },
    relationship: row.text('relationship') === 'follow' ? 'follow' : 'hide',
    updatedAt: row.text('updated_at'),
  };
}
