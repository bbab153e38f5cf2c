import { randomUUID } from 'node:crypto';
import { numberIn, type Sql, sql, textIn } from '../store/sql.ts';
import { type ConnectionKey, type ConnectionRow, type ConnectionRows, parseRow } from './row.ts';

/**
 * The rows, in a table of their own: one for a service and a person, read and changed as a whole. Nothing is deleted
 * there: `null` is the record of a connection that has ended, so that a version never comes twice. Each write carries a
 * name of its own, so that one that was sent again after a lost answer knows itself.
 */
export function connectionRows(database: Sql): ConnectionRows {
  const find = async ({ service, person }: ConnectionKey) => {
    const [row] = await database.read(
      sql`SELECT version, record, written FROM artwork.connection WHERE service = ${service} AND person = ${person}`,
    );
    return row ?? null;
  };
  return {
    async read(key) {
      const row = await find(key);
      return row === null
        ? { version: 0, row: null }
        : { version: numberIn(row, 'version'), row: parseRow(textIn(row, 'record')) };
    },
    async write(key: ConnectionKey, seenVersion: number, row: ConnectionRow | null) {
      const { service, person } = key;
      const record = JSON.stringify(row);
      const by = randomUUID();
      const [rows = []] = await database.write(
        seenVersion === 0
          ? sql`INSERT INTO artwork.connection (service, person, version, record, written)
                VALUES (${service}, ${person}, 1, ${record}, ${by}) ON CONFLICT DO NOTHING RETURNING version`
          : sql`UPDATE artwork.connection SET version = version + 1, record = ${record}, written = ${by}
                WHERE service = ${service} AND person = ${person} AND version = ${seenVersion} RETURNING version`,
      );
      if (rows.length === 1) return 'won';
      const there = await find(key);
      return there !== null && textIn(there, 'written') === by ? 'won' : 'lost';
    },
  };
}
