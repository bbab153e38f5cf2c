import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeFeedItem, closeIndexedEpisode } from '../../../src/catalogue/records/shown.ts';
import { sightingsOf } from '../../../src/curation/find/sightings.ts';
import { withOwnTitles } from '../../../src/curation/find/with-own-titles.ts';
import { type IndexUnderTest, startIndex } from './index-folder.ts';

let titles: IndexUnderTest;
let clock = Date.parse('2026-11-20T10:00:00Z');

beforeEach(async () => {
  clock = Date.parse('2026-11-20T10:00:00Z');
  titles = await startIndex(() => clock);
});

afterEach(() => titles.stop());

const find = async (query: string, more: object = {}) =>
  (await titles.index.search({ query, offset: 0, limit: 10, ...more })).hits;
const names = async (query: string, more: object = {}) =>
  (await find(query, more)).map(({ kind, name }) => `${kind}:${name}`);

describe('what is learnt', () => {
  it('is found by its new name alone once it is renamed', async () => {
    await titles.index.learn([{ kind: 'show', id: 7, name: 'Working Title' }]);
    await titles.index.learn([{ kind: 'show', id: 7, name: 'Severance' }]);
    expect(await names('severance')).toEqual(['show:Severance']);
    expect(await find('working title')).toEqual([]);
    expect((await titles.index.seen()).shows).toBe(1);
  });

  it('is forgotten when the catalogue has it no longer', async () => {
    await titles.index.learn([{ kind: 'movie', id: 1, name: 'Heat' }]);
    await titles.index.forget({ kind: 'movie', id: 1 });
    await titles.index.forget({ kind: 'movie', id: 2 });
    expect(await find('heat')).toEqual([]);
    expect(await titles.index.seen()).toMatchObject({ titles: 0, films: 0 });
  });

  describe('of an account', () => {
    const set = {
      kind: 'movie_set',
      id: 5,
      name: 'Secret Heist in Ink',
      creator: 'inky',
      targets: [{ kind: 'movie', id: 1 }],
    } as const;
    const asked = { offset: 0, limit: 5 };
    const startParts = () => {
      const [own, other] = [titles.open({ part: 'a1' }), titles.open({ part: 'b2' })];
      const fails = (error: Error) => {
        throw error;
      };
      const [mine, others] = [
        withOwnTitles(titles.index, own, fails),
        withOwnTitles(titles.index, other, fails),
      ];
      return { own, mine, others };
    };

    it('is found by it alone, by name, creator, target and the name of its target', async () => {
      const { own, mine, others } = startParts();
      await titles.index.learn([{ kind: 'movie', id: 1, name: 'Heat', year: 1995 }]);
      await own.learn([
        { ...set, isOwn: true },
        { kind: 'creator', id: 'inky', name: 'inky' },
        { kind: 'movie', id: 1 },
      ]);
      for (const question of [
        { query: 'secret heist in ink' },
        { createdBy: 'inky' },
        { target: { kind: 'movie', id: 1 } },
        { query: 'set of heat', kind: 'set' },
      ] as const) {
        const told = JSON.stringify(question);
        const found = await mine.search({ ...asked, ...question });
        expect(found, told).toMatchObject({
          total: 1,
          hits: [{ id: 5, isOwn: true, target: { name: 'Heat' } }],
        });
        expect(await others.search({ ...asked, ...question }), told).toEqual({ hits: [], total: 0 });
        expect((await titles.index.search({ ...asked, ...question })).hits, told).toEqual([]);
      }
      expect((await mine.search({ ...asked, query: 'heat' })).hits[0]).toMatchObject({
        kind: 'movie',
        isOwn: false,
      });
      const folder = path.join(titles.home, 'titles');
      for (const name of await readdir(folder)) {
        const has = (await readFile(path.join(folder, name))).includes('Secret Heist');
        expect(has && !name.includes('-own-a1.'), name).toBe(false);
      }
    });
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
      'a\u0301'.repeat(400),
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

  it('may be of one kind', async () => {
    expect(await ids({ query: 'dark', kind: 'show' })).toEqual([1]);
    expect(await ids({ query: 'dark', kind: 'set' })).toEqual(expect.arrayContaining([10, 11]));
    expect(await ids({ query: 'oily', kind: 'creator' })).toEqual(['oily']);
    expect(await ids({ target: { kind: 'show', id: 1 }, kind: 'episode' })).toEqual([20]);
  });
});

describe('a reader of the catalogue', () => {
  it('is told what was never read itself first, then what was read longest ago', async () => {
    await titles.index.learn([{ kind: 'show', id: 1, name: 'Read', whole: true }]);
    clock += 1000;
    await titles.index.learn([
      { kind: 'show', id: 2, name: 'Mentioned' },
      { kind: 'show', id: 3, name: 'Read later', whole: true },
      { kind: 'movie_set', id: 9 },
    ]);
    const due = async (before: number) => (await titles.index.due('show', before, 10)).map(({ id }) => id);
    expect(await due(0)).toEqual([2]);
    expect(await due(clock)).toEqual([2, 1]);
    expect(await due(clock + 1)).toEqual([2, 1, 3]);
    expect(await titles.index.due('movie_set', 0, 10)).toEqual([{ kind: 'movie_set', id: 9 }]);
  });

  it('is told what a feed has named since it was read, newest first', async () => {
    await titles.index.learn([
      { kind: 'movie', id: 1, changed: clock - 3000 },
      { kind: 'show_set', id: 2, changed: clock - 1000 },
      { kind: 'show', id: 3, changed: clock - 2000 },
      { kind: 'game', id: 4 },
    ]);
    const changed = async () => (await titles.index.changed(10)).map(({ id }) => id);
    expect(await changed()).toEqual([2, 3, 1]);
    await titles.index.learn([{ kind: 'show_set', id: 2, name: 'Read', whole: true }]);
    // The feed shows it once more, then a change that came after.
    await titles.index.learn([{ kind: 'show_set', id: 2, changed: clock - 1000 }]);
    expect(await changed()).toEqual([3, 1]);
    await titles.index.learn([{ kind: 'show_set', id: 2, changed: clock + 1 }]);
    expect(await changed()).toEqual([2, 3, 1]);
  });
});

it('takes from a record what it says, and nothing from one without an id', () => {
  const episode = {
    id: 3,
    title: ' Two\n lines ',
    seasonNumber: 1,
    episodeNumber: 2,
    show: { id: 1, title: 'Show' },
  };
  expect(sightingsOf({ of: 'episodes', items: [closeIndexedEpisode({ ...episode, season: null })] })).toEqual(
    [
      expect.objectContaining({ kind: 'episode', id: 3, name: 'Two lines', show: 1, season: 1, episode: 2 }),
      expect.objectContaining({ kind: 'show', id: 1, name: 'Show' }),
    ],
  );
  expect(
    sightingsOf({
      of: 'episodes',
      items: [{ title: 'x' }, { id: 'x9', title: 'x' }, { id: -1 }].map(closeIndexedEpisode),
    }),
  ).toEqual([]);
});

describe('what a record shows', () => {
  const _target = { id: 4, kind: 'show', title: 'Dark', year: 2017 };

  it('of a change is what it is about, by its number', () => {
    const asset = { kind: 'asset', slot: 'poster', target: { id: 4, kind: 'show' } };
    expect(sightingsOf({ of: 'feed', items: [closeFeedItem<'assets'>(asset)] })).toEqual([
      expect.objectContaining({ kind: 'show', id: 4 }),
    ]);
    const set = { setId: 8, kind: 'show_set', changeType: 'added', changedAt: '2026-01-01T00:00:00Z' };
    expect(
      sightingsOf({ of: 'feed', items: [set, { ...set, kind: 'no such' }].map(closeFeedItem<'sets'>) }),
    ).toEqual([{ kind: 'show_set', id: 8, updated: '2026-01-01T00:00:00Z' }]);
    // The index of episodes tells as much of these, a hundred at a time.
    const card = { ...asset, target: { id: 9, kind: 'episode' } };
    const [seen] = sightingsOf({ of: 'feed', items: [closeFeedItem<'assets'>(card)] });
    expect(seen).not.toHaveProperty('changed');
  });
});

describe('an index that has its largest size', () => {
  const films = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      kind: 'movie' as const,
      id: from + at,
      name: `The ${from + at}th Lighthouse at ${String((from + at) ** 3)}`,
    }));

  it('adds no more, and keeps what it knows as it is now', async () => {
    const index = titles.open({ largest: 300_000 });
    for (let from = 1; from < 6_000 && !(await index.isFull()); from += 150)
      await index.learn(films(from, 150));
    expect(await index.isFull()).toBe(true);
    const { titles: before } = await index.seen();
    expect(before).toBeGreaterThan(150);

    await index.learn([...films(90_000, 150), { kind: 'show', id: 7, name: 'Severance' }]);
    expect((await index.seen()).titles).toBe(before);
    expect(await names('severance')).toEqual([]);

    await index.learn([{ kind: 'movie', id: 3, name: 'Heat' }]);
    expect(await names('heat')).toEqual(['movie:Heat']);
  });
});
