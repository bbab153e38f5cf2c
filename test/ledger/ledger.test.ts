import { Database, libsqlSql } from '../../src/store/libsql.ts';
import { makeSqliteTables, requireStore } from '../../src/store/schema.ts';
import { ledgerContract } from './ledger.contract.ts';

let store: Promise<{ id: string; place: string; sql: ReturnType<typeof libsqlSql> }> | undefined;

async function inMemory() {
  const database = await Database.connect(':memory:');
  await makeSqliteTables(database, false);
  const sql = libsqlSql(database);
  return { id: await requireStore(sql, 'memory'), place: 'memory', sql };
}

ledgerContract('SQLite', () => (store ??= inMemory()));
