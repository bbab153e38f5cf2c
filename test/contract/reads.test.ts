import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Catalogue, ids, startCatalogue } from './catalogue.ts';
import { assetFeed, episodesIndex, type Kind, publicError, records, setFeed } from './schemas.ts';

const snapshotLifetimeMs = 60_000;
let catalogue: Catalogue;
/** The same with few records, of which a test changes some. */
let small: Catalogue;
let found: ReadonlyMap<Kind, readonly number[]>;

beforeAll(async () => {
  catalogue = await startCatalogue('all', { snapshotLifetimeMs });
  small = await startCatalogue('small');
  found = await crawl();
});
afterAll(() => Promise.all([catalogue.stop(), small.stop()]));

/** The public path of each kind (Public reads). */
const paths: Readonly<Record<Kind, string>> = {
  ...{ show: 'shows', season: 'seasons', episode: 'episodes', movie: 'movies', collection: 'collections' },
  ...{ game: 'games', company: 'companies', network: 'networks', person: 'people', category: 'categories' },
  ...{ movie_set: 'movie-set', show_set: 'show-set', game_set: 'game-set', brand_set: 'brand-set' },
  ...{ collection_set: 'collection-set', boxset: 'boxsets', loadout: 'loadouts' },
};
const kinds = z
  .array(z.custom<Kind>((kind) => typeof kind === 'string' && kind in paths))
  .parse(Object.keys(paths));

async function fetchJson(path: string, from: Catalogue): Promise<unknown> {
  const response = await fetch(from.baseUrl + path);
  expect(response.status, path).toBe(200);
  expect(response.headers.get('content-type'), path).toBe('application/json; charset=utf-8');
  return response.json();
}

function parse<T>(path: string, type: z.ZodType<T>, value: unknown): T {
  const { data, error } = type.safeParse(value);
  if (data === undefined)
    throw new Error(`${path} is not as documented:\n${error && z.prettifyError(error)}`);
  return data;
}

async function read<T>(kind: Kind, id: number, type: z.ZodType<T>): Promise<T> {
  const path = `/${paths[kind]}/${id}`;
  const body = await fetchJson(path, catalogue);
  const { data } = z.strictObject({ data: z.looseObject({ id: z.literal(id) }) }).parse(body);
  return parse(path, type, data);
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: {
    readonly page: number;
    readonly totalPages: number;
    readonly nextPage: string | null;
    readonly snapshot?: string | undefined;
  };
}

async function readPage<Item>(path: string, type: z.ZodType<Page<Item>>, from = catalogue) {
  return parse(path, type, await fetchJson(path, from));
}

/** All pages from the first on, by what each says is the next. */
async function readAll<Item>(first: string, type: z.ZodType<Page<Item>>, from = catalogue) {
  const all: Page<Item>[] = [];
  for (let next: string | null = first; next !== null; ) {
    const page: Page<Item> = await readPage(next, type, from);
    all.push(page);
    expect(page.meta.page).toBe(all.length);
    expect(page.meta.totalPages).toBe(all[0]?.meta.totalPages);
    expect(page.data.length).toBeGreaterThan(0);
    next = page.meta.nextPage;
  }
  expect(all).toHaveLength(all[0]?.meta.totalPages ?? 0);
  return all;
}

/** Whatever an answer names by kind and id. There is no search: a client finds records like this, too. */
function* namedIn(value: unknown, member = ''): Generator<readonly [Kind, number]> {
  if (value === null || typeof value !== 'object') return;
  const { id, setId, kind = member } = Object(value);
  const known = kinds.find((one) => one === kind);
  const number = id ?? setId;
  if (known !== undefined && typeof number === 'number') yield [known, number];
  for (const [name, part] of Object.entries(value)) yield* namedIn(part, Array.isArray(value) ? '' : name);
}

/** Reads records that can be reached, at most so many of a kind, each as documented. */
async function crawl(most = 25) {
  const met = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  const waiting = [
    ...namedIn(await readAll('/episodes', episodesIndex)),
    ...namedIn(await readAll('/feeds/sets', setFeed)),
    ...namedIn(await readAll('/feeds/assets', assetFeed)),
  ];
  for (const [kind, id] of waiting) {
    const known = met.get(kind) ?? [];
    if (known.length >= most || known.includes(id)) continue;
    known.push(id);
    waiting.push(...namedIn(await read<unknown>(kind, id, records[kind])));
  }
  return met;
}

