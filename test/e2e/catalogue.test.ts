import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataFolder, stopSandbox } from '../../src/sandbox/launch.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

let server: StartedServer;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  await fillFolder(dataFolder(folder.path));
  server = await startServer({ ARTWORK_HOME: folder.path });
});

afterAll(async () => {
  await server.stop();
  await stopSandbox({ home: folder.path });
  await folder.remove();
});

const omitted = z.array(
  z.object({
    section: z.string(),
    total: z.int(),
    returned: z.int(),
    next: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }).nullable(),
  }),
);
const answer = z.object({
  data: z.record(z.string(), z.unknown()),
  omitted,
  nextCursor: z.string().nullable(),
});
const page = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  nextCursor: z.string().nullable(),
});

/** A successful call whose text and structured part are the same data. */
async function read<Schema extends z.ZodType>(schema: Schema, tool: string, args: Record<string, unknown>) {
  const result = await server.call(tool, args);
  const [text] = result.content;
  if (result.isError === true || text?.type !== 'text') throw new Error(JSON.stringify(result.content));
  if (result.structuredContent !== undefined) expect(JSON.parse(text.text)).toEqual(result.structuredContent);
  expect(text.text.length).toBeLessThanOrEqual(18_000);
  return schema.parse(JSON.parse(text.text));
}

/** Every show of the catalogue, found as an agent would find them. */
async function showsByTitle(): Promise<Map<string, number>> {
  const shows = new Map<string, number>();
  let cursor: string | null | undefined;
  do {
    const args: Record<string, unknown> = cursor === undefined ? { limit: 200 } : { limit: 200, cursor };
    const { data, nextCursor } = await read(page, 'list_episodes', args);
    for (const item of data) {
      const show = z.object({ id: z.int(), title: z.string() }).parse(item.show);
      shows.set(show.title, show.id);
    }
    cursor = nextCursor;
  } while (cursor !== null);
  return shows;
}

/** The target of some recent change, since nothing lists the entities of a kind. */
async function anIdOf(kind: string): Promise<number> {
  let cursor: string | null | undefined;
  do {
    const args = { feed: 'assets', targetKind: kind, limit: 1, ...(cursor ? { cursor } : {}) };
    const { data, nextCursor } = await read(page, 'read_feed', args);
    if (data[0] !== undefined) return z.object({ id: z.int() }).parse(data[0].target).id;
    cursor = nextCursor;
  } while (cursor !== null);
  throw new Error(`No change of a ${kind} in the feed.`);
}

describe('get_entity', () => {
  it('answers a show with 500 posters and one with 40 seasons in about 1,500 tokens', async () => {
    const shows = await showsByTitle();
    for (const title of ['The Lighthouse That Collected Posters', 'Forty Winters in Mossbottom']) {
      const result = await server.call('get_entity', { kind: 'show', id: shows.get(title) });
      const [text] = result.content;
      expect(encode(text?.type === 'text' ? text.text : '').length).toBeLessThan(1_600);
    }
  });

  it('gets every part of a long list by following next, nothing twice', async () => {
    const id = (await showsByTitle()).get('The Lighthouse That Collected Posters');
    const whole = await read(answer, 'get_entity', { kind: 'show', id });
    const posters = whole.omitted.find(({ section }) => section === 'assets.posters');
    expect(posters?.total).toBeGreaterThanOrEqual(500);
    expect(posters?.returned).toBe(0);
    const seen: string[] = [];
    let next = posters?.next ?? null;
    while (next !== null) {
      const part = await read(answer, next.tool, next.arguments);
      const assets = z.object({ posters: z.array(z.object({ id: z.string() })) }).parse(part.data.assets);
      seen.push(...assets.posters.map((asset) => asset.id));
      next = part.omitted[0]?.next ?? null;
    }
    expect(seen).toHaveLength(posters?.total ?? 0);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('reads each kind of entity', async () => {
    for (const kind of [
      'season',
      'episode',
      'movie',
      'collection',
      'game',
      'company',
      'network',
      'person',
      'category',
    ]) {
      const { data } = await read(answer, 'get_entity', { kind, id: await anIdOf(kind) });
      expect(data).toMatchObject({ kind });
    }
  });

  it('says what is wrong with an argument, and names it', async () => {
    const { error } = errorOf(await server.call('get_entity', { kind: 'show', id: 1, colour: 'red' }));
    expect(error).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining('colour'),
    });
    const list = errorOf(
      await server.call('get_entity', {
        kind: 'show',
        id: await anIdOf('show'),
        include: ['assets.sculptures'],
      }),
    );
    expect(list.error.message).toContain('assets.posters');
    const missing = errorOf(await server.call('get_entity', { kind: 'show', id: 999_999_999 }));
    expect(missing.error).toMatchObject({ category: 'not_found', code: 'not_found', status: 404 });
    expect(missing.next).toEqual({ why: expect.stringContaining('find_titles with kind "show"') });
  });

  it('refuses a cursor of another call', async () => {
    const id = (await showsByTitle()).get('The Lighthouse That Collected Posters');
    const first = await read(answer, 'get_entity', {
      kind: 'show',
      id,
      include: ['assets.posters'],
      limit: 5,
    });
    const stolen = { kind: 'show', id, include: ['seasons'], cursor: first.nextCursor };
    for (const args of [
      stolen,
      { ...stolen, cursor: 'rubbish' },
      { ...stolen, cursor: `${first.nextCursor}x` },
    ]) {
      expect(errorOf(await server.call('get_entity', args)).error.category).toBe('invalid_arguments');
    }
  });
});

