// A program of its own: opens the catalogue of a data folder, says so if it begins to fill it, and at the
// end what it holds. Told to die, it is killed when all is written and nothing committed.
import { writeSync } from 'node:fs';
import { fillCatalogue } from '../../src/sandbox/seed/fill.ts';
import { openDatabase } from '../../src/sandbox/store/database.ts';

const stdout = 1;
const [dataDir = '', fate] = process.argv.slice(2);
const database = openDatabase(dataDir, (empty) => {
  writeSync(stdout, 'filling\n');
  fillCatalogue(empty, new Date());
  if (fate === 'die') process.kill(process.pid, 'SIGKILL');
});
const counts = ['assets', 'sets', 'asset_changes', 'set_changes'].map((table) =>
  database.only(`SELECT count(*) AS rows FROM ${table}`).integer('rows'),
);
database.close();
writeSync(stdout, `${JSON.stringify(counts)}\n`);
