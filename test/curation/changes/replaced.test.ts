import { expect, it } from 'vitest';
import { picturesOfChanges } from '../../../src/curation/changes/replaced.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { assetId } from './scripted-pages.ts';

/** Reads what Asset 1 was before Asset 2, where a picture is at these paths alone; answers what was asked for. */
async function asked(now: string | null, there: readonly string[], own: string | null = null) {
  const paths: string[] = [];
  const place = { change: 'replaced', target: { kind: 'movie', id: 1 }, slot: 'poster', label: '' };
  const more = { replacements: 1, between: 0, firstAt: null, lastAt: null, before: { assetId: assetId(1) } };
  const places = [{ ...place, ...more, after: { assetId: assetId(2), path: now } }];
  const read = picturesOfChanges([{ places }], {
    async picture(path) {
      paths.push(path);
      if (!there.includes(path)) throw new ArtworkError('not_found', 'There is none.');
      return Buffer.from(path);
    },
    async account() {
      if (own === null) throw new ArtworkError('not_connected', 'No account is connected.');
      return { owned: { readAsset: async (id) => ({ id, updatedAt: 'now', path: own }) } };
    },
    call: () => ({}),
  });
  const found = await read(assetId(1)).then(String, (error: ArtworkError) => error.category);
  return { found, paths };
}

const pathOf = (number: number, ending: string) => `/artwork/${assetId(number)}${ending}`;

it('looks for a replaced picture beside the one that stands there now, of whatever type', async () => {
  const jpeg = pathOf(1, '.jpg?v=2');
  const { found, paths } = await asked(pathOf(2, '.png?v=2'), [jpeg]);
  expect([found, paths]).toEqual([jpeg, [pathOf(1, '.png?v=2'), jpeg]]);
});

it('takes the path that the record of one’s own shows, whatever its form', async () => {
  for (const now of ['/pictures/new', pathOf(2, '.png'), null]) {
    expect((await asked(now, ['/pictures/old'], '/pictures/old')).found).toBe('/pictures/old');
  }
});

it('asks for nothing where nothing leads to it, and of each type once where none does', async () => {
  expect(await asked('/pictures/new', [])).toEqual({ found: 'not_found', paths: [] });
  const { found, paths } = await asked(pathOf(2, '.PNG'), []);
  expect(found).toBe('not_found');
  expect(paths).toEqual(['.PNG', '.jpg', '.webp', '.gif', '.jpeg'].map((ending) => pathOf(1, ending)));
});
