import type { Database } from './database.ts';
import type { SqlValue } from './row.ts';

interface Insertion {
  readonly columns: readonly string[];
  readonly sql: string;
}

/** By table. Filling inserts many thousand rows of few kinds: the text of each kind is made once. */
const insertions = new Map<string, Insertion[]>();

/** Column names become SQL text: they must come from the program, never from outside. */
export function insert(database: Database, table: string, row: Readonly<Record<string, SqlValue>>): void {
  database.run(sqlFor(table, Object.keys(row)), ...Object.values(row));
}

function sqlFor(table: string, columns: readonly string[]): string {
  const known = insertions.get(table) ?? [];
  const found = known.find((one) => isSame(one.columns, columns));
  if (found !== undefined) return found.sql;
  const places = columns.map(() => '?').join(', ');
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
  insertions.set(table, [...known, { columns, sql }]);
  return sql;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}
