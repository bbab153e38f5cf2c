import type { Database } from './database.ts';
import type { SqlValue } from './row.ts';

/** Column names become SQL text: they must come from the program, never from outside. */
export function insert(database: Database, table: string, columns: Readonly<Record<string, SqlValue>>): void {
  const names = Object.keys(columns);
  const places = names.map(() => '?').join(', ');
  database.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, ...Object.values(columns));
}
