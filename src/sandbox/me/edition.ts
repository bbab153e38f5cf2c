import type { Database } from '../store/database.ts';
import { refused } from './protected-error.ts';

/** @throws ProtectedError 422 for an edition that there is none. */
export function requireEdition(database: Database, id: number, at: readonly string[] = ['editionId']): void {
  if (database.first('SELECT 1 FROM editions WHERE id = ?', id) === undefined) {
    throw refused(422, 'edition.unknown', `There is no edition ${id}.`, at);
  }
}