async function refused(path: string, status: number, code?: string, method = 'GET') {
  const response = await fetch(catalogue.baseUrl + path, { method });
  expect(response.status, `${method} ${path}`).toBe(status);
  expect(response.headers.get('content-type'), path).toBe('application/json; charset=utf-8');
  const { error } = publicError.parse(await response.json());
  if (code !== undefined) expect(error.code, path).toBe(code);
}

test.each(kinds)(
  '%s: is as documented, only read, and not found under an id that nobody has',
  async (kind) => {
    expect(found.get(kind)?.length).toBeGreaterThan(0);
    const path = `/${paths[kind]}`;
    for (const id of ['999999999', '0', '-1', '99999999999999999999']) {
      await refused(`${path}/${id}`, 404, 'not_found');
    }
    for (const id of ['abc', '1.5', '0x1', '1e3', '1 2', '٣']) {
      await refused(`${path}/${encodeURIComponent(id)}`, 400);
    }
    for (const method of ['POST', 'PUT', 'DELETE']) await refused(`${path}/1`, 405, undefined, method);
  },
);

test('a path that nobody knows is not found', async () => {
  for (const path of ['/nothing', '/shows', '/shows/1/seasons', '/feeds', '/feeds/people', '//shows/1']) {
    await refused(path, 404, 'not_found');
  }
});

test('shows, seasons and episodes lead to each other, and the index has each episode once', async () => {
  const index = (await readAll('/episodes', episodesIndex)).flatMap(({ data }) => data);
  expect(new Set(index.map(({ id }) => id)).size).toBe(index.length);
  for (const showId of found.get('show') ?? []) {
    const show = await read('show', showId, records.show);
    const ofShow = [];
    for (const { id, seasonNumber } of show.seasons) {
      const season = await read('season', id, records.season);
      expect([season.seasonNumber, season.show.id]).toEqual([seasonNumber, showId]);
      ofShow.push(...season.episodes);
      const [first] = season.episodes;
      const episode = first && (await read('episode', first.id, records.episode));
      expect(episode?.season.id ?? id).toBe(id);
    }
    const inIndex = index.filter((one) => one.show.id === showId).map(({ id }) => id);
    expect(inIndex.sort()).toEqual(ofShow.map(({ id }) => id).sort());
    expect(show.numberOfEpisodes).toBe(ofShow.length);
    expect(show.numberOfSeasons).toBe(show.seasons.filter((season) => season.seasonNumber > 0).length);
    const dates = ofShow.flatMap(({ airDate }) => airDate ?? []).sort();
    expect([show.firstAirDate, show.lastAirDate]).toEqual([dates[0] ?? null, dates.at(-1) ?? null]);
  }
  await refused('/episodes/pages/0', 404);
});

const groupSchema = z.looseObject({ title: z.string(), sets: z.array(z.looseObject({ id: z.int() })) });

test('a Set and its Boxset or Loadout name each other', async () => {
  for (const kind of ['boxset', 'loadout'] as const) {
    for (const id of found.get(kind) ?? []) {
      const { title, sets } = await read(kind, id, groupSchema);
      for (const child of sets) {
        const set = await catalogue.shown(
          `/${paths[kinds.find((one) => one === child.kind) ?? 'game_set']}/${child.id}`,
        );
        expect(set).toMatchObject({
          [kind]: { id, title },
          title: child.title,
          dateUpdated: child.dateUpdated,
        });
      }
    }
  }
});

describe.each<[string, z.ZodType<Page<{ readonly changedAt: string }>>]>([
  ['/feeds/assets', assetFeed],
  ['/feeds/sets', setFeed],
])('%s', (first, type) => {
  test('is one snapshot for all its pages, the newest first', async () => {
    const all = await readAll(first, type);
    expect(all.length).toBeGreaterThan(1);
    expect(new Set(all.map(({ meta }) => meta.snapshot)).size).toBe(1);
    const times = all.flatMap(({ data }) => data.map(({ changedAt }) => changedAt));
    expect(times).toEqual([...times].sort().reverse());
    const again = await readPage(first, type);
    expect(again.meta.snapshot).not.toBe(all[0]?.meta.snapshot);
    await refused(`${first}/pages/${again.meta.snapshot}/${again.meta.totalPages + 1}`, 404, 'not_found');
    await refused(`${first}/pages/${again.meta.snapshot}/0`, 404, 'not_found');
    await refused(`${first}/pages/${again.meta.snapshot}/two`, 400);
  });

  test('is gone with its snapshot, and under the name of one that is not its own', async () => {
    const other = first === '/feeds/sets' ? '/feeds/assets' : '/feeds/sets';
    const { meta } = await readPage(first, type);
    const next = meta.nextPage ?? '';
    await refused(next.replace(first, other), 410);
    await refused(`${first}/pages/00000000-0000-4000-8000-000000000000/1`, 410);
    catalogue.pass(snapshotLifetimeMs - 1_000);
    await readPage(next, type);
    catalogue.pass(1_000);
    await refused(next, 410);
    await readPage(first, type);
  });
});

