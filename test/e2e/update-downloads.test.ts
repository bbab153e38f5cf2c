import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { runCli } from '../support/run-cli.ts';
import {
  artwork,
  drawing,
  type SetService,
  sends,
  showSet,
  startSetService,
} from '../support/set-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

let service: SetService;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let env: Record<string, string>;

beforeEach(async () => {
  folder = await temporaryFolder();
  root = path.join(folder.path, 'downloads');
  await mkdir(root);
  service = await startSetService();
  env = {
    ARTWORK_HOME: path.join(folder.path, 'home'),
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_DOWNLOAD_ROOT: root,
    ARTWORK_INDEX: 'off',
  };
  service.feeds.set('sets', [told(99, daysAgo(5))]);
  service.feeds.set('assets', []);
  server = await startServer(env);
});

afterEach(async () => {
  await server.stop();
  await service.close();
  await folder.remove();
});

const answer = z.object({
  data: z.object({
    downloads: z.int(),
    undone: z.int(),
    counts: z.record(z.string(), z.int()),
    files: z.record(z.string(), z.int()),
    sets: z.array(z.looseObject({ set: z.object({ kind: z.string(), id: z.int() }), is: z.string() })),
  }),
  next: z.looseObject({ tool: z.string().optional() }).optional(),
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
}

/** A change of a show Set as the feed tells it. */
function told(setId: number, changedAt: string, kind = 'show_set') {
  return { setId, kind, changeType: 'updated', changedAt };
}

/** A Set with one title card for each number. */
async function plant(id: number, cards: readonly number[], dateUpdated = '2026-11-01T00:00:00Z') {
  for (const number of cards) service.pictures.set(artwork(number), sends(await drawing(number)));
  service.sets.set(`/show-set/${id}`, showSet(id, `Show ${id}`, cards.map(artwork), { dateUpdated }));
}

const download = (id: number) => server.call('download_set', { kind: 'show_set', id, layout: 'kometa' });
const update = async (args: object = {}) =>
  answer.parse(toldBy(await server.call('update_downloads', { ...args })));

const card = (id: number, number: number) =>
  path.join(root, `Show ${id} (2008)`, `S01E${String(number).padStart(2, '0')}.png`);

function asked(): string[] {
  return service.requests.map(({ url }) => url);
}

describe('update_downloads', () => {
  it('reads the feeds, then the Sets that they name alone, and fetches what is new', async () => {
    await plant(1, [1, 2]);
    await plant(2, [11, 12]);
    await download(1);
    await download(2);
    service.requests.length = 0;
    const nothing = await update();
    expect(nothing.data).toMatchObject({ downloads: 2, counts: { unchanged: 2 }, undone: 0, sets: [] });
    expect(asked()).toEqual(['/feeds/sets', '/feeds/assets']);

    const now = new Date().toISOString();
    await plant(1, [1, 3], now);
    service.feeds.set('sets', [told(1, now), told(99, daysAgo(5))]);
    service.requests.length = 0;
    const dry = await update({ dryRun: true });
    expect(dry.data).toMatchObject({ files: { present: 1, would_replace: 1 }, counts: { updated: 1 } });
    expect(await readFile(card(1, 2))).toEqual(await drawing(2));
    const { data } = await update(Object(dry.next).arguments);
    expect(data).toMatchObject({ files: { present: 1, replaced: 1 }, undone: 0 });
    expect(data.sets).toMatchObject([{ set: { kind: 'show_set', id: 1 }, is: 'updated' }]);
    expect(await readFile(card(1, 2))).toEqual(await drawing(3));
    expect(asked().filter((url) => url.startsWith('/show-set/'))).toEqual(['/show-set/1', '/show-set/1']);
    expect(service.asked()).toEqual({ [artwork(3)]: 1 });

    service.requests.length = 0;
    expect((await update()).data.counts).toEqual({ unchanged: 2 });
    expect(asked()).toEqual(['/feeds/sets', '/feeds/assets']);
  });

  it('knows a replaced Asset by the one that it replaces, where the feed of Sets is silent', async () => {
    await plant(1, [1]);
    await download(1);
    await plant(1, [2]);
    const [before, after] = [1, 2].map((number) => artwork(number).slice('/artwork/'.length, -'.png'.length));
    service.feeds.set('assets', [
      {
        ...{ assetId: after, kind: 'asset', slot: 'titlecard', target: { id: 1_000, kind: 'episode' } },
        ...{ changeType: 'updated', changedAt: new Date().toISOString(), previousAssetId: before },
        replacements: [],
      },
    ]);
    expect((await update()).data.files).toEqual({ replaced: 1 });
    service.requests.length = 0;
    await update();
    expect(asked()).toEqual(['/feeds/sets', '/feeds/assets']);
  });

  it('leaves what a person changed, and says so', async () => {
    await plant(1, [1]);
    await download(1);
    await writeFile(card(1, 1), 'mine');
    const now = new Date().toISOString();
    await plant(1, [2], now);
    service.feeds.set('sets', [told(1, now)]);
    const { data } = await update();
    expect(data).toMatchObject({ files: { left_alone: 1 }, undone: 0 });
    expect(data.sets).toMatchObject([{ problems: [{ state: 'left_alone' }] }]);
    expect(await readFile(card(1, 1), 'utf8')).toBe('mine');
  });

  it('keeps the files of a Set that is gone, and makes no folder anew that a person took away', async () => {
    await plant(1, [1]);
    await plant(2, [2]);
    await download(1);
    await download(2);
    await rm(path.dirname(card(2, 1)), { recursive: true });
    const now = new Date().toISOString();
    service.sets.delete('/show-set/1');
    await plant(2, [3], now);
    service.feeds.set('sets', [told(2, now), told(1, now)]);
    const { data } = await update();
    expect(data).toMatchObject({ counts: { gone: 1 }, undone: 0 });
    expect(data.sets).toContainEqual(
      expect.objectContaining({ set: expect.objectContaining({ id: 1 }), is: 'gone' }),
    );
    expect(data.sets).toContainEqual(
      expect.objectContaining({ leftOut: [expect.objectContaining({ state: 'no_folder' })] }),
    );
    expect(await readdir(path.dirname(card(1, 1)))).toEqual(['S01E01.png']);
    expect((await readdir(root)).sort()).toEqual(expect.not.arrayContaining(['Show 2 (2008)']));
    service.requests.length = 0;
    expect((await update()).data.counts).toEqual({ unchanged: 1, gone: 1 });
    expect(asked()).toEqual(['/feeds/sets', '/feeds/assets']);
  });

  it('reads the Sets, and no picture, where the feeds do not reach back', async () => {
    await plant(1, [1]);
    await download(1);
    service.feeds.set('sets', [told(99, new Date().toISOString())]);
    service.requests.length = 0;
    expect((await update()).data.counts).toEqual({ unchanged: 1 });
    expect(asked()).toEqual(['/feeds/sets', '/feeds/assets', '/show-set/1']);
    service.requests.length = 0;
    expect((await update()).data.counts).toEqual({ unchanged: 1 });
    expect(asked()).toEqual(['/feeds/sets', '/feeds/assets']);
  });

  it('goes on with a download that was not brought whole', async () => {
    await plant(1, [1, 2]);
    service.pictures.delete(artwork(2));
    await download(1);
    const failed = await update();
    expect(failed.data).toMatchObject({ files: { present: 1, failed: 1 }, undone: 1 });
    service.pictures.set(artwork(2), sends(await drawing(2)));
    expect((await update()).data).toMatchObject({ files: { present: 1, written: 1 }, undone: 0 });
  });

  it('is refused where the service shows no feeds, and changes nothing', async () => {
    await plant(1, [1]);
    await download(1);
    service.feeds.clear();
    const { error } = errorOf(await server.call('update_downloads', {}));
    expect(error.category).toBe('not_found');
  });
});

describe('artwork-mcp update', () => {
  const run = (...words: string[]) => runCli(['update', ...words], env);

  it('exits 0 if nothing was left undone, and 1 if something was', async () => {
    await plant(1, [1]);
    await download(1);
    const now = new Date().toISOString();
    await plant(1, [2], now);
    service.feeds.set('sets', [told(1, now)]);
    service.pictures.delete(artwork(2));
    const failed = await run('--json');
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { undone: 1, files: { failed: 1 } }]);
    expect(failed.stderr).toContain('left undone');
    service.pictures.set(artwork(2), sends(await drawing(2)));
    const dry = await run('--dry-run', '--json');
    expect([dry.code, JSON.parse(dry.stdout)]).toMatchObject([0, { files: { would_replace: 1 } }]);
    expect((await run('--dry-run')).stdout).toMatch(
      /^Nothing was written\. Of the 1 download 1 would be updated\.\nOf their pictures 1 would be replaced/,
    );
    const done = await run();
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toContain('Of the 1 download 1 was updated.\nOf their pictures 1 was replaced');
    const again = await run();
    expect(again.stdout).toBe('Of the 1 download 1 is as before.\n');
    expect(await readFile(card(1, 1))).toEqual(await drawing(2));
  });

  it('leaves a folder to the process that updates it', async () => {
    await plant(1, [1]);
    await download(1);
    const now = new Date().toISOString();
    await plant(1, [2], now);
    service.feeds.set('sets', [told(1, now)]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAsked = () => {};
    const begun = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const bytes = await drawing(2);
    service.pictures.set(artwork(2), (response, request) => {
      isAsked();
      void held.then(() => sends(bytes)(response, request));
    });
    const first = update();
    await begun;
    const second = await run();
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('another process')]);
    release();
    expect((await first).data.files).toEqual({ replaced: 1 });
    expect((await run()).code).toBe(0);
  });
});
