import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { type Catalogue, ids, picture, startCatalogue } from './catalogue.ts';
import { type Names, testScenarios } from './scenarios.ts';

let catalogue: Catalogue;
const known: Names = {};
beforeAll(async () => {
  catalogue = await startCatalogue({ publicationLagMs: 60_000 });
  const [png, empty] = [await picture(), Buffer.of()];
  const query = (kind: string, targetId: number, slot = 'poster') =>
    `slot=${slot}&targetKind=${kind}&targetId=${targetId}`;
  const item = {
    ...{ operation: 'asset_metadata', itemId: randomUUID(), position: 0, slot: 'poster' },
    ...{ targetKind: 'movie', targetId: ids.movie, declaredFile: null, expectedPreviousAssetId: null },
    ...{ existingAssetId: randomUUID(), expectedAssetUpdatedAt: 'r', languageCode: 'fr' },
  };
  Object.assign(known, {
    ...{
      ...ids,
      png,
      other: await picture(),
      reversed: Buffer.from(png).reverse(),
      cut: png.subarray(0, -40),
    },
    ...{
      empty,
      small: await picture(180, 270),
      square: await picture(300, 300),
      wide: await picture(400, 225),
    },
    ...{ moving: await picture(200, 300, 3), huge: Buffer.alloc(20_971_521), zeros: '0'.repeat(64) },
    ...{ at: query('movie', ids.otherMovie), logo: query('movie', ids.otherMovie, 'logo') },
    ...{ ofCompany: query('company', ids.company), free: await freeSets('media') },
    ...{ gameSet: (await freeSets('game'))[0], good: await catalogue.token('0') },
    ...{ over: await catalogue.token('0', ['relationships:write']) },
    ...{ items300: Array(300).fill(item), items301: Array(301).fill(item) },
  });
});
afterAll(() => catalogue.stop());

/** Sets of the first account that are in no group. */
async function freeSets(family: string): Promise<readonly number[]> {
  const headers = { authorization: `Bearer ${await catalogue.token('0')}` };
  const path = `GET /me/upload-destinations?kind=media_set&family=${family}`;
  const { data } = await catalogue.send(path, null, headers);
  const read = data.map(({ id }: { id: number }) => catalogue.send(`GET /me/sets/${id}`, null, headers));
  return (await Promise.all(read)).flatMap((set) => (set.data.group === null ? set.data.id : []));
}

testScenarios('owned.txt', known, (row) => catalogue.perform(row));
testScenarios('sets.txt', known, (row) => catalogue.perform(row));
