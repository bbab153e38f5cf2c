// A program of its own: adds an Asset and replaces it, so many times, in the catalogue of a data folder.
import { randomUUID } from 'node:crypto';
import { addAsset, type NewAsset, replaceAsset } from '../../src/sandbox/artwork/assets.ts';
import { editSet } from '../../src/sandbox/artwork/sets.ts';
import { openDatabase } from '../../src/sandbox/store/database.ts';

const [dataDir = '', times = '0'] = process.argv.slice(2);
const database = openDatabase(dataDir, () => {
  throw new Error('The catalogue is empty.');
});
const set = database.only("SELECT id, target_id FROM sets WHERE kind = 'movie_set' ORDER BY id LIMIT 1");
for (let round = 0; round < Number(times); round++) {
  const at = new Date().toISOString();
  const asset = (): NewAsset => ({
    id: randomUUID(),
    slot: 'poster',
    targetKind: 'movie',
    targetId: set.integer('target_id'),
    setId: null,
    ownerId: 1,
    languageCode: 'en',
    editionId: null,
    format: 'webp',
    uploadedFile: null,
    width: 1000,
    height: 1500,
    createdAt: at,
    publicFrom: at,
  });
  const first = asset();
  addAsset(database, first);
  replaceAsset(database, first.id, asset());
  editSet(database, set.integer('id'), {}, at);
}
database.close();
