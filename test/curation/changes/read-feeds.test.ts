import { describe, expect, it } from 'vitest';
import {
  type ChangeEvent,
  type FeedPlace,
  fromTheBeginning,
  mostEvents,
  reachesTo,
  readFeedOn,
} from '../../../src/curation/changes/feeds.ts';
import { ArtworkError } from '../../../src/errors.ts';
import {
  added,
  assetId,
  type Item,
  replaced,
  type ScriptedPages,
  scriptedPages,
  timeOf,
} from './scripted-pages.ts';

/** Numbers from `high` down to `low`, ten a page. */
function pagesOf(high: number, low: number): Item[][] {
  const items = Array.from({ length: high - low + 1 }, (_, at) => added(high - at));
  return Array.from({ length: Math.ceil(items.length / 10) }, (_, at) => items.slice(at * 10, at * 10 + 10));
}

interface All {
  readonly events: readonly ChangeEvent[];
  readonly place: FeedPlace;
  readonly calls: number;
}

/** Reads on until the feed needs no more, in as many calls as that takes. */
async function readAll(pages: ScriptedPages, since: number, between: () => void = () => {}): Promise<All> {
  const known = new Set<string>();
  const events: ChangeEvent[] = [];
  let place: FeedPlace = fromTheBeginning;
  for (let calls = 1; ; calls += 1) {
    const read = await readFeedOn('assets', place, { since, known, pages });
    place = read.place;
    events.push(...read.events);
    if (place.state !== 'reading') return { events, place, calls };
    if (calls > 200) throw new Error('It does not end.');
    between();
  }
}

const idsOf = (events: readonly ChangeEvent[]) =>
  events.map((event) => ('assetId' in event ? Number(event.assetId.slice(-12)) : 0)).sort((a, b) => b - a);
const range = (high: number, low: number) => Array.from({ length: high - low + 1 }, (_, at) => high - at);
const at = (number: number) => Date.parse(timeOf(number));

describe('a feed that is newest first', () => {
  it('is read to the time asked for and one page further, and no more', async () => {
    const pages = scriptedPages(pagesOf(100, 1));
    const { events, place } = await readAll(pages, at(75));
    expect(idsOf(events)).toEqual(range(100, 75));
    expect(place.state).toBe('reached');
    expect(pages.asked).toHaveLength(4);
    expect(reachesTo(place, at(75))).toBe(true);
  });

  it('is read in shares of twenty pages, each change once', async () => {
    const { events, calls, place } = await readAll(scriptedPages(pagesOf(650, 1)), at(1));
    expect(idsOf(events)).toEqual(range(650, 1));
    expect(calls).toBe(4);
    expect(reachesTo(place, at(1))).toBe(true);
    expect(reachesTo(place, at(0))).toBe(false);
  });
});

describe('a feed in another order', () => {
  it('is read to its end, so that nothing is lost', async () => {
    const mixed = pagesOf(100, 1).reverse();
    const pages = scriptedPages(mixed);
    const { events, place } = await readAll(pages, at(75));
    expect(idsOf(events)).toEqual(range(100, 75));
    expect([place.state, pages.asked.length]).toEqual(['ended', 10]);
  });
});

