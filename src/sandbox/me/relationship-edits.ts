import type { Caller } from '../access/caller.ts';
import { nextRevision } from '../artwork/revision.ts';
import type { Answer } from '../http.ts';
import type { Database } from '../store/database.ts';
import { type MutationReceipt, relationshipBody } from './assumed.ts';
import { checked } from './checked.ts';
import { recordEffect } from './effects.ts';
import { mutate } from './mutate.ts';
import type { OwnerSide } from './owner-side.ts';
import { refused, stale, unknown } from './protected-error.ts';
import { findRelationship } from './relationships.ts';

interface RelationshipReceipt extends MutationReceipt {
  readonly targetKind: 'user';
  readonly targetId: number;
  /** null: there is none. */
  readonly relationship: 'follow' | 'hide' | null;
}

/** POST /me/relationships (the interface document, relationships; its body is assumed). */
export function changeRelationship(side: OwnerSide, caller: Caller, given: unknown): Answer {
  const { clientMutationId, ...asks } = checked(relationshipBody, given);
  const { database } = side;
  const identity = { operation: 'relationship.change', clientMutationId };
  return mutate(side, caller, {
    ...identity,
    asks,
    success: 200,
    apply(now): RelationshipReceipt {
      const targetId = findAccount(database, asks.targetId);
      if (targetId === caller.accountId) {
        throw refused(422, 'relationship.self', 'Nobody follows or hides themselves.', ['targetId']);
      }
      const before = findRelationship(database, caller, targetId);
      const { expectedUpdatedAt } = asks;
      if (expectedUpdatedAt !== undefined && expectedUpdatedAt !== (before?.updatedAt ?? null)) {
        throw stale('The relationship', expectedUpdatedAt, before?.updatedAt ?? null);
      }
      const wanted = asks.relationship === 'clear' ? null : asks.relationship;
      const receipt = { ...identity, targetKind: 'user', targetId, relationship: wanted } as const;
      if ((before?.relationship ?? null) === wanted) {
        return { ...receipt, updatedAt: before?.updatedAt ?? null, publicationStatus: 'not_required' };
      }
      const at = now.toISOString();
      const updatedAt = wanted === null ? null : nextRevision(before?.updatedAt ?? '', at);
      set(database, caller, targetId, wanted, updatedAt ?? at);
      recordEffect(database, caller, { ...identity, resource: { kind: 'user', id: targetId } }, at);
      return { ...receipt, updatedAt, publicationStatus: 'not_required' };
    },
  });
}

function set(
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

/** By id, or by name whatever its case. */
function findAccount(database: Database, named: number | string): number {
  const id = typeof named === 'number' ? named : /^[0-9]{1,15}$/.test(named) ? Number(named) : null;
  const row =
    id === null
      ? database.all('SELECT id, name FROM accounts').find((account) => sameName(account.text('name'), named))
      : database.first('SELECT id FROM accounts WHERE id = ?', id);
  if (row === undefined) throw unknown(`Account ${named}`, ['targetId']);
  return row.integer('id');
}

function sameName(one: string, other: string | number): boolean {
  const plain = (name: string) => name.normalize('NFC').toLowerCase();
  return plain(one) === plain(String(other));
}