describe('get_set', () => {
  it('says what a Set has and lacks, and gives a season of it', async () => {
    const id = (await showsByTitle()).get('Breaking Bad');
    const sets = await read(answer, 'get_entity', { kind: 'show', id, include: ['sets'] });
    const listed = z.array(z.object({ id: z.int() })).parse(sets.data.sets);
    expect(listed.length).toBeGreaterThan(0);
    for (const { id: setId } of listed) {
      const set = await read(
        answer.extend({ pictures: z.array(z.record(z.string(), z.unknown())) }),
        'get_set',
        {
          kind: 'show_set',
          id: setId,
        },
      );
      const cards = set.pictures.find(({ slot }) => slot === 'titlecard');
      expect(cards).toMatchObject({ of: 'episode', total: 62 });
      const season = await read(answer, 'get_set', { kind: 'show_set', id: setId, season: 5 });
      expect(z.object({ episodes: z.array(z.unknown()) }).parse(season.data.season).episodes).toHaveLength(
        16,
      );
    }
    const [first] = listed;
    const missing = errorOf(await server.call('get_set', { kind: 'show_set', id: first?.id, season: 77 }));
    expect(missing.error).toMatchObject({
      category: 'not_found',
      message: expect.stringContaining('1, 2, 3, 4, 5'),
    });
  });

  it('reads every kind that the Set feed names', async () => {
    const kinds = new Map<string, number>();
    let cursor: string | null | undefined;
    do {
      const feed = await read(page, 'read_feed', { feed: 'sets', limit: 200, ...(cursor ? { cursor } : {}) });
      for (const item of feed.data) kinds.set(z.string().parse(item.kind), z.int().parse(item.setId));
      cursor = feed.nextCursor;
    } while (cursor !== null);
    expect([...kinds.keys()].sort()).toEqual(
      expect.arrayContaining(['brand_set', 'collection_set', 'game_set', 'movie_set', 'show_set']),
    );
    for (const [kind, id] of kinds) {
      const { data } = await read(answer, 'get_set', { kind, id });
      expect(data).toMatchObject({ id });
    }
  });
});

describe('list_episodes', () => {
  it('gives each episode once, whatever the limit', async () => {
    const ids = async (limit: number) => {
      const found: unknown[] = [];
      let cursor: string | null | undefined;
      do {
        const { data, nextCursor } = await read(page, 'list_episodes', {
          limit,
          ...(cursor ? { cursor } : {}),
        });
        expect(data.length).toBeLessThanOrEqual(limit);
        found.push(...data.map(({ id }) => id));
        cursor = nextCursor;
      } while (cursor !== null);
      return found;
    };
    const large = await ids(200);
    expect(large.length).toBeGreaterThan(400);
    expect(new Set(large).size).toBe(large.length);
    expect(await ids(73)).toEqual(large);
  });
});

const feed = page.extend({
  coverage: z.object({ oldest: z.string().nullable(), newest: z.string().nullable() }),
});

async function wholeFeed(args: Record<string, unknown>) {
  const items: Record<string, unknown>[] = [];
  let cursor: string | null | undefined;
  do {
    const part = await read(feed, 'read_feed', { ...args, ...(cursor ? { cursor } : {}) });
    items.push(...part.data);
    cursor = part.nextCursor;
  } while (cursor !== null);
  return items;
}

