import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addAsset, editAsset, type NewAsset, replaceAsset } from '../../src/sandbox/artwork/assets.ts';
import { createSet, editSet } from '../../src/sandbox/artwork/sets.ts';
import { read, readAllPages } from '../contract/read.ts';
import { assetFeedItem, feedMeta, page, setFeedItem } from '../contract/schemas.ts';
import { share } from '../support/share.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { type Embedded, snapshotLifetimeMs, startEmbedded } from './embedded.ts';

const assetPage = page(assetFeedItem, feedMeta);
const setPage = page(setFeedItem, feedMeta);

let embedded: Embedded;
let baseUrl: string;

beforeAll(async () => {
  embedded = await startEmbedded();
  baseUrl = embedded.sandbox.baseUrl;
});

afterAll(() => embedded.stop());

// Two changes of one moment could stand either way round.
beforeEach(() => embedded.pass(1_000));

function poster(more: Partial<NewAsset> = {}): NewAsset {
  const movie = embedded.sandbox.database.only('SELECT id FROM movies ORDER BY id LIMIT 1').integer('id');
  const at = embedded.now().toISOString();
  return {
    id: randomUUID(),
    slot: 'poster',
    targetKind: 'movie',
    targetId: movie,
    setId: null,
    ownerId: 1,
    languageCode: 'en',
    editionId: null,
    format: 'webp',
    uploadedFile: null,
    width: 1000,
    height: 1500,
    createdAt: at,
    publicFrom: at,
    ...more,
  };
}

async function newestAssetItem() {
  const { data } = await read(baseUrl, '/feeds/assets', assetPage);
  return data[0];
}

async function postersOf(movieId: number): Promise<readonly string[]> {
  const response = await fetch(`${baseUrl}/movies/${movieId}`);
  const { data } = (await response.json()) as { data: { assets: { posters: { id: string }[] } } };
  return data.assets.posters.map(({ id }) => id);
}

describe('the seeded feeds', () => {
  test('tell of weeks, newest first', async () => {
    for (const [path, type] of [
      ['/feeds/assets', assetPage],
      ['/feeds/sets', setPage],
    ] as const) {
      const pages = await readAllPages(baseUrl, path, type);
      const times = pages.flatMap(({ data }) => data.map(({ changedAt }) => changedAt));
      expect(times).toEqual([...times].sort().reverse());
      expect(new Set(times.map((time) => time.slice(0, 10))).size).toBeGreaterThan(20);
      expect(times.length).toBeGreaterThan(path === '/feeds/assets' ? 300 : 100);
    }
  });

  test('name only what can be read', async () => {
    const paths: Readonly<Record<string, string>> = {
      movie_set: 'movie-set',
      show_set: 'show-set',
      game_set: 'game-set',
      collection_set: 'collection-set',
      brand_set: 'brand-set',
    };
    for (const { data } of await readAllPages(baseUrl, '/feeds/sets', setPage)) {
      for (const { kind, setId } of data) {
        const response = await fetch(`${baseUrl}/${paths[kind]}/${setId}`);
        expect(response.status, `${kind} ${setId}`).toBe(200);
        await response.arrayBuffer();
      }
    }
  });
});

describe('a change shows in the feed', () => {
  test('an addition, an edit, and replacements with their chain', async () => {
    const { database } = embedded.sandbox;
    const [first, second, third] = [poster(), poster(), poster()];
    addAsset(database, first);
    expect(await newestAssetItem()).toEqual({
      assetId: first.id,
      kind: 'asset',
      slot: 'poster',
      target: { id: first.targetId, kind: 'movie' },
      changeType: 'added',
      changedAt: first.publicFrom,
      previousAssetId: null,
      replacements: [],
    });

    embedded.pass(1_000);
    const revision = editAsset(database, first.id, { languageCode: null }, embedded.now().toISOString());
    expect(await newestAssetItem()).toMatchObject({
      assetId: first.id,
      changeType: 'updated',
      changedAt: revision,
    });

    embedded.pass(1_000);
    replaceAsset(database, first.id, { ...second, publicFrom: embedded.now().toISOString() });
    embedded.pass(1_000);
    replaceAsset(database, second.id, { ...third, publicFrom: embedded.now().toISOString() });
    const newest = await newestAssetItem();
    expect(newest).toMatchObject({ assetId: third.id, changeType: 'updated', previousAssetId: second.id });
    expect(
      newest?.replacements.map(({ previousAssetId, newAssetId }) => [previousAssetId, newAssetId]),
    ).toEqual([
      [first.id, second.id],
      [second.id, third.id],
    ]);
    expect(await postersOf(first.targetId)).toContain(third.id);
    expect(await postersOf(first.targetId)).not.toContain(first.id);
  });

  test('an Asset can’t be replaced twice', () => {
    const { database } = embedded.sandbox;
    const first = poster();
    addAsset(database, first);
    replaceAsset(database, first.id, poster());
    const again = poster();
    expect(() => replaceAsset(database, first.id, again)).toThrow();
    expect(database.first('SELECT id FROM assets WHERE id = ?', again.id)).toBeUndefined();
  });

  test('a publication that lags shows nowhere, and then everywhere', async () => {
    const { database } = embedded.sandbox;
    const before = poster();
    addAsset(database, before);
    const lag = 5_000;
    const after = poster({ publicFrom: new Date(embedded.now().getTime() + lag).toISOString() });
    replaceAsset(database, before.id, after);
    const picture = `${embedded.sandbox.origin}/artwork/${after.id}.webp`;

    expect((await newestAssetItem())?.assetId).toBe(before.id);
    expect(await postersOf(before.targetId)).toContain(before.id);
    expect(await postersOf(before.targetId)).not.toContain(after.id);
    expect((await fetch(picture)).status).toBe(404);

    embedded.pass(lag);
    expect((await newestAssetItem())?.assetId).toBe(after.id);
    expect(await postersOf(before.targetId)).not.toContain(before.id);
    expect(await postersOf(before.targetId)).toContain(after.id);
    expect((await fetch(picture)).status).toBe(200);
  });

  test('Sets: added, updated, and those without a public read not at all', async () => {
    const { database } = embedded.sandbox;
    const at = () => embedded.now().toISOString();
    const set = {
      target: { kind: 'movie', id: poster().targetId },
      members: [],
      title: 'Proof sheet',
      description: null,
      ownerId: 1,
      languageCode: 'en',
      editionId: null,
      finalised: false,
      createdAt: at(),
      publicFrom: at(),
    };
    const id = createSet(database, { ...set, kind: 'movie_set' });
    createSet(database, { ...set, kind: 'category_set', target: { kind: 'category', id: 1 } });
    const { data: afterwards } = await read(baseUrl, '/feeds/sets', setPage);
    expect(afterwards[0]).toEqual({
      setId: id,
      kind: 'movie_set',
      changeType: 'added',
      changedAt: set.publicFrom,
    });

    embedded.pass(1_000);
    const revision = editSet(database, id, { title: 'Contact sheet' }, at());
    const { data } = await read(baseUrl, '/feeds/sets', setPage);
    expect(data[0]).toEqual({ setId: id, kind: 'movie_set', changeType: 'updated', changedAt: revision });
    const changed = (await (await fetch(`${baseUrl}/movie-set/${id}`)).json()) as { data: object };
    expect(changed.data).toMatchObject({ title: 'Contact sheet', description: null, dateUpdated: revision });
  });

  test('a revision never comes twice', () => {
    const { database } = embedded.sandbox;
    const asset = poster();
    addAsset(database, asset);
    const revisions = Array.from({ length: 5 }, () => editAsset(database, asset.id, {}, asset.createdAt));
    expect(new Set([asset.createdAt, ...revisions]).size).toBe(6);
    expect([...revisions].sort()).toEqual(revisions);
  });
});

