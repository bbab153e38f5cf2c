import { mkdir, open as openFile, readdir, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IndexUnderTest, startIndex } from './index-folder.ts';

let titles: IndexUnderTest;
let clock = Date.parse('2026-11-20T10:00:00Z');

beforeEach(async () => {
  clock = Date.parse('2026-11-20T10:00:00Z');
  titles = await startIndex(() => clock);
});

afterEach(() => titles.stop());

const find = async (query: string) => (await titles.index.search({ query, offset: 0, limit: 10 })).hits;
const names = async (query: string) => (await find(query)).map(({ kind, name }) => `${kind}:${name}`);

describe('what is learnt', () => {
  it('is found by its new name alone once it is renamed', async () => {
    await titles.index.learn([{ kind: 'show', id: 7, name: 'Working Title' }]);
    await titles.index.learn([{ kind: 'show', id: 7, name: 'Severance' }]);
    expect(await names('severance')).toEqual(['show:Severance']);
    expect(await find('working title')).toEqual([]);
    expect((await titles.index.seen()).shows).toBe(1);
  });

  it('may hold anything that names hold', async () => {
    const odd = [
      '"quoted" AND (NEAR)',
      "Robert'); DROP TABLE title;--",
      'is1 show5 by2',
      '*',
      '🎈 only',
      'One Constructor',
      'constructor',
      'a\u0301'.repeat(20),
    ];
    await titles.index.learn(odd.map((name, at) => ({ kind: 'movie', id: at + 1, name }) as const));
    for (const [at, name] of odd.entries()) {
      if (name === '*') continue;
      expect(
        (await find(name.slice(0, 300))).map(({ id }) => id),
        name,
      ).toContain(at + 1);
    }
    expect((await titles.index.seen()).films).toBe(odd.length);
  });
});

describe('what is asked', () => {
  beforeEach(async () => {
    await titles.index.learn([
      { kind: 'show', id: 1, name: 'Dark', year: 2017 },
      {
        kind: 'show_set',
        id: 10,
        name: 'Dark in Ink',
        creator: 'inky',
        updated: '2026-01-01',
        targets: [{ kind: 'show', id: 1 }],
      },
      {
        kind: 'show_set',
        id: 11,
        name: 'Dark in Oil',
        creator: 'oily',
        updated: '2026-02-01',
        targets: [{ kind: 'show', id: 1 }],
      },
      {
        kind: 'movie_set',
        id: 12,
        name: 'Heat in Oil',
        creator: 'oily',
        updated: '2026-03-01',
        targets: [{ kind: 'movie', id: 2 }],
      },
      { kind: 'episode', id: 20, name: 'Ghosts', show: 1, season: 2, episode: 3 },
    ]);
  });
  const ids = async (question: object) =>
    (await titles.index.search({ offset: 0, limit: 10, ...question })).hits.map(({ id }) => id);

  it('may be the Sets of a target or of a creator, the latest change first', async () => {
    expect(await ids({ target: { kind: 'show', id: 1 } })).toEqual([11, 10]);
    expect(await ids({ createdBy: 'Oily' })).toEqual([12, 11]);
    expect(await ids({ createdBy: 'oily', target: { kind: 'show', id: 1 } })).toEqual([11]);
    expect(await ids({ createdBy: 'nobody' })).toEqual([]);
  });

  it('may be words among them', async () => {
    expect(await ids({ query: 'ink', target: { kind: 'show', id: 1 } })).toEqual([10]);
    expect(await ids({ query: 'heat', createdBy: 'oily' })).toEqual([12]);
    expect(await ids({ query: 'S02E03', target: { kind: 'show', id: 1 } })).toEqual([20]);
  });
});

it('tells a reader what a feed has named since it was read, newest first, then what was never read', async () => {
  await titles.index.learn([
    { kind: 'show', id: 1, name: 'Read', whole: true },
    { kind: 'show', id: 2, name: 'Mentioned' },
    { kind: 'movie', id: 3, changed: clock - 1000 },
    { kind: 'movie', id: 4, changed: clock - 3000 },
    { kind: 'episode', id: 5, name: 'No work' },
  ]);
  const ids = (found: readonly { id: unknown }[]) => found.map(({ id }) => id);
  const wanted = async () => ids(await titles.index.wanted(10));
  expect(await wanted()).toEqual([3, 4, 2]);
  await titles.index.learn([{ kind: 'movie', id: 3, whole: true }]);
  // The feed shows it once more, then a change that came after.
  await titles.index.learn([{ kind: 'movie', id: 3, changed: clock - 1000 }]);
  expect(await wanted()).toEqual([4, 2]);
  await titles.index.learn([{ kind: 'movie', id: 3, changed: clock + 1 }]);
  expect(await wanted()).toEqual([3, 4, 2]);
});

describe('a damaged file', () => {
  const damages: readonly (readonly [string, (file: string) => Promise<void>])[] = [
    ['of other content', (file) => writeFile(file, 'This is no database at all.'.repeat(1000))],
    ['cut off', async (file) => truncate(file, Math.floor((await stat(file)).size / 2))],
    [
      'overwritten in all its pages but the first',
      async (file) => {
        const { size } = await stat(file);
        const handle = await openFile(file, 'r+');
        await handle.write(Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096);
        await handle.close();
      },
    ],
  ];

  it.each(damages)('%s is removed and begun anew, and that is said', async (_, damage) => {
    const folder = path.join(titles.home, 'titles');
    const heat = { kind: 'movie', id: 1, name: 'Heat' } as const;
    const others = Array.from(
      { length: 800 },
      (_, at) => ({ kind: 'movie', id: at + 2, name: `Film ${at}` }) as const,
    );
    await titles.index.learn([heat, ...others]);
    await titles.index.close();
    const file = (await readdir(folder)).find((name) => name.endsWith('.db')) ?? '';
    await damage(path.join(folder, file));
    const index = titles.open();
    expect((await index.search({ query: 'heat', offset: 0, limit: 5 })).hits).toEqual([]);
    expect(titles.told.filter((line) => line.includes('damaged'))).toHaveLength(1);
    await index.learn([heat]);
    expect((await index.search({ query: 'heat', offset: 0, limit: 5 })).hits).toMatchObject([heat]);
  });
});

it('a link in the place of its folder is refused, and nothing is written where it leads', async () => {
  const elsewhere = path.join(titles.home, 'elsewhere');
  await mkdir(elsewhere);
  await symlink(elsewhere, path.join(titles.home, 'titles'));
  await expect(titles.index.learn([{ kind: 'movie', id: 1, name: 'Heat' }])).rejects.toMatchObject({
    code: 'home_not_private',
  });
  expect(await readdir(elsewhere)).toEqual([]);
});
