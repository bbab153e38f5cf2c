import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from './discover.ts';
import { read, readAllPages } from './read.ts';
import {
  assetFeedItem,
  envelope,
  episodesIndexItem,
  feedMeta,
  indexMeta,
  page,
  publicError,
  type Resource,
  records,
  setFeedItem,
} from './schemas.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let ids: Awaited<ReturnType<typeof discover>>;

beforeAll(async () => {
  service = await startService();
  ids = await discover(service.baseUrl);
});

afterAll(() => service.stop());

const resources = Object.keys(records) as Resource[];
const unknownId = 999_999_999;
const unknownSnapshot = '00000000-0000-4000-8000-000000000000';

async function refused(path: string, status: number, code?: string): Promise<void> {
  const response = await fetch(service.baseUrl + path);
  expect(response.status, path).toBe(status);
  expect(response.headers.get('content-type'), path).toBe('application/json; charset=utf-8');
  const { error } = publicError.parse(await response.json());
  if (code !== undefined) expect(error.code, path).toBe(code);
}

describe.each(resources)('/%s/{id}', (resource) => {
  test('returns the documented record', async () => {
    expect(ids[resource].size, `no id of ${resource} was found`).toBeGreaterThan(0);
    for (const id of ids[resource]) {
      const { data } = await read(service.baseUrl, `/${resource}/${id}`, envelope(records[resource]));
      expect(data.id).toBe(id);
    }
  });

  test('an unknown id is not_found', () => refused(`/${resource}/${unknownId}`, 404, 'not_found'));

  test.each(['abc', '1.5', '0x1', '1e3', '1 2', '٣'])('an id %j is no integer', (id) =>
    refused(`/${resource}/${encodeURIComponent(id)}`, 400),
  );

  test.each(['0', '-1', '99999999999999999999'])('an id %j is nobody’s', (id) =>
    refused(`/${resource}/${id}`, 404, 'not_found'),
  );

  test('has a HEAD without a body', async () => {
    const [id] = ids[resource];
    const response = await fetch(`${service.baseUrl}/${resource}/${id}`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(2);
    expect(await response.text()).toBe('');
  });
});

test.each([
  ...resources.map((resource) => `/${resource}/1`),
  '/episodes',
  '/feeds/assets',
  '/feeds/sets',
  `/feeds/assets/pages/${unknownSnapshot}/2`,
])('%s is only read', async (path) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await fetch(service.baseUrl + path, { method });
    expect(response.status, `${method} ${path}`).toBe(405);
    expect(response.headers.get('allow')).toBe('GET');
    publicError.parse(await response.json());
  }
});

test('a path that nobody knows is not_found', async () => {
  for (const path of ['/nothing', '/shows', '/shows/1/seasons', '/feeds', '/feeds/people', '//shows/1']) {
    await refused(path, 404, 'not_found');
  }
});

describe('records agree with each other', () => {
  test('the seasons of a show, and the episodes of a season, lead back', async () => {
    for (const showId of ids.shows) {
      const show = (await read(service.baseUrl, `/shows/${showId}`, envelope(records.shows))).data;
      const airDates: (string | null)[] = [];
      for (const { id, seasonNumber } of show.seasons) {
        const season = (await read(service.baseUrl, `/seasons/${id}`, envelope(records.seasons))).data;
        expect(season.seasonNumber).toBe(seasonNumber);
        expect(season.show).toEqual({ id: showId, kind: 'show', title: show.title });
        airDates.push(...season.episodes.map(({ airDate }) => airDate));
        for (const summary of season.episodes.slice(0, 2)) {
          const episode = (await read(service.baseUrl, `/episodes/${summary.id}`, envelope(records.episodes)))
            .data;
          expect(episode.season.id).toBe(id);
          expect(episode.show.id).toBe(showId);
          expect(episode.episodeNumber).toBe(summary.episodeNumber);
        }
      }
      expect(show.numberOfSeasons).toBe(show.seasons.filter(({ seasonNumber }) => seasonNumber > 0).length);
      expect(show.numberOfEpisodes).toBe(airDates.length);
      const shown = airDates.filter((airDate) => airDate !== null).sort();
      expect([show.firstAirDate, show.lastAirDate]).toEqual([shown[0] ?? null, shown.at(-1) ?? null]);
    }
  });

  test('a Set, its Boxset or Loadout, and their summaries of it', async () => {
    for (const id of ids.boxsets) {
      const boxset = (await read(service.baseUrl, `/boxsets/${id}`, envelope(records.boxsets))).data;
      for (const child of boxset.sets) {
        const path = child.kind === 'show_set' ? 'show-set' : 'movie-set';
        const set = (await read(service.baseUrl, `/${path}/${child.id}`, envelope(records[path]))).data;
        expect(set.boxset).toEqual({ id, title: boxset.title });
        expect(set.title).toBe(child.title);
        expect(set.dateUpdated).toBe(child.dateUpdated);
      }
    }
    for (const id of ids.loadouts) {
      const loadout = (await read(service.baseUrl, `/loadouts/${id}`, envelope(records.loadouts))).data;
      for (const child of loadout.sets) {
        const set = (await read(service.baseUrl, `/game-set/${child.id}`, envelope(records['game-set'])))
          .data;
        expect(set.loadout).toEqual({ id, title: loadout.title });
        expect(set.game).toMatchObject(child.game);
      }
    }
  });

  test('a Show Set speaks of its show’s own seasons and episodes', async () => {
    for (const id of [...ids['show-set']].slice(0, 10)) {
      const set = (await read(service.baseUrl, `/show-set/${id}`, envelope(records['show-set']))).data;
      const show = (await read(service.baseUrl, `/shows/${set.show.id}`, envelope(records.shows))).data;
      expect(show.sets).toContainEqual({
        id,
        title: set.title,
        createdBy: set.createdBy,
        dateUpdated: set.dateUpdated,
      });
      const seasons = new Set(show.seasons.map((season) => season.id));
      for (const season of set.show.seasons) expect(seasons).toContain(season.id);
    }
  });
});

