import { mkdir, open, readdir, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isStoreError } from '../../../src/store/errors.ts';
import { type IndexUnderTest, startIndex } from './index-folder.ts';

let titles: IndexUnderTest;

beforeEach(async () => {
  titles = await startIndex();
});

afterEach(() => titles.stop());

const heat = { kind: 'movie', id: 1, name: 'Heat' } as const;
const find = (index = titles.index) => index.search({ query: 'heat', offset: 0, limit: 5 });
const folder = () => path.join(titles.home, 'titles');
const fileOf = async () => {
  const file = (await readdir(folder())).find((name) => name.endsWith('.db'));
  if (file === undefined) throw new Error('There is no index.');
  return path.join(folder(), file);
};
const films = (count: number, from = 1) =>
  Array.from(
    { length: count },
    (_, at) => ({ kind: 'movie', id: from + at, name: `Film number ${from + at}` }) as const,
  );

describe('a damaged file', () => {
  const damages: readonly (readonly [string, (file: string) => Promise<void>])[] = [
    ['of other content', (file) => writeFile(file, 'This is no database at all.'.repeat(1000))],
    ['cut off', async (file) => truncate(file, Math.floor((await stat(file)).size / 2))],
    [
      'overwritten in all its pages but the first',
      async (file) => {
        const { size } = await stat(file);
        const handle = await open(file, 'r+');
        await handle.write(Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096);
        await handle.close();
      },
    ],
  ];

  it.each(damages)('%s is set aside and begun anew, and that is said', async (_, damage) => {
    await titles.index.learn([heat, ...films(800, 2)]);
    await titles.index.close();
    await damage(await fileOf());
    const index = titles.open();
    expect((await find(index)).hits).toEqual([]);
    expect(await index.rebuilt()).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(titles.told.filter((line) => line.includes('was damaged'))).toHaveLength(1);
    await index.learn([heat]);
    expect((await find(index)).hits).toMatchObject([heat]);
    expect((await readdir(folder())).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
  });
});

it('a link in the place of its folder is refused, and nothing is written where it leads', async () => {
  const elsewhere = path.join(titles.home, 'elsewhere');
  await mkdir(elsewhere);
  await symlink(elsewhere, folder());
  const refused = await titles.index.learn([heat]).catch((error: unknown) => error);
  expect(isStoreError(refused, 'home_not_private')).toBe(true);
  expect(await readdir(elsewhere)).toEqual([]);
});
