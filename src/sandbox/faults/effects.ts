import type { Database } from '../store/database.ts';

/** Every change that mutations have really made, the first one first. */
export function effectsOf(database: Database) {
  return database.all('SELECT * FROM effects ORDER BY sequence').map((row) => ({
    sequence: row.integer('sequence'),
    at: row.text('at'),
    accountId: row.integer('account_id'),
    operation: row.text('operation'),
    clientMutationId: row.textOrNull('client_mutation_id'),
    resource: { kind: row.text('resource_kind'), id: row.text('resource_id') },
  }));
}