test('the episodes index holds every episode once', async () => {
  const pages = await readAllPages(service.baseUrl, '/episodes', page(episodesIndexItem, indexMeta));
  const episodes = pages.flatMap(({ data }) => data.map(({ id }) => id));
  expect(new Set(episodes).size).toBe(episodes.length);
  const [first] = pages;
  expect(first?.data.length).toBeGreaterThan(0);
});

describe.each([
  { feed: 'assets', item: assetFeedItem },
  { feed: 'sets', item: setFeedItem },
] as const)('/feeds/$feed', ({ feed, item }) => {
  const first = `/feeds/${feed}`;
  const type = page(item, feedMeta);

  test('every page belongs to one snapshot and is documented', async () => {
    const pages = await readAllPages(service.baseUrl, first, type);
    expect(new Set(pages.map(({ meta }) => meta.snapshot)).size).toBe(1);
    for (const { data } of pages) expect(data.length).toBeGreaterThan(0);
  });

  test('a page read again is the same', async () => {
    const { meta } = await read(service.baseUrl, first, type);
    expect(meta.nextPage, 'the feed is too short to be paged').not.toBeNull();
    const path = meta.nextPage ?? '';
    expect(await read(service.baseUrl, path, type)).toEqual(await read(service.baseUrl, path, type));
  });

  test('each first page makes a snapshot of its own', async () => {
    const [one, other] = await Promise.all([
      read(service.baseUrl, first, type),
      read(service.baseUrl, first, type),
    ]);
    expect(one.meta.snapshot).not.toBe(other.meta.snapshot);
  });

  test('a snapshot that is not there is gone', () => refused(`${first}/pages/${unknownSnapshot}/2`, 410));

  test('a page beyond the last, or that is no number, is refused', async () => {
    const { meta } = await read(service.baseUrl, first, type);
    await refused(`${first}/pages/${meta.snapshot}/${meta.totalPages + 1}`, 404, 'not_found');
    await refused(`${first}/pages/${meta.snapshot}/two`, 400);
    await refused(`${first}/pages/not-a-uuid/2`, 410);
  });
});

test('a replacement chain runs in time from the oldest to the Asset itself', async () => {
  const pages = await readAllPages(service.baseUrl, '/feeds/assets', page(assetFeedItem, feedMeta));
  const items = pages.flatMap(({ data }) => data);
  const replaced = items.filter(({ replacements }) => replacements.length > 0);
  expect(replaced.some(({ replacements }) => replacements.length >= 2)).toBe(true);
  for (const { assetId, previousAssetId, changedAt, replacements } of replaced) {
    expect(replacements.at(-1)).toEqual({ previousAssetId, newAssetId: assetId, changedAt });
    for (const [index, link] of replacements.entries()) {
      const before = replacements[index - 1];
      if (!before) continue;
      expect(link.previousAssetId).toBe(before.newAssetId);
      expect(Date.parse(link.changedAt)).toBeGreaterThanOrEqual(Date.parse(before.changedAt));
    }
  }
});
