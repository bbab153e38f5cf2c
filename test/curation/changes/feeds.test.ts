import { describe, expect, it } from 'vitest';
import { type ChangeEvent, reachesTo, readFeed } from '../../../src/curation/changes/feeds.ts';
import { added, type Item, replaced, type ScriptedPages, scriptedPages, timeOf } from './scripted-pages.ts';

/** Numbers from `high` down to `low`, ten a page. */
function pagesOf(high: number, low: number): Item[][] {
  const items = Array.from({ length: high - low + 1 }, (_, at) => added(high - at));
  return Array.from({ length: Math.ceil(items.length / 10) }, (_, at) => items.slice(at * 10, at * 10 + 10));
}

const read = (pages: ScriptedPages, since: number) => readFeed('assets', since, pages);

const idsOf = (events: readonly ChangeEvent[]) =>
  events.map((event) => ('assetId' in event ? Number(event.assetId.slice(-12)) : 0)).sort((a, b) => b - a);
const range = (high: number, low: number) => Array.from({ length: high - low + 1 }, (_, at) => high - at);
const at = (number: number) => Date.parse(timeOf(number));

describe('a feed that is newest first', () => {
  it('is read to the time asked for and one page further, and no more', async () => {
    const pages = scriptedPages(pagesOf(100, 1));
    const { events, reach } = await read(pages, at(75));
    expect(idsOf(events)).toEqual(range(100, 75));
    expect(reach.state).toBe('reached');
    expect(pages.asked).toHaveLength(4);
    expect(reachesTo(reach, at(75))).toBe(true);
  });
});

describe('a feed in another order', () => {
  it('is read to its end, so that nothing is lost', async () => {
    const mixed = pagesOf(100, 1).reverse();
    const pages = scriptedPages(mixed);
    const { events, reach } = await read(pages, at(75));
    expect(idsOf(events)).toEqual(range(100, 75));
    expect([reach.state, pages.asked.length]).toEqual(['ended', 10]);
  });
});

describe('a snapshot that expires', () => {
  it('is begun anew, and nothing comes twice or is lost', async () => {
    const pages = scriptedPages(pagesOf(450, 1));
    const { read: readPage } = pages;
    let asked = 0;
    const moving: ScriptedPages = {
      ...pages,
      async read(feed, page) {
        asked += 1;
        if (asked === 8) {
          pages.expired = 1;
          pages.pages = pagesOf(455, 1);
        }
        return readPage(feed, page);
      },
    };
    const { events, reach } = await read(moving, at(1));
    expect(idsOf(events)).toEqual(range(455, 1));
    expect(reach.state).toBe('ended');
  });

  it('again and again is given up, and what it told stays', async () => {
    const pages = scriptedPages(pagesOf(60, 1));
    pages.expired = 2;
    const { events, reach } = await read(pages, at(1));
    expect(idsOf(events)).toEqual(range(60, 51));
    expect(reach.state).toBe('cut');
  });
});

describe('a hostile feed', () => {
  it.each([
    ['itself', (page: number) => (page === 1 ? '/feeds/assets/pages/s/2' : '/feeds/assets/pages/s/2')],
    [
      'an earlier page',
      (page: number) => (page === 9 ? '/feeds/assets/pages/s/3' : `/feeds/assets/pages/s/${page + 1}`),
    ],
    ['ever new pages', (page: number) => `/feeds/assets/pages/s/${page + 1}`],
  ])('whose pages lead to %s ends, and what it told stays', async (_, follows) => {
    const pages = scriptedPages(pagesOf(30, 1));
    pages.follows = follows;
    const { events, reach } = await read(pages, at(1));
    expect(idsOf(events).length).toBeGreaterThanOrEqual(20);
    expect(reach.state).toBe('cut');
    expect(reachesTo(reach, at(1))).toBe(false);
    expect(pages.asked.length).toBeLessThanOrEqual(400);
  });

  it('with times that can’t be right tells those changes, and goes by none of their times', async () => {
    const odd = ['9999-12-31T00:00:00Z', '1969-01-01T00:00:00Z', '', 'yesterday', null, 7, '2026-13-45'];
    const items = odd.map((changedAt, index) => added(500 + index, { changedAt }));
    const pages = scriptedPages([
      [...items, ...range(20, 15).map((number) => added(number))],
      range(14, 1).map((n) => added(n)),
    ]);
    const { events, reach } = await read(pages, at(18));
    expect(idsOf(events)).toEqual([...range(506, 500), 20, 19, 18]);
    expect(events.filter((event) => event.at === null)).toHaveLength(odd.length);
    expect([reach.newest, reach.state]).toEqual([timeOf(20), 'reached']);
  });

  it('that tells one Asset twice, with other content, tells each thing once', async () => {
    const twice = [
      added(5),
      added(5),
      added(5, { changedAt: timeOf(9) }),
      added(5, { target: { id: 77, kind: 'game' } }),
    ];
    const { events } = await read(scriptedPages([twice]), 0);
    expect(events.map((event) => ('target' in event ? event.target : null))).toEqual([
      { kind: 'movie', id: 5 },
      { kind: 'game', id: 77 },
    ]);
  });
});

describe('a chain of replacements', () => {
  it('is the same changes, whichever items tell of it', async () => {
    const whole = replaced(3, 4, [
      [1, 2],
      [2, 3],
      [3, 4],
    ]);
    const parts = [
      whole,
      replaced(2, 3, [
        [1, 2],
        [2, 3],
      ]),
      replaced(1, 2),
    ];
    const { events } = await read(scriptedPages([parts]), 0);
    const { events: alone } = await read(scriptedPages([[whole]]), 0);
    expect(idsOf(events)).toEqual(idsOf(alone));
    expect(events).toHaveLength(3);
  });
});
