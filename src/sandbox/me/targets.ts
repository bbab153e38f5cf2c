import type { Database } from '../store/database.ts';
import type { NamedTarget } from './assumed.ts';

/** Undefined for a target that the catalogue doesn't have. */
export function findTarget(database: Database, kind: string, id: number): NamedTarget | undefined {
  const row = database.first('SELECT title, year FROM targets WHERE kind = ? AND id = ?', kind, id);
  return row && { id, kind, title: row.text('title'), year: row.integerOrNull('year') };
}
