// A program of its own: opens the catalogue of a data folder, and says whether it was the one that filled it.
import { openDatabase } from '../../src/sandbox/database.ts';
import { fillCatalogue } from '../../src/sandbox/seed/fill.ts';

let filled = false;
const database = openDatabase(process.argv[2] ?? '', (empty) => {
  filled = true;
  fillCatalogue(empty, new Date());
});
const counts = ['assets', 'sets', 'asset_changes', 'set_changes'].map((table) =>
  database.only(`SELECT count(*) AS rows FROM ${table}`).integer('rows'),
);
database.close();
process.stdout.write(JSON.stringify({ filled, counts }));
