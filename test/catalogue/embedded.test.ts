import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalogue, type CataloguePage, createCatalogue } from '../../src/catalogue/client.ts';
import { type EntityKind, entities, type SetKind, sets } from '../../src/catalogue/records/kinds.ts';
import { createLog } from '../../src/log.ts';
import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';
import { fillFolder } from '../support/filled.ts';
import { imagesOf } from '../../src/model/asset.ts';
import { changeShownBy } from '../../src/model/feed-item.ts';
import { picturesOf, setOf } from '../../src/model/set.ts';
import { episodeOfIndex, partOfIndexed } from '../../src/model/work.ts';

// The client and the embedded catalogue are two independent readings of the interface document: whatever
// one of them sends, the other must find as it should be.
let dataDir: string;
let sandbox: Sandbox;
let catalogue: Catalogue;
const surprises: string[] = [];
const asked: boolean[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'catalogue-'));
  await fillFolder(dataDir);
  const start = () => serveSandbox({ dataDir, port: 0, basePath: '/catalogue/v1' });
  sandbox = await start();
  catalogue = createCatalogue({
    userAgent: 'artwork-mcp/0.0.0-test',
    log: createLog('warn', (line) => surprises.push(line)),
    locate: async (fresh) => {
      asked.push(fresh);
      if (fresh) sandbox = await start();
      return { baseUrl: sandbox.baseUrl, assetOrigin: new URL(sandbox.baseUrl).origin };
    },
  });
});

afterAll(async () => {
  await catalogue.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true });
});

async function walk<Item>(read: (nextPage: string | null) => Promise<CataloguePage<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let nextPage: string | null = null;
  let pages = 0;
  do {
    const page: CataloguePage<Item> = await read(nextPage);
    expect(page.page).toBe(++pages);
    items.push(...page.items);
    nextPage = page.nextPage;
    expect(nextPage === null).toBe(page.page === page.totalPages);
  } while (nextPage !== null);
  return items;
}

const isOf = <Kind extends string>(kinds: Record<Kind, unknown>, kind: unknown): kind is Kind =>
  typeof kind === 'string' && Object.hasOwn(kinds, kind);

test('every page of every list, and something of every kind, is as the document says', async () => {
  const episodes = await walk((nextPage) => catalogue.readEpisodesPage(nextPage));
  const assetItems = await walk((nextPage) => catalogue.readFeedPage('assets', nextPage));
  const setItems = await walk((nextPage) => catalogue.readFeedPage('sets', nextPage));

  const found = new Map<string, { kind: string; id: number | string }>();
  const note = (kind: unknown, id: unknown) => {
    if (typeof kind === 'string' && (typeof id === 'number' || typeof id === 'string') && !found.has(kind)) {
      found.set(kind, { kind, id });
    }
  };
  for (const item of episodes) {
    const { season, show } = partOfIndexed(item);
    note('episode', episodeOfIndex(item)?.id);
    note('season', season?.id);
    note('show', show?.id);
  }
  for (const { targetKind, targetId } of assetItems.map(changeShownBy)) note(targetKind, targetId);
  for (const { kind, setId } of setItems.map(changeShownBy)) note(kind, setId);

  const images: string[] = [];
  for (const { kind, id } of found.values()) {
    if (isOf<EntityKind>(entities, kind)) {
      const entity = await catalogue.readEntity(kind, id);
      expect(entity).toMatchObject({ kind, id });
      images.push(...imagesOf(entity).values());
    } else if (isOf<SetKind>(sets, kind)) {
      expect(await catalogue.readSet(kind, id)).toMatchObject({ id });
    }
  }
  expect([...found.keys()]).toEqual(expect.arrayContaining(['show', 'season', 'episode', 'show_set']));
  expect(images.length).toBeGreaterThan(0);
  expect((await catalogue.fetchImage(images[0] ?? '')).bytes.length).toBeGreaterThan(100);
  expect(surprises).toEqual([]);
});

test('a Set’s paths are images', async () => {
  const page = await catalogue.readFeedPage('sets', null);
  const refs: string[] = [];
  for (const { kind, setId } of page.items.map(changeShownBy)) {
    if (kind !== 'show_set' || setId === null) continue;
    const [first] = picturesOf(setOf(kind, setId, await catalogue.readSet(kind, setId)));
    if (first !== undefined && refs.push(first.path) === 3) break;
  }
  expect(refs.length).toBeGreaterThan(0);
  for (const ref of refs) {
    expect((await catalogue.fetchImage(ref)).mediaType).toMatch(/^image\/(png|jpeg|webp)$/);
  }
});

test('what is not there is not found, in the service’s words', async () => {
  await expect(catalogue.readEntity('movie', 987_654_321)).rejects.toMatchObject({
    category: 'not_found',
    code: 'not_found',
    status: 404,
  });
});

test('a snapshot that is not there has expired', async () => {
  const nextPage = '/feeds/assets/pages/3b241101-e2bb-4255-8caf-4136c566a962/2';
  await expect(catalogue.readFeedPage('assets', nextPage)).rejects.toMatchObject({
    category: 'snapshot_expired',
    status: 410,
  });
});

test('a catalogue that has ended is brought back by the next call', async () => {
  await sandbox.close();
  asked.length = 0;
  expect((await catalogue.readEpisodesPage(null)).items.length).toBeGreaterThan(0);
  expect(asked).toContain(true);
});