describe('read_feed', () => {
  it('reads within and across the pages of the service, nothing twice, nothing left out', async () => {
    const whole = await wholeFeed({ feed: 'assets', limit: 200 });
    expect(whole.length).toBeGreaterThan(200);
    expect(await wholeFeed({ feed: 'assets', limit: 37 })).toEqual(whole);
  });

  it('filters here, and says which time it looked at', async () => {
    const whole = await wholeFeed({ feed: 'assets', limit: 200 });
    const slots = whole.filter(({ slot }) => slot === 'titlecard');
    expect(slots.length).toBeGreaterThan(0);
    expect(await wholeFeed({ feed: 'assets', limit: 5, slot: 'titlecard' })).toEqual(slots);

    const times = whole.map(({ changedAt }) => z.string().parse(changedAt)).sort();
    const middle = times[Math.floor(times.length / 2)] ?? '';
    const since = await wholeFeed({ feed: 'assets', since: middle, limit: 200 });
    expect(since).toHaveLength(times.filter((time) => time >= middle).length);

    const { coverage } = await read(feed, 'read_feed', {
      feed: 'assets',
      limit: 200,
      changeType: 'no such type',
    });
    expect(times).toContain(coverage.oldest);
    expect(coverage.newest).toBe(times.at(-1));
  });

  it('shows replacements with their chains', async () => {
    const replaced = (await wholeFeed({ feed: 'assets', limit: 200 })).filter(
      ({ previousAssetId }) => previousAssetId,
    );
    expect(replaced.length).toBeGreaterThan(0);
    const chains = replaced.map(({ replacements }) => z.array(z.unknown()).parse(replacements).length);
    expect(Math.max(...chains)).toBeGreaterThanOrEqual(2);
  });
});

