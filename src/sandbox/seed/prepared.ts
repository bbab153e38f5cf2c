import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SandboxError, systemCode } from '../sandbox-error.ts';
import type { Database } from '../store/database.ts';
import { artworkTables, assetIndexes, feedTables } from '../store/tables-artwork.ts';
import { entityTables } from '../store/tables-entities.ts';

/** The file of the build that holds the rows of a catalogue that has just been filled. */
export const preparedName = 'catalogue.jsonl.gz';

/** Beside the program that the build makes; this source finds it in the build folder. */
const file = new URL(
  import.meta.url.endsWith('.ts') ? `../../../dist/${preparedName}` : preparedName,
  import.meta.url,
);

/**
 * The rows of a filled catalogue, to be put into another one by `fillPrepared`: for each table a line with the
 * statement that takes them all and a line with the rows, a JSON array of arrays. Times become milliseconds before
 * `now`, also within columns that hold JSON.
 */
export function prepareRows(database: Database, now: Date): Buffer {
  const tables = database.all(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  );
  const lines = tables.flatMap((table) => {
    const name = table.text('name');
    const columns = database
      .all('SELECT name FROM pragma_table_info(?)', name)
      .map((column) => column.text('name'));
    const rows = database
      .only(`SELECT json_group_array(json_array(${columns.join(', ')})) AS rows FROM ${name}`)
      .text('rows');
    const values = columns.map((_, index) => `value ->> ${index}`);
    return [
      `INSERT INTO ${name} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`,
      rows.replace(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, (time) => `ago:${now.getTime() - Date.parse(time)}`),
    ];
  });
  return gzipSync(lines.join('\n'), { level: 9 });
}

/**
 * Fills an empty database with what `fillCatalogue` makes: the build has made it once, since to plan and to store it
 * row by row takes four times as long.
 * @throws SandboxError when the file of the build is missing or damaged.
 */
export function fillPrepared(database: Database, now: Date): void {
  const lines = readPrepared().split('\n');
  const timeOf = (ago: string) => new Date(now.getTime() - Number(ago)).toISOString();
  database.execute(artworkTables + entityTables + feedTables);
  for (const [index, sql] of lines.entries()) {
    if (index % 2 === 1) continue;
    const rows = lines[index + 1] ?? '';
    database.run(
      sql,
      rows.replace(/\bago:(-?\d+)/g, (_, ago: string) => timeOf(ago)),
    );
  }
  database.execute(assetIndexes);
}

function readPrepared(): string {
  try {
    return gunzipSync(readFileSync(file)).toString();
  } catch (error) {
    if (systemCode(error) === null) throw error;
    throw new SandboxError(
      `What the embedded catalogue is filled with (${preparedName}) is missing or damaged. Install the package again.`,
    );
  }
}
