import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataFolder, stopSandbox } from '../../src/sandbox/launch.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { fillFolder } from '../support/filled.ts';
import { typed } from '../support/run-cli.ts';
import { startSandbox } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';

let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const env = () => ({ ARTWORK_HOME: folder.path, ARTWORK_INDEX: 'passive' });

const hit = z.looseObject({
  kind: z.string(),
  id: z.union([z.int(), z.string()]),
  title: z.string().optional(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  seen: z.iso.datetime({ precision: -1 }),
});
const answer = z.object({
  data: z.array(hit),
  nextCursor: z.string().nullable(),
  warnings: z.array(z.string()).optional(),
  next: z.unknown().optional(),
  index: z.strictObject({
    titles: z.int(),
    shows: z.int(),
    films: z.int(),
    complete: z.boolean(),
    asOf: z.string().nullable(),
  }),
});
const episodes = z.object({
  data: z.array(z.looseObject({ show: z.looseObject({ id: z.int(), title: z.string() }) })),
  nextCursor: z.string().nullable(),
});

const findWith = async (one: StartedServer, args: Record<string, unknown>) =>
  answer.parse(toldBy(await one.call('find_titles', args)));
const find = (args: Record<string, unknown>) => findWith(server, args);

beforeAll(async () => {
  folder = await temporaryFolder();
  await fillFolder(dataFolder(folder.path));
  server = await startServer(env());
});

afterAll(async () => {
  await server.stop();
  await stopSandbox({ home: folder.path });
  await folder.remove();
});

it('finds nothing where nothing was read, and does not say that the catalogue has it not', async () => {
  const { data, index, warnings, next } = await find({ query: 'Breaking Bad' });
  expect(data).toEqual([]);
  expect(index).toEqual({ titles: 0, shows: 0, films: 0, complete: false, asOf: null });
  expect(warnings?.join()).toContain('does not mean that the catalogue has none');
  // Nothing is read by itself here: the same call would find no more.
  expect(warnings?.join()).not.toContain('being read');
  expect(next).toBeUndefined();
});

it('says that the catalogue is being read, and asks for the same call again, where that may find more', async () => {
  // One that it reads politely: in the time of a call little of it goes by.
  const sandbox = await startSandbox();
  const home = await temporaryFolder();
  const early = await startServer({
    ARTWORK_HOME: home.path,
    ARTWORK_BASE_URL: sandbox.baseUrl,
    ARTWORK_CLIENT_ID: 'artwork-mcp',
  });
  try {
    const asked = { query: 'Zzyzx Qwertyuiop', kind: 'show', limit: 5 };
    const { index, warnings, next } = await findWith(early, asked);
    expect(index.complete).toBe(false);
    expect(warnings?.join()).toContain('are being read now');
    expect(warnings?.join()).toContain(`${typed} index`);
    expect(next).toMatchObject({ tool: 'find_titles', arguments: asked });
  } finally {
    await early.stop();
    await home.remove();
    await sandbox.stop();
  }
});

it.each([
  ['Breaking Bad', 'show'],
  ['Вымышленный трамвай', 'movie'],
])('finds %s with the first call of a new user, whose catalogue is made with it', async (title, kind) => {
  const home = await temporaryFolder();
  const first = await startServer({ ARTWORK_HOME: home.path });
  try {
    const { data } = await findWith(first, { query: title });
    expect(data[0]).toMatchObject({ kind, title });
  } finally {
    await first.stop();
    await stopSandbox({ home: home.path });
    await home.remove();
  }
});

describe('once all episodes were read', () => {
  beforeAll(async () => {
    let cursor: string | null = null;
    do {
      const args: Record<string, unknown> = cursor === null ? { limit: 200 } : { limit: 200, cursor };
      cursor = episodes.parse(toldBy(await server.call('list_episodes', args))).nextCursor;
    } while (cursor !== null);
  });

  it.each([
    ['breaking bad', { kind: 'show', title: 'Breaking Bad' }],
    ['S02E05 of the wire', { kind: 'episode', season: 2, episode: 5, show: { title: 'The Wire' } }],
    ['faulty towers', { kind: 'show', title: 'Fawlty Towers' }],
  ])('finds %s first, with the call that reads it', async (query, expected) => {
    const { data, index, warnings } = await find({ query });
    const [best] = data;
    const incomplete = expect.stringMatching(
      /^This program has not read all of the catalogue .*cli\.js index$/,
    );
    const onlyLike = expect.stringMatching(/only like it\.$/);
    expect(warnings).toEqual(query.startsWith('faulty') ? [onlyLike, incomplete] : [incomplete]);
    expect(best).toMatchObject(expected);
    expect(index.shows).toBeGreaterThan(20);
    const read = await server.call(best?.tool ?? '', best?.arguments ?? { kind: best?.kind, id: best?.id });
    expect(toldBy(read)).toMatchObject({ data: { id: best?.id } });
  });

  it('tells which title cards a Set lacks in four calls and 6,000 characters, from the name on', async () => {
    const sizes: number[] = [];
    const call = async (tool: string, args: Record<string, unknown>) => {
      const result = await server.call(tool, args);
      const [text] = result.content;
      sizes.push(text?.type === 'text' ? text.text.length : 0);
      return toldBy(result);
    };
    const found = answer.parse(await call('find_titles', { query: 'Breaking Bad', limit: 3 }));
    const show = found.data.find(({ kind }) => kind === 'show');
    const listed = z
      .object({ data: z.object({ sets: z.array(z.looseObject({ id: z.int() })) }) })
      .parse(await call('get_entity', { kind: 'show', id: show?.id, include: ['sets'] }));
    // What a get_set says at a glance stands for audit_sets, which says it of all Sets of a target at once.
    const pictures = z.object({
      pictures: z.array(z.object({ of: z.string(), slot: z.string(), has: z.int(), total: z.int() })),
    });
    const set = pictures.parse(
      await call('get_set', { kind: 'show_set', id: listed.data.sets[0]?.id, limit: 1 }),
    );
    expect(set.pictures.filter(({ slot }) => slot === 'titlecard')).not.toEqual([]);
    expect(sizes.length).toBeLessThanOrEqual(4);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(6_000);
  });

  it('finds the Sets of a show and their creators once the show has been read', async () => {
    const { data } = await find({ query: 'breaking bad', kind: 'show' });
    const target = { targetKind: 'show', targetId: data[0]?.id };
    await server.call('get_entity', { kind: 'show', id: data[0]?.id });
    const sets = await find(target);
    expect(sets.data.length).toBeGreaterThan(1);
    for (const one of sets.data)
      expect(one).toMatchObject({ kind: 'show_set', tool: 'get_set', target: { id: data[0]?.id } });
    const createdBy = z.string().parse(sets.data[0]?.createdBy);
    const creator = await find({ query: createdBy, kind: 'creator' });
    expect(creator.data[0]).toMatchObject({ tool: 'find_titles', arguments: { createdBy } });
    expect((await find({ createdBy })).data.map(({ id }) => id)).toContain(sets.data[0]?.id);
    const page = await find({ ...target, limit: 1 });
    const rest = await find({ ...target, limit: 1, cursor: page.nextCursor });
    expect([page.data[0]?.id, rest.data[0]?.id]).toEqual(sets.data.slice(0, 2).map(({ id }) => id));
  });

  it('completes addresses by a name and by first digits', async () => {
    const { data } = await find({ query: 'breaking bad', kind: 'show' });
    const id = String(data[0]?.id);
    const complete = async (uri: string, value: string, kind?: string) =>
      (
        await server.client.complete({
          ref: { type: 'ref/resource', uri },
          argument: { name: 'id', value },
          ...(kind === undefined ? {} : { context: { arguments: { kind } } }),
        })
      ).completion.values;
    expect((await complete('artwork://show/{id}', 'breaking b'))[0]).toBe(id);
    expect(await complete('artwork://{kind}/{id}', id.slice(0, 3), 'show')).toContain(id);
    expect(await complete('artwork://{kind}/{id}', id)).toEqual([]);
  });

  it('keeps what it has seen from one start to the next', async () => {
    const again = await startServer(env());
    try {
      expect((await findWith(again, { query: 'ozymandias' })).data[0]).toMatchObject({
        kind: 'episode',
        season: 5,
      });
    } finally {
      await again.stop();
    }
  });

  it('says that only something like it was read', async () => {
    const { data, warnings } = await find({ query: 'breaking the waves with emily watson' });
    if (data.length > 0) expect(warnings?.join()).toContain('only like it');
    else expect(warnings?.join()).toContain('does not mean');
  });
});

it('says of a creator whom nothing names that there is none of this name', async () => {
  const { data, warnings } = await find({ createdBy: 'nobody-of-this-name' });
  expect(data).toEqual([]);
  expect(warnings?.join()).toMatch(/no Set by a creator of this name.*does not mean/);
  const known = await find({ createdBy: 'azulejo', query: 'Zzyzx Qqqq' });
  expect(known.warnings?.join()).not.toContain('creator of this name');
});

it('refuses what it can not look for, and says what would do', async () => {
  const refused = async (args: Record<string, unknown>) => errorOf(await server.call('find_titles', args));
  expect(await refused({})).toMatchObject({ error: { category: 'invalid_arguments' } });
  expect(await refused({ query: ' ? ' })).toMatchObject({ error: { category: 'invalid_arguments' } });
  expect(await refused({ targetKind: 'show' })).toMatchObject({
    error: { message: expect.stringContaining('targetId') },
  });
  expect(await refused({ query: 'x', kind: 'film' })).toMatchObject({
    error: { category: 'invalid_arguments' },
    next: { tool: 'find_titles', arguments: { query: 'x', kind: 'movie' } },
  });
  expect(await refused({ query: 'x', cursor: 'abc' })).toMatchObject({
    error: { category: 'invalid_arguments' },
  });
});

it('keeps nothing where the index is off, and says who can switch it on', async () => {
  const off = await startServer({ ...env(), ARTWORK_INDEX: 'off', ARTWORK_USER: 'off' });
  try {
    const { error, next } = errorOf(await off.call('find_titles', { query: 'dark' }));
    expect(error).toMatchObject({ category: 'not_found', code: 'index_off' });
    expect(next).toMatchObject({ why: expect.stringContaining('ARTWORK_INDEX') });
  } finally {
    await off.stop();
  }
});

it('never lets a damaged index stop another tool', async () => {
  const titles = path.join(folder.path, 'titles');
  const other = await startServer({ ...env(), ARTWORK_USER: 'other' });
  try {
    for (const name of await readdir(titles)) {
      if (name.endsWith('.db')) await writeFile(path.join(titles, name), 'no database');
    }
    const { data } = episodes.parse(toldBy(await other.call('list_episodes', { limit: 5 })));
    const { title } = data[0]?.show ?? {};
    const found = await findWith(other, { query: title });
    expect(found.data[0]).toMatchObject({ title });
    expect(found.warnings?.join()).toContain('begun anew');
  } finally {
    await other.stop();
  }
});
