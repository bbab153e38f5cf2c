import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalogue, ids, parse, startCatalogue } from './catalogue.ts';
import { pages, records } from './shapes.ts';

const snapshotLifetimeMs = 60_000;
const feeds = ['/feeds/assets', '/feeds/sets'] as const;
let catalogue: Catalogue;
/** Each paged list, read whole. */
let [episodes, assets, sets]: Awaited<ReturnType<typeof readAll>>[] = [];
beforeAll(async () => {
  catalogue = await startCatalogue({ snapshotLifetimeMs });
  [episodes, assets, sets] = await Promise.all(['/episodes', ...feeds].map(readAll));
});
afterAll(() => catalogue.stop());

/** All pages from the first on, by what each says is the next. */
async function readAll(list: string) {
  const all = [];
  for (let next = list; next !== null; next = all.at(-1).meta.nextPage) {
    const { is, body } = await catalogue.send(`GET ${next}`);
    expect(is, next).toBe('200');
    parse(next, pages[list], body);
    all.push(body);
    expect(body.meta).toMatchObject({ page: all.length, totalPages: all[0].meta.totalPages });
  }
  const items = all.flatMap(({ data }) => data);
  expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(items.length);
  return { all, items, meta: all[0].meta };
}

/** Whatever an answer names by kind and id. There is no search: a client finds records like this, too. */
function* namedIn(value: unknown, member = ''): Generator<readonly [string, number]> {
  if (value === null || typeof value !== 'object') return;
  const { id, setId = id, kind = member } = Object(value);
  if (records.has(kind) && typeof setId === 'number') yield [kind, setId];
  for (const [name, part] of Object.entries(value)) yield* namedIn(part, Array.isArray(value) ? '' : name);
}

test('records that can be reached, twelve of each kind, are as documented', async () => {
  const met = new Map([...records.keys()].map((kind) => [kind, new Set<number>()]));
  const waiting = [...namedIn([episodes?.items, sets?.items, assets?.items])];
  for (const [kind, id] of waiting) {
    const [{ at, shape } = { at: '', shape: undefined }, known] = [records.get(kind), met.get(kind)];
    if (shape === undefined || known === undefined || known.size >= 12 || known.has(id)) continue;
    known.add(id);
    const { is, body } = await catalogue.send(`GET /${at}/${id}`);
    expect([is, Object.keys(body), body.data?.id, body.data?.kind ?? kind]).toEqual([
      '200',
      ['data'],
      id,
      kind,
    ]);
    parse(`${kind} ${id}`, shape, body.data);
    waiting.push(...namedIn(body.data));
  }
  for (const [kind, known] of met) expect([kind, known.size > 0]).toEqual([kind, true]);
});

test.each([...records])('%s: is only read, and not found under an id that nobody has', async (_, { at }) => {
  await catalogue.run([
    [`GET /${at}/999999999`, null, '404 not_found'],
    [`GET /${at}/99999999999999999999`, null, '404 not_found'],
    [`GET /${at}/1.5`, null, '400 invalid_request'],
    [`GET /${at}/0x1`, null, '400 invalid_request'],
    [`POST /${at}/1`, null, '405 method_not_allowed'],
  ]);
});

test.each(['/nothing', '/shows', '/shows/1/seasons', '/feeds', '/feeds/people', '/episodes/pages/0'])(
  '%s is not found',
  async (path) => expect((await catalogue.send(`GET ${path}`)).is).toBe('404 not_found'),
);

test('shows, seasons, episodes and the index say the same of each other', async () => {
  const items = episodes?.items ?? [];
  const { year, seasonNumber, ...episode } = items.find((item) => item.id === ids.episode);
  await catalogue.run([
    ['GET /shows/{show}', null, '200', { year, ...episode.show }],
    ['GET /seasons/{season}', null, '200', { seasonNumber, show: episode.show }],
    ['GET /episodes/{episode}', null, '200', { seasonNumber, ...episode }],
  ]);
  const listed: number[] = [];
  for (const id of new Set(items.map(({ season }) => season.id))) {
    const { data } = await catalogue.send(`GET /seasons/${id}`);
    listed.push(...data.episodes.map((one: { id: number }) => one.id));
  }
  expect(items.map(({ id }) => id).sort()).toEqual(listed.sort());
});

describe.each(feeds)('%s', (feed) => {
  test('is one snapshot, the newest first, whose pages stay as they are while more is changed', async () => {
    const { all, items, meta } = await readAll(feed);
    expect(new Set(all.map((page) => page.meta.snapshot)).size).toBe(1);
    const times = items.map(({ changedAt }) => changedAt);
    expect(times).toEqual([...times].sort().reverse());
    const { set } = await catalogue.run([
      [
        'set = POST /me/grouping-sets',
        { setKind: 'brand_set', titleBase: 'A', networkIds: ['{network}'] },
        '201',
      ],
      ['POST /me/relationships', { targetKind: 'user', targetId: 2, relationship: null }, '200'],
    ]);
    const isOfSets = feed === '/feeds/sets';
    expect((await catalogue.send(`GET ${meta.nextPage}`)).body).toEqual(all[1]);
    const again = await readAll(feed);
    expect(again.meta.snapshot).not.toBe(meta.snapshot);
    expect(again.items.slice(isOfSets ? 1 : 0)).toEqual(items);
    if (isOfSets) expect(again.items[0]).toMatchObject({ setId: Object(set).id, changeType: 'added' });
  });

  test('is gone with its snapshot, has no page beyond its last, and none under the other feed', async () => {
    const { snapshot, totalPages, nextPage } = (await catalogue.send(`GET ${feed}`)).body.meta;
    const foreign = nextPage.replace(
      feed,
      feeds.find((one) => one !== feed),
    );
    await catalogue.run([
      [`GET ${feed}/pages/${snapshot}/${totalPages + 1}`, null, '404 not_found'],
      [`GET ${feed}/pages/${snapshot}/0`, null, '404 not_found'],
      [`GET ${foreign}`, null, '410 snapshot_expired'],
      [`GET ${feed}/pages/{uuid}/1`, null, '410 snapshot_expired'],
      [`PASS ${snapshotLifetimeMs - 5_000}`, null, ''],
      [`GET ${nextPage}`, null, '200'],
      ['PASS 5000', null, ''],
      [`GET ${nextPage}`, null, '410 snapshot_expired'],
      [`GET ${feed}`, null, '200'],
    ]);
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