test('a feed has each change once, on pages that stay as they are while more is changed', async () => {
  const { id, updatedAt } = await small.asset();
  const revisions = [updatedAt];
  const edit = async () => {
    const expectedUpdatedAt = revisions.at(-1);
    const languageCode = revisions.length % 2 === 0 ? 'fr' : 'de';
    const answer = await small.post(`/me/assets/${id}/metadata`, { expectedUpdatedAt, languageCode });
    revisions.push(answer.text('data.updatedAt'));
  };
  for (let count = 0; count < 250; count++) await edit();
  const all = await readAll('/feeds/assets', assetFeed, small);
  const listed = all.flatMap(({ data }) => data);
  expect(listed.map(({ changedAt }) => changedAt)).toEqual([...revisions].reverse());
  expect(listed.at(-1)).toMatchObject({ assetId: id, changeType: 'added', target: { id: ids.movie } });
  await edit();
  const second = all[0]?.meta.nextPage ?? '';
  expect(await readPage(second, assetFeed, small)).toEqual(all[1]);
  const [newest] = await small.shown('/feeds/assets');
  expect(newest).toMatchObject({ changedAt: revisions.at(-1), changeType: 'updated', previousAssetId: null });
});

test('a replacement chain runs in time from the oldest to the Asset itself', async () => {
  const items = (await readAll('/feeds/assets', assetFeed)).flatMap(({ data }) => data);
  expect(items.some(({ replacements }) => replacements.length > 1)).toBe(true);
  for (const { assetId, previousAssetId, changedAt, replacements } of items) {
    const last = previousAssetId === null ? undefined : { previousAssetId, newAssetId: assetId, changedAt };
    expect(replacements.at(-1)).toEqual(last);
    for (const [index, link] of replacements.slice(1).entries()) {
      expect(replacements[index]?.newAssetId).toBe(link.previousAssetId);
      expect((replacements[index]?.changedAt ?? '') < link.changedAt).toBe(true);
    }
  }
});

interface Drawn {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

test('each picture is as its record says, and no two are the same', async () => {
  const season = await read('season', found.get('season')?.[0] ?? 0, records.season);
  const paths = [`/shows/${season.show.id}`, ...season.episodes.map(({ id }) => `/episodes/${id}`)];
  const shown = await Promise.all(paths.map((path) => catalogue.shown(path)));
  const assets = shown
    .flatMap((record) => Object.values<Drawn[]>(record.assets))
    .flatMap(([first]) => first ?? []);
  const seen = new Set<string>();
  for (const { path, width, height } of assets) {
    const answer = await fetch(new URL(path, catalogue.baseUrl));
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { format, ...found } = await sharp(bytes).metadata();
    expect(answer.headers.get('content-type')).toBe(`image/${format}`);
    expect([found.width, found.height]).toEqual([width, height]);
    seen.add(bytes.toString('base64'));
  }
  expect(assets.length).toBeGreaterThan(10);
  expect(seen.size).toBe(assets.length);
});

test('an ordered fault answers instead, as often as it was ordered and after what it skips', async () => {
  const answer = { do: 'answer', status: 429, headers: { 'retry-after': '1' }, body: 'slow' };
  await small.control.fail({ method: 'GET', path: '/episodes', ...answer, skip: 1, count: 2 });
  const answers = await Promise.all([1, 2, 3, 4].map(() => fetch(`${small.baseUrl}/episodes`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
  const waits = answers.map(({ headers }) => headers.get('retry-after'));
  expect(waits.sort()).toEqual(['1', '1', null, null]);
});