describe('a snapshot that expires', () => {
  it.each([1, 2, 3, 7, 19])(
    'after %i pages is begun anew, and nothing comes twice or is lost',
    async (after) => {
      const pages = scriptedPages(pagesOf(450, 1), after);
      let moved = false;
      const { events } = await readAll(pages, at(1), () => {
        if (moved) return;
        moved = true;
        pages.expired = 1;
        pages.pages = pagesOf(455, 1);
      });
      expect(idsOf(events)).toEqual(range(455, 1));
    },
  );

  it('again in the same call ends that call, and the next one goes on', async () => {
    const pages = scriptedPages(pagesOf(60, 1));
    const known = new Set<string>();
    pages.expired = 2;
    const first = await readFeedOn('assets', fromTheBeginning, { since: at(1), known, pages });
    expect(first.place.state).toBe('reading');
    const second = await readFeedOn('assets', first.place, { since: at(1), known, pages });
    expect(idsOf([...first.events, ...second.events])).toEqual(range(60, 1));
  });

  it('at its first page is told as it is', async () => {
    const pages = scriptedPages([]);
    const read = async () => Promise.reject(new ArtworkError('snapshot_expired', 'Gone.'));
    const reading = readFeedOn('assets', fromTheBeginning, {
      since: 0,
      known: new Set(),
      pages: { ...pages, read },
    });
    await expect(reading).rejects.toMatchObject({ category: 'snapshot_expired' });
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
    const { events, place } = await readAll(pages, at(1));
    expect(idsOf(events).length).toBeGreaterThanOrEqual(20);
    expect(place.state).toBe('gave_up');
    expect(reachesTo(place, at(1))).toBe(false);
    expect(pages.asked.length).toBeLessThan(450);
  });

  it('with times that can’t be right tells those changes, and goes by none of their times', async () => {
    const odd = ['9999-12-31T00:00:00Z', '1969-01-01T00:00:00Z', '', 'yesterday', null, 7, '2026-13-45'];
    const items = odd.map((changedAt, index) => added(500 + index, { changedAt }));
    const pages = scriptedPages([
      [...items, ...range(20, 15).map((number) => added(number))],
      range(14, 1).map((n) => added(n)),
    ]);
    const { events, place } = await readAll(pages, at(18));
    expect(idsOf(events)).toEqual([...range(506, 500), 20, 19, 18]);
    expect(events.filter((event) => event.at === null)).toHaveLength(odd.length);
    expect([place.newest, place.state]).toEqual([timeOf(20), 'reached']);
  });

  it('of huge pages is read no further than a reading holds', async () => {
    const page = range(mostEvents + 500, 1).map((number) => added(number));
    const { events, place } = await readAll(scriptedPages([page, page]), 0);
    expect(events).toHaveLength(mostEvents);
    expect(place.state).toBe('gave_up');
  });

  it('that tells one Asset twice, with other content, tells each thing once', async () => {
    const twice = [
      added(5),
      added(5),
      added(5, { changedAt: timeOf(9) }),
      added(5, { target: { id: 77, kind: 'game' } }),
    ];
    const { events } = await readAll(scriptedPages([twice]), 0);
    expect(events.map((event) => ('target' in event ? event.target : null))).toEqual([
      { kind: 'movie', id: 5 },
      { kind: 'game', id: 77 },
    ]);
  });

  it('whose items are no items is passed over', async () => {
    const odd: Item[] = [
      {},
      { assetId: 5 },
      { assetId: assetId(1), slot: 'poster', target: 'movie 5' },
      { assetId: assetId(1), slot: 'x'.repeat(9_000), target: { kind: 'movie', id: 2 } },
    ];
    const { events } = await readAll(scriptedPages([odd]), 0);
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events).length).toBeLessThan(400);
  });

  it('with a chain of a thousand links that leads in a circle tells each link once', async () => {
    const chain = Array.from({ length: 1_000 }, (_, index): [number, number] => [
      index % 50,
      (index + 1) % 50,
    ]);
    const { events } = await readAll(scriptedPages([[replaced(3, 4, chain)]]), 0);
    expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
    expect(events.length).toBeLessThanOrEqual(51);
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
    const { events } = await readAll(scriptedPages([parts]), 0);
    const { events: alone } = await readAll(scriptedPages([[whole]]), 0);
    expect(new Set(events.map(({ key }) => key))).toEqual(new Set(alone.map(({ key }) => key)));
    expect(events).toHaveLength(3);
  });

  it('is told from the time asked for on', async () => {
    const { events } = await readAll(
      scriptedPages([
        [
          replaced(3, 4, [
            [1, 2],
            [2, 3],
            [3, 4],
          ]),
        ],
      ]),
      at(3),
    );
    expect(idsOf(events)).toEqual([4, 3]);
  });
});
