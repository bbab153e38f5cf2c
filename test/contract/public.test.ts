import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalogue, ids, startCatalogue } from './catalogue.ts';
import { type Names, testScenarios } from './scenarios.ts';
import { publicKinds } from './shapes.ts';

const feeds = ['/feeds/assets', '/feeds/sets'] as const;
let catalogue: Catalogue;
const known: Names = {};
/** Each paged list, read whole. */
let [episodes, assets, sets]: Awaited<ReturnType<typeof readAll>>[] = [];
beforeAll(async () => {
  catalogue = await startCatalogue({ snapshotLifetimeMs: 60_000 });
  [episodes, assets, sets] = await Promise.all(['/episodes', ...feeds].map(readAll));
  const item = episodes?.items.find(({ id }) => id === ids.episode);
  Object.assign(known, { ...ids, item, assets: assets?.meta, sets: sets?.meta });
});
afterAll(() => catalogue.stop());

/** All pages from the first on, by what each says is the next. */
async function readAll(list: string) {
  const all = [];
  for (let next = list; next !== null; next = all.at(-1).meta.nextPage) {
    const { is, body } = await catalogue.send(`GET ${next}`);
    expect(is, next).toBe('200');
    all.push(body);
    expect(body.meta).toMatchObject({ page: all.length, totalPages: all[0].meta.totalPages });
  }
  const items = all.flatMap(({ data }) => data);
  expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(items.length);
  return { all, items, meta: { ...all[0].meta, beyond: all.length + 1 } };
}

testScenarios('public.txt', known, (row) => catalogue.perform(row));

/** Whatever an answer names by kind and id. There is no search: a client finds records like this, too. */
function* namedIn(value: unknown, member = ''): Generator<readonly [string, number]> {
  if (value === null || typeof value !== 'object') return;
  const { id, setId = id, kind = member } = Object(value);
  if (publicKinds.has(kind) && typeof setId === 'number') yield [kind, setId];
  for (const [name, part] of Object.entries(value)) yield* namedIn(part, Array.isArray(value) ? '' : name);
}

test('records that can be reached, twelve of each kind, are as documented', async () => {
  const met = new Map([...publicKinds.keys()].map((kind) => [kind, new Set<number>()]));
  const waiting = [...namedIn([episodes?.items, sets?.items, assets?.items])];
  for (const [kind, id] of waiting) {
    const known = met.get(kind);
    if (known === undefined || known.size >= 12 || known.has(id)) continue;
    known.add(id);
    const { is, data } = await catalogue.send(`GET ${publicKinds.get(kind)}/${id}`);
    expect([is, data.id, data.kind ?? kind]).toEqual(['200', id, kind]);
    waiting.push(...namedIn(data));
  }
  expect([...met].filter(([, { size }]) => size === 0)).toEqual([]);
});

test.each([...publicKinds])(
  '%s: is only read, and not found under an id that nobody has',
  async (_, path) => {
    const sent = [`GET ${path}/999999999`, `GET ${path}/99999999999999999999`, `GET ${path}/1.5`];
    const more = [`GET ${path}/0x1`, `POST ${path}/1`, `DELETE ${path}/1`];
    const answers = await Promise.all([...sent, ...more].map((request) => catalogue.send(request)));
    const notFound = ['404 not_found', '404 not_found', '400 invalid_request', '400 invalid_request'];
    expect(answers.map(({ is }) => is)).toEqual([
      ...notFound,
      '405 method_not_allowed',
      '405 method_not_allowed',
    ]);
  },
);

test('the index has every episode of its seasons once', async () => {
  const seasons = new Set<number>(episodes?.items.map(({ season }) => season.id));
  const listed: number[] = [];
  for (const id of seasons) {
    const { data } = await catalogue.send(`GET /seasons/${id}`);
    listed.push(...data.episodes.map((one: { id: number }) => one.id));
  }
  expect(episodes?.items.map(({ id }) => id).sort()).toEqual(listed.sort());
});

describe.each(feeds)('%s', (feed) => {
  test('is one snapshot, the newest first, whose pages stay as they are while more is changed', async () => {
    const { all, items, meta } = await readAll(feed);
    expect(new Set(all.map((page) => page.meta.snapshot)).size).toBe(1);
    const times = items.map(({ changedAt }) => changedAt);
    expect(times).toEqual([...times].sort().reverse());
    const headers = { authorization: `Bearer ${await catalogue.token('0')}` };
    const brands = { setKind: 'brand_set', titleBase: 'A', networkIds: [ids.network] };
    const made = await catalogue.send('POST /me/grouping-sets', brands, headers);
    const isOfSets = feed === '/feeds/sets';
    expect((await catalogue.send(`GET ${meta.nextPage}`)).body).toEqual(all[1]);
    const again = await readAll(feed);
    expect(again.meta.snapshot).not.toBe(meta.snapshot);
    expect(again.items.slice(isOfSets ? 1 : 0)).toEqual(items);
    if (isOfSets) expect(again.items[0]).toMatchObject({ setId: made.data.id, changeType: 'added' });
  });
});

test('a replacement chain runs in time from the oldest to the Asset itself', () => {
  const items = assets?.items ?? [];
  expect(items.some(({ replacements }) => replacements.length > 1)).toBe(true);
  for (const { assetId, previousAssetId, changedAt, replacements } of items) {
    const last = previousAssetId === null ? undefined : { previousAssetId, newAssetId: assetId, changedAt };
    expect(replacements.at(-1)).toEqual(last);
    for (const [index, link] of replacements.slice(1).entries()) {
      const before = replacements[index];
      expect([before.newAssetId, before.changedAt < link.changedAt]).toEqual([link.previousAssetId, true]);
    }
  }
});

test('each picture is as its record says, and no two are the same', async () => {
  const { posters, logos, thumbs } = (await catalogue.send(`GET /shows/${ids.show}`)).data.assets;
  const { titlecards } = (await catalogue.send(`GET /episodes/${ids.episode}`)).data.assets;
  const drawn = [posters[0], posters[1], logos[0], thumbs[0], titlecards[0]];
  const seen = new Set<string>();
  for (const { path, width, height } of drawn) {
    const answer = await fetch(new URL(path, catalogue.baseUrl));
    const bytes = Buffer.from(await answer.arrayBuffer());
    const is = await sharp(bytes).metadata();
    const type = answer.headers.get('content-type');
    expect([type, is.width, is.height]).toEqual([`image/${is.format}`, width, height]);
    seen.add(bytes.toString('base64'));
  }
  expect(seen.size).toBe(drawn.length);
});
