import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fillCatalogue, rowsName } from '../../src/sandbox/seed/fill.ts';
import { openDatabase } from '../../src/sandbox/store/database.ts';
import { bundle } from '../support/bundle.ts';
import { openFilled } from '../support/filled.ts';
import { oncePerRun } from '../support/once-per-run.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { data, rowsOf } from './seed-rows.ts';

test('every line of the data is a row, and every member of it a column', async () => {
  const { database, remove } = await openFilled();
  const files = (await readdir(data)).filter((file) => file.endsWith('.jsonl'));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const table = path.basename(file, '.jsonl');
    const rows = rowsOf(table, z.record(z.string(), z.unknown()));
    const columns = database
      .all('SELECT name FROM pragma_table_info(?)', table)
      .map((column) => column.text('name'));
    expect(
      [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((one) => !columns.includes(one)),
    ).toEqual([]);
    expect(database.only(`SELECT count(*) AS rows FROM ${table}`).integer('rows'), table).toBe(rows.length);
  }
  await remove();
});

test('a catalogue of any moment tells its times as the data does: so long before it', async () => {
  const moments = ['2026-05-04T03:02:01.007Z', '2031-12-31T23:59:59.999Z'].map((at) => new Date(at));
  const [one, other] = await Promise.all(
    moments.map(async (now) => {
      const folder = await temporaryFolder();
      const database = openDatabase(folder.path, (empty) => fillCatalogue(empty, now));
      const times = database
        .all(
          `SELECT created_at AS at FROM accounts UNION ALL SELECT updated_at FROM sets
           UNION ALL SELECT public_from FROM assets UNION ALL SELECT changed_at FROM asset_changes
           UNION ALL SELECT value ->> 'changedAt' FROM asset_changes, json_each(replacements)`,
        )
        .map((row) => now.getTime() - Date.parse(row.text('at')));
      database.close();
      await folder.remove();
      return times;
    }),
  );
  expect(one).toEqual(other);
  expect(Math.min(...(one ?? []))).toBeGreaterThan(0);
});

test.each<[what: string, damage: (file: string) => Promise<void>]>([
  ['is cut off', async (file) => writeFile(file, (await readFile(file)).subarray(0, 100_000))],
  [
    'has one wrong byte',
    async (file) => {
      const content = await readFile(file);
      content[300_000] = (content[300_000] ?? 0) ^ 1;
      await writeFile(file, content);
    },
  ],
  ['is missing', (file) => rm(file)],
])(
  'where the file of the rows %s, the program ends before it serves anything, with one line',
  async (what, damage) => {
    const programs = await bundle({ sandbox: 'src/sandbox/main.ts' });
    // Below the repository, where the program finds native packages.
    const copy = await oncePerRun(`catalogue whose content ${what}`, async (place) => {
      await cp(path.dirname(programs.program('sandbox')), place, { recursive: true });
      await damage(path.join(place, rowsName));
    });
    const folder = await temporaryFolder();
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(copy, 'sandbox.js'), '--data', path.join(folder.path, 'catalogue')],
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect(stderr).toMatch(/^[^\n]+ is missing or damaged\. Install the package again\.\n$/);
    expect(status).toBe(1);
    await folder.remove();
    await programs.remove();
  },
);
