import { nextRevision } from '../artwork/changes.ts';
import type { Answer } from '../http.ts';
import type { Database, Row } from '../store/database.ts';
import { type MutationResult, type Relationship, relationshipBody } from './assumed.ts';
import type { Caller } from './authorize.ts';
import type { ProtectedContext } from './context.ts';
import { mutate } from './mutation.ts';
import { doesNotExist, refusal, staleRevision } from './protected-error.ts';
import { validate } from './request.ts';

const relationshipRows = `SELECT r.target_id, r.relationship, r.updated_at, a.name
  FROM relationships r JOIN accounts a ON a.id = r.target_id WHERE r.account_id = ?`;

/** The accounts that the caller follows and hides, the latest change first. */
export function readRelationships(database: Database, { accountId }: Caller): readonly Relationship[] {
  return database
    .all(`${relationshipRows} ORDER BY r.updated_at DESC, r.target_id`, accountId)
    .map(relationshipOf);
}

function findRelationship(database: Database, { accountId }: Caller, targetId: number): Relationship | null {
  const row = database.first(`${relationshipRows} AND r.target_id = ?`, accountId, targetId);
  return row ? relationshipOf(row) : null;
}

function relationshipOf(row: Row): Relationship {
  const id = row.integer('target_id');
  return {
    targetKind: 'user',
    targetId: id,
    target: { id, kind: 'user', name: row.text('name') },
    relationship: row.text('relationship') === 'follow' ? 'follow' : 'hide',
    updatedAt: row.text('updated_at'),
  };
}

interface RelationshipReceipt extends MutationResult {
  readonly targetKind: 'user';
  readonly targetId: number;
  /** null: there is none. */
  readonly relationship: 'follow' | 'hide' | null;
}

/** POST /me/relationships (the interface document, relationships; its body is assumed). */
export function changeRelationship(context: ProtectedContext, caller: Caller, given: unknown): Answer {
  const { clientMutationId, ...asks } = validate(relationshipBody, given);
  const { database } = context;
  return mutate(context, caller, {
    operation: 'relationship.change',
    clientMutationId,
    parameters: asks,
    success: 200,
    apply(now, record): RelationshipReceipt {
      const targetId = findAccount(database, asks.targetId);
      if (targetId === caller.accountId) {
        throw refusal(422, 'relationship.self', 'An account can’t follow or hide itself.', ['targetId']);
      }
      const before = findRelationship(database, caller, targetId);
      const { expectedUpdatedAt } = asks;
      if (expectedUpdatedAt !== undefined && expectedUpdatedAt !== (before?.updatedAt ?? null)) {
        throw staleRevision('The relationship', expectedUpdatedAt, before?.updatedAt ?? null);
      }
      const wanted = asks.relationship === 'clear' ? null : asks.relationship;
      const receipt = { targetKind: 'user', targetId, relationship: wanted } as const;
      if ((before?.relationship ?? null) === wanted) {
        return { ...receipt, updatedAt: before?.updatedAt ?? null, publicationStatus: 'not_required' };
      }
      const at = now.toISOString();
      const updatedAt = wanted === null ? null : nextRevision(before?.updatedAt ?? '', at);
      storeRelationship(database, caller, targetId, wanted, updatedAt ?? at);
      record({ kind: 'user', id: targetId });
      return { ...receipt, updatedAt, publicationStatus: 'not_required' };
    },
  });
}

function storeRelationship(
  database: Database,
  { accountId }: Caller,
  targetId: number,
  relationship: 'follow' | 'hide' | null,
  updatedAt: string,
): void {
  database.run('DELETE FROM relationships WHERE account_id = ? AND target_id = ?', accountId, targetId);
  if (relationship === null) return;
  database.run(
    'INSERT INTO relationships (account_id, target_id, relationship, updated_at) VALUES (?, ?, ?, ?)',
    accountId,
    targetId,
    relationship,
    updatedAt,
  );
}

/** By id, or by name in any case. */
function findAccount(database: Database, named: number | string): number {
  const id = typeof named === 'number' ? named : /^[0-9]{1,15}$/.test(named) ? Number(named) : null;
  const row =
    id === null
      ? database.all('SELECT id, name FROM accounts').find((account) => sameName(account.text('name'), named))
      : database.first('SELECT id FROM accounts WHERE id = ?', id);
  if (row === undefined) throw doesNotExist(`Account ${named}`, ['targetId']);
  return row.integer('id');
}

function sameName(one: string, other: string | number): boolean {
  const plain = (name: string) => name.normalize('NFC').toLowerCase();
  return plain(one) === plain(String(other));
}
