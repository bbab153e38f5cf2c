import { createMarks } from '../../src/store/kv.ts';
import { Database, libsqlSql, sqliteDialect } from '../../src/store/libsql.ts';
import { makeTables, requireStore } from '../../src/store/schema.ts';

/** The tables of a store that live as long as the process. */
export async function memoryStore() {
  const sql = libsqlSql(await Database.connect(':memory:'));
  await makeTables(sql, sqliteDialect);
  return { id: await requireStore(sql, 'memory'), place: 'memory', sql, marks: createMarks(sql) };
}