describe('a snapshot', () => {
  let programs: Bundle;

  beforeAll(async () => {
    programs = await bundle({ writer: 'test/sandbox/feed-writer.ts' });
  });
  afterAll(() => programs.remove());

  const write = (times: number) =>
    promisify(execFile)(process.execPath, [programs.program('writer'), embedded.dataDir, String(times)]);

  test('stays as it is while another process writes', async () => {
    const first = await read(baseUrl, '/feeds/assets', assetPage);
    const firstOfSets = await read(baseUrl, '/feeds/sets', setPage);
    const rest = async () => [
      ...(await readAllPagesFrom(first.meta.nextPage, assetPage)),
      ...(await readAllPagesFrom(firstOfSets.meta.nextPage, setPage)),
    ];
    const [before] = await Promise.all([rest(), write(20)]);
    const during = rest();
    await write(20);
    expect(await during).toEqual(before);
    expect(await rest()).toEqual(before);

    // The writer's clock is not the test's: its changes lie a little in the past of the catalogue.
    const later = await readAllPages(baseUrl, '/feeds/assets', assetPage);
    const total = (pages: readonly { data: readonly unknown[] }[]) =>
      pages.reduce((sum, { data }) => sum + data.length, 0);
    const earlier = [first, ...(await readAllPagesFrom(first.meta.nextPage, assetPage))];
    expect(total(later)).toBe(total(earlier) + 80);
  });

  test('expires, is gone, and is swept with the next one', async () => {
    const { meta } = await read(baseUrl, '/feeds/assets', assetPage);
    const path = meta.nextPage ?? '';
    embedded.pass(snapshotLifetimeMs - 2_000);
    expect((await fetch(baseUrl + path)).status).toBe(200);
    embedded.pass(2_000);
    const response = await fetch(baseUrl + path);
    expect(response.status).toBe(410);
    expect(await response.json()).toEqual({
      data: null,
      error: { code: 'snapshot_expired', message: expect.stringContaining('/feeds/assets') },
    });
    await read(baseUrl, '/feeds/assets', assetPage);
    const { database } = embedded.sandbox;
    const kept = database.all('SELECT id FROM feed_snapshots').map((row) => row.text('id'));
    expect(kept).not.toContain(meta.snapshot);
    expect((await fetch(baseUrl + path)).status).toBe(410);
  });

  test('of one feed is not one of the other', async () => {
    const { meta } = await read(baseUrl, '/feeds/assets', assetPage);
    expect((await fetch(`${baseUrl}/feeds/sets/pages/${meta.snapshot}/1`)).status).toBe(410);
  });

  const many = share(2_000, 20_000);
  test(`of ${many} changes is read page by page, each change once`, async () => {
    const { database } = embedded.sandbox;
    database.transaction(() => {
      for (let count = 0; count < many; count++) addAsset(database, poster());
    });
    const pages = await readAllPages(baseUrl, '/feeds/assets', assetPage);
    const items = pages.flatMap(({ data }) => data);
    const total = database
      .only('SELECT count(*) AS total FROM asset_changes WHERE changed_at <= ?', embedded.now().toISOString())
      .integer('total');
    expect(items.length).toBe(total);
    const added = items.filter(({ changeType }) => changeType === 'added').map(({ assetId }) => assetId);
    expect(new Set(added).size).toBe(added.length);
  });
});

async function readAllPagesFrom(path: string | null, type: typeof assetPage | typeof setPage) {
  const pages: { data: readonly unknown[] }[] = [];
  for (let next = path; next !== null; ) {
    const one = await read(baseUrl, next, type);
    pages.push(one);
    next = one.meta.nextPage;
  }
  return pages;
}
