import { createMarks } from '../../src/store/kv.ts';
import { Database, libsqlSql } from '../../src/store/libsql.ts';
import { makeSqliteTables, requireStore } from '../../src/store/schema.ts';

/** The tables of a store that live as long as the process. */
export async function memoryStore() {
  const database = await Database.connect(':memory:');
  await makeSqliteTables(database, false);
  const sql = libsqlSql(database);
  return { id: await requireStore(sql, 'memory'), place: 'memory', sql, marks: createMarks(sql) };
}
