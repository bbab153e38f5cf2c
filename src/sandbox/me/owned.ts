import type { Caller } from '../access/caller.ts';
import type { Database } from '../store/database.ts';
import type { Row } from '../store/row.ts';
import { notOwned, unknown } from './protected-error.ts';

/** How a resource is looked up and called, by its kind. */
const resources = {
  asset: { table: 'assets', name: 'Asset' },
  set: { table: 'sets', name: 'Set' },
  group: { table: 'groups', name: 'Group' },
} as const;

/**
 * The row of a resource that the caller owns. `at` is where a body or query names it; left out where the
 * path does.
 * @throws ProtectedError 404 when there is none of that id, 403 when it is somebody else's.
 */
export function ownedRow(
  database: Database,
  { accountId }: Caller,
  kind: keyof typeof resources,
  id: string | number,
  at?: readonly string[],
): Row {
  const { table, name } = resources[kind];
  const row = database.first(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (row === undefined) throw unknown(`${name} ${id}`, at);
  if (row.integerOrNull('owner_id') !== accountId) throw notOwned(`${name} ${id}`, at);
  return row;
}
