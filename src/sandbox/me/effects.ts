import type { Caller } from '../access/caller.ts';
import type { Database } from '../store/database.ts';
import { insert } from '../store/insert.ts';

/** One thing that a mutation really changed. */
export interface Effect {
  /** Such as `asset.add` or `group.edit`. */
  readonly operation: string;
  readonly clientMutationId: string | null;
  readonly resource: { readonly kind: string; readonly id: string | number };
}

/** To be called in the transaction that makes the change, so that both are there or neither is. */
export function recordEffect(database: Database, { accountId }: Caller, effect: Effect, at: string): void {
  insert(database, 'effects', {
    at,
    account_id: accountId,
    operation: effect.operation,
    client_mutation_id: effect.clientMutationId,
    resource_kind: effect.resource.kind,
    resource_id: String(effect.resource.id),
  });
}
