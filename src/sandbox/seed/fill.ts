import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { SandboxError, systemCode } from '../sandbox-error.ts';
import type { Database } from '../store/database.ts';
import { artworkTables, assetIndexes, feedTables } from '../store/tables-artwork.ts';
import { entityTables } from '../store/tables-entities.ts';

/** The file of the build that holds the rows of `data/`: a line for each table, with its name before a JSON array. */
export const rowsName = 'catalogue.gz';

/** Beside the program that the build makes; this source finds it in the build folder. */
const file = new URL(
  import.meta.url.endsWith('.ts') ? `../../../dist/${rowsName}` : rowsName,
  import.meta.url,
);

/**
 * Fills an empty database with the rows that every catalogue begins with. Call it in a transaction.
 * @param now - the rows tell their times as seconds before it
 * @throws SandboxError when the file of the build is missing or damaged.
 */
export function fillCatalogue(database: Database, now: Date): void {
  database.execute(artworkTables + entityTables + feedTables);
  const written = readRows();
  // In this order a row refers only to rows that are there.
  const tables = database.all(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  );
  for (const table of tables.map((row) => row.text('name'))) {
    const columns = database
      .all('SELECT name FROM pragma_table_info(?)', table)
      .map((column) => column.text('name'));
    database.run(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map(columnFrom).join(', ')} FROM json_each(?)`,
      (written.get(table) ?? '[]').replace(/"(\d+) s ago"/g, (_, seconds: string) =>
        JSON.stringify(new Date(now.getTime() - Number(seconds) * 1_000)),
      ),
    );
  }
  database.execute(assetIndexes);
}

/** What was never changed and is public at once says so by leaving these times out. */
function columnFrom(column: string): string {
  const value = `value ->> '${column}'`;
  return column === 'updated_at' || column === 'public_from'
    ? `coalesce(${value}, value ->> 'created_at')`
    : value;
}

/** The rows of each table: a JSON array of objects, whose members are the columns that are not NULL. */
function readRows(): ReadonlyMap<string, string> {
  try {
    const lines = gunzipSync(readFileSync(file)).toString().split('\n');
    return new Map(
      lines.map((line) => {
        const end = line.indexOf(' ');
        return [line.slice(0, end), line.slice(end)];
      }),
    );
  } catch (error) {
    if (systemCode(error) === null) throw error;
    throw new SandboxError(
      `What the embedded catalogue is filled with (${rowsName}) is missing or damaged. Install the package again.`,
    );
  }
}