describe('view_artwork', () => {
  it('shows one picture as an image', async () => {
    const id = await anIdOf('movie');
    const result = await server.call('view_artwork', { items: [{ kind: 'movie', id, slot: 'poster' }] });
    const images = result.content.flatMap((block) => (block.type === 'image' ? [block] : []));
    expect(images).toHaveLength(1);
    const { width } = await sharp(Buffer.from(images[0]?.data ?? '', 'base64')).metadata();
    expect(width).toBeLessThanOrEqual(768);
    expect(result.structuredContent).toBeUndefined();
    expect(toldBy(result)).toMatchObject({
      data: [{ number: 1, original: { width: 1000, height: 1500 } }],
    });
  });

  it('counts what creators made beside the one that stands for it, and names the call that shows them', async () => {
    const id = await anIdOf('movie');
    const told = z.object({
      data: z.array(z.object({ label: z.string(), ref: z.string() })),
      omitted: z.array(
        z.object({
          section: z.literal('assets.posters'),
          total: z.int(),
          returned: z.literal(0),
          next: z.object({ tool: z.literal('view_artwork'), arguments: z.record(z.string(), z.unknown()) }),
        }),
      ),
    });
    const one = await read(told, 'view_artwork', {
      items: [{ kind: 'movie', id, slot: 'poster' }],
      size: 64,
    });
    const [others] = one.omitted;
    const all = await read(told, 'view_artwork', { ...others?.next.arguments });
    expect(all.data).toHaveLength(others?.total ?? 0);
    expect(all.omitted).toEqual([]);
    // By its path alone a picture is told from others by its Asset.
    const items = all.data.map(({ ref }) => ({ path: ref }));
    const { data } = await read(told, 'view_artwork', { items, size: 64 });
    for (const { label, ref } of data) expect([ref, label]).toEqual([ref, `asset ${ref.slice(9, 17)}`]);
  });

  it('shows several on one sheet, under 1 MB, and fails only the item that fails', async () => {
    const id = await anIdOf('show');
    const items = [
      { kind: 'show', id, slot: 'poster' },
      { kind: 'show', id, slot: 'logo' },
      { kind: 'show', id, slot: 'no such slot' },
      { path: '/no/such/picture.png' },
      { url: 'http://169.254.169.254/latest/meta-data' },
      { assetId: '00000000-0000-4000-8000-000000000000' },
      {},
    ];
    const result = await server.call('view_artwork', { items, size: 320 });
    expect(result.isError).toBeUndefined();
    const images = result.content.filter((block) => block.type === 'image');
    expect(images).toHaveLength(1);
    expect(images[0]?.data.length).toBeLessThan(1_000_000);
    const told = z.object({ data: z.array(z.object({ number: z.int(), error: z.unknown().optional() })) });
    const { data } = told.parse(toldBy(result));
    expect(data.map(({ error }) => error !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
  });
});

describe('what a newcomer runs into', () => {
  it('is told of words that nothing in a feed has, and of filters that a feed does not know', async () => {
    for (const filter of [{ targetKind: 'moving pictures' }, { changeType: 'replaced' }]) {
      const { structuredContent } = await server.call('read_feed', { feed: 'assets', limit: 200, ...filter });
      const [name] = Object.keys(filter);
      expect(structuredContent).toMatchObject({ data: [], warnings: [expect.stringContaining(name ?? '')] });
    }
    const foreign = errorOf(await server.call('read_feed', { feed: 'sets', slot: 'poster' }));
    expect(foreign.error).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining('slot'),
    });
    const vague = errorOf(await server.call('read_feed', { feed: 'sets', since: 'Monday' }));
    expect(vague.error.message).toContain('2026-11-16');
  });

  it('sees every picture of a long list by passing the cursor on, each under its own name', async () => {
    const id = (await showsByTitle()).get('Forty Winters in Mossbottom');
    const whole = await read(answer, 'get_entity', { kind: 'show', id, include: ['assets.backdrops'] });
    const looked = z.object({
      data: z.array(z.object({ number: z.int(), label: z.string(), ref: z.string() })),
      nextCursor: z.string().nullable(),
    });
    const backdrops = z.object({ backdrops: z.array(z.unknown()) }).parse(whole.data.assets).backdrops;
    const seen: { number: number; label: string; ref: string }[] = [];
    let cursor: string | null | undefined;
    do {
      const args = {
        items: [{ kind: 'show', id, slot: 'backdrops' }],
        size: 64,
        ...(cursor ? { cursor } : {}),
      };
      const part = await read(looked, 'view_artwork', args);
      seen.push(...part.data);
      cursor = part.nextCursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(backdrops.length);
    expect(new Set(seen.map(({ ref }) => ref)).size).toBe(seen.length);
    expect(seen.map(({ number }) => number)).toEqual(seen.map((_, index) => index + 1));
    expect(new Set(seen.map(({ label }) => label)).size).toBe(seen.length);
  });

  it('gets the short lists of a show whole, its seasons and Sets first', async () => {
    const id = (await showsByTitle()).get('Breaking Bad');
    const { data } = await read(answer, 'get_entity', { kind: 'show', id });
    expect(data).toMatchObject({ seasons: expect.any(Array), sets: expect.any(Array) });
  });

  it('is shown the way on from a bad cursor and a season that is not there', async () => {
    const bad = errorOf(await server.call('read_feed', { feed: 'sets', cursor: 'rubbish' }));
    expect(bad.next).toMatchObject({ tool: 'read_feed', arguments: { feed: 'sets' } });
    const kinds = await read(page, 'read_feed', { feed: 'sets', kind: 'show_set', limit: 1 });
    const args = { kind: 'show_set', id: kinds.data[0]?.setId, season: 77 };
    const missing = errorOf(await server.call('get_set', args));
    expect(missing.next).toMatchObject({ tool: 'get_set', arguments: { kind: 'show_set', id: args.id } });
  });
});

describe('resources', () => {
  it('have a template for every kind, kinds that complete, and the answer of the tool', async () => {
    const { resourceTemplates } = await server.client.listResourceTemplates();
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    for (const kind of ['show', 'category', 'movie_set', 'boxset', 'loadout']) {
      expect(templates).toContain(`artwork://${kind}/{id}`);
    }
    const completed = await server.client.complete({
      ref: { type: 'ref/resource', uri: 'artwork://{kind}/{id}' },
      argument: { name: 'kind', value: 'co' },
    });
    expect(completed.completion.values.sort()).toEqual(['collection', 'collection_set', 'company']);

    const id = await anIdOf('movie');
    const { contents } = await server.client.readResource({ uri: `artwork://movie/${id}` });
    const { structuredContent } = await server.call('get_entity', { kind: 'movie', id });
    expect(contents).toEqual([
      { uri: `artwork://movie/${id}`, mimeType: 'application/json', text: JSON.stringify(structuredContent) },
    ]);
    await expect(server.client.readResource({ uri: 'artwork://movie/999999999' })).rejects.toMatchObject({
      code: -32002,
    });
    await expect(server.client.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({
      code: -32002,
    });
  });
});
