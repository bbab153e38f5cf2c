import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAsset, createSet, editSet, type NewAsset } from '../../src/sandbox/artwork.ts';
import { addWorks } from '../../src/sandbox/seed/fill.ts';
import { z } from 'zod';
import { type Embedded, snapshotLifetimeMs, startEmbedded } from './embedded.ts';

let catalogue: Embedded;

beforeAll(async () => {
  catalogue = await startEmbedded();
});

afterAll(() => catalogue.stop());

const page = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  meta: z.object({ totalPages: z.int(), nextPage: z.string().nullable() }),
});
const get = (path: string) => fetch(catalogue.sandbox.baseUrl + path);
const status = async (path: string) => (await get(path)).status;
const readPage = async (path: string) => page.parse(await (await get(path)).json());

async function readRecord<T>(path: string, members: z.ZodType<T>): Promise<T> {
  return z.object({ data: members }).parse(await (await get(path)).json()).data;
}

const time = (aheadMs = 0) => new Date(catalogue.now().getTime() + aheadMs).toISOString();

/** A poster for a film that nobody else changes. */
function newAsset(more: Partial<NewAsset> = {}): NewAsset {
  return {
    ...{ id: randomUUID(), slot: 'poster', targetKind: 'movie', targetId: filmId, setId: null, ownerId: 1 },
    ...{ languageCode: 'en', editionId: null, format: 'png', width: 1000, height: 1500, file: null },
    ...{ createdAt: time(), publicFrom: time() },
    ...more,
  };
}

const filmId = 900_100;

async function postersOfFilm(): Promise<string[]> {
  const film = z.object({ assets: z.object({ posters: z.array(z.object({ id: z.string() })) }) });
  return (await readRecord(`/movies/${filmId}`, film)).assets.posters.map(({ id }) => id);
}

describe('a feed', () => {
  test('shows the same pages of a snapshot while the catalogue changes, and the changes in the next', async () => {
    const first = await readPage('/feeds/assets');
    const later = await readPage(String(first.meta.nextPage));
    const asset = newAsset();
    addAsset(catalogue.sandbox.store, asset);
    // Stored now, while the clock was set back: it is as little part of the snapshot.
    const older = newAsset({ publicFrom: time(-60_000) });
    addAsset(catalogue.sandbox.store, older);
    expect(await readPage(String(first.meta.nextPage))).toEqual(later);
    const next = await readPage('/feeds/assets');
    expect(next.data[0]).toMatchObject({
      assetId: asset.id,
      changeType: 'added',
      previousAssetId: null,
      replacements: [],
    });
    expect(next.data[1]).toMatchObject({ assetId: older.id });
    expect(next.data[2]).toEqual(first.data[0]);
  });

  test('answers 410 once a snapshot has expired, and begins anew at its first page', async () => {
    const { nextPage } = (await readPage('/feeds/sets')).meta;
    expect(await status(String(nextPage))).toBe(200);
    catalogue.pass(snapshotLifetimeMs + 1);
    expect(await status(String(nextPage))).toBe(410);
    expect(await status('/feeds/sets')).toBe(200);
  });

  test('shows what is published later only then, and the replaced picture until then', async () => {
    const { store } = catalogue.sandbox;
    addWorks(store, 'movies', [{ id: filmId, title: 'Planted', overview: '', status: 'released' }]);
    const [old, lagging] = [newAsset(), newAsset({ publicFrom: time(5_000) })];
    addAsset(store, old);
    addAsset(store, lagging, old.id);
    const isShown = async () =>
      (await readPage('/feeds/assets')).data.some((item) => item.assetId === lagging.id);
    expect([await isShown(), (await postersOfFilm()).includes(old.id)]).toEqual([false, true]);
    expect(
      (await fetch(`${new URL(catalogue.sandbox.baseUrl).origin}/artwork/${lagging.id}.png`)).status,
    ).toBe(404);
    catalogue.pass(5_001);
    const posters = await postersOfFilm();
    expect([await isShown(), posters.includes(old.id), posters.includes(lagging.id)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('shows a Set that was made, and each edit of it', async () => {
    const { store } = catalogue.sandbox;
    const setId = createSet(store, {
      ...{ kind: 'movie_set', target: { kind: 'movie', id: filmId }, members: [], title: 'New' },
      ...{ description: null, ownerId: 1, languageCode: 'en', editionId: null, finalised: true },
      ...{ createdAt: time(), publicFrom: time() },
    });
    const revision = editSet(store, setId, { title: 'Newer' }, time());
    const [edited, made] = (await readPage('/feeds/sets')).data;
    expect(edited).toEqual({ setId, kind: 'movie_set', changeType: 'updated', changedAt: revision });
    expect(made).toMatchObject({ setId, changeType: 'added' });
    const set = await readRecord(`/movie-set/${setId}`, z.record(z.string(), z.unknown()));
    expect(set).toMatchObject({ title: 'Newer', dateUpdated: revision });
  });
});

test('the episodes index can be entered at any page, and holds each episode once', async () => {
  const { totalPages } = (await readPage('/episodes')).meta;
  const pages = [];
  // Backwards, so that no page is served from where the one before it ended.
  for (let page = totalPages; page >= 1; page--) pages.unshift(await readPage(`/episodes/pages/${page}`));
  const forwards = [];
  for (let path: string | null = '/episodes'; path !== null; ) {
    const next = await readPage(path);
    forwards.push(next);
    path = next.meta.nextPage;
  }
  expect(pages).toEqual(forwards);
  const count = catalogue.sandbox.store.only("SELECT count(*) AS n FROM entities WHERE kind = 'episode'");
  const ids = forwards.flatMap(({ data }) => data.map(({ id }) => id));
  expect([ids.length, new Set(ids).size]).toEqual([count.integer('n'), count.integer('n')]);
});

describe('a picture', () => {
  const getPicture = (path: string) => fetch(new URL(path, catalogue.sandbox.baseUrl));

  test('is served at the path that an Asset shows', async () => {
    const { store } = catalogue.sandbox;
    const row = store.only("SELECT id FROM assets WHERE slot = 'icon' AND format = 'png' LIMIT 1");
    const answer = await getPicture(`/artwork/${row.text('id')}.png`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await answer.arrayBuffer()).byteLength).toBe(Number(answer.headers.get('content-length')));
    expect((await getPicture(`/artwork/${row.text('id')}.jpg`)).status).toBe(404);
  });
});

describe('a page of another site', () => {
  // `fetch` sets some of these headers itself.
  const statusOf = async (headers: Record<string, string>, method = 'GET'): Promise<number> => {
    const sent = request(`${catalogue.sandbox.baseUrl}/episodes`, { headers, method, agent: false }).end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    return answer.statusCode;
  };

  test.each([
    ['sends with its origin', { origin: 'https://example.org' }],
    ['reads', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
    ['shows it in a frame of another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
  ])('is refused when it %s', async (_, headers) => {
    expect(await statusOf(headers)).toBe(403);
  });

  test('can’t reach it under a name of its own', async () => {
    const { port } = new URL(catalogue.sandbox.baseUrl);
    expect(await statusOf({ host: `example.org:${port}` })).toBe(421);
    expect(await statusOf({ host: `localhost:${port}` })).toBe(200);
  });

  test('may lead a person here, who may also come by themselves', async () => {
    expect(await statusOf({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toBe(200);
    expect(await statusOf({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(200);
    expect(await statusOf({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'POST')).toBe(
      403,
    );
  });
});
