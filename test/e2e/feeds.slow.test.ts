import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { change, scriptedFeed, type ScriptedFeed } from '../support/scripted-feed.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

let servers: StartedServer[] = [];
let services: ScriptedService[] = [];

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await Promise.all(services.map((service) => service.close()));
  [servers, services] = [[], []];
});

async function serving(baseUrl: string): Promise<StartedServer> {
  const server = await startServer({ ARTWORK_BASE_URL: baseUrl });
  servers.push(server);
  return server;
}

async function facing(feed: Pick<ScriptedFeed, 'answer'>, prefix = '') {
  const service = await startScriptedService(feed.answer);
  services.push(service);
  const baseUrl = service.baseUrl + prefix;
  return { baseUrl, server: await serving(baseUrl) };
}

const part = z.object({
  data: z.array(z.looseObject({ assetId: z.string() })),
  nextCursor: z.string().nullable(),
  coverage: z.object({
    oldest: z.string().nullable(),
    newest: z.string().nullable(),
    snapshot: z.string().nullish(),
    page: z.number().nullish(),
    totalPages: z.number().nullish(),
  }),
  warnings: z.array(z.string()).optional(),
});

async function read(server: StartedServer, args: Record<string, unknown>) {
  const result = await server.call('read_feed', { feed: 'assets', ...args });
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  return part.parse(result.structuredContent);
}

const idsOf = (changes: readonly { readonly assetId: string }[]) => changes.map(({ assetId }) => assetId);

/** All ids, until there is no cursor; `between` is done after each part. */
async function readOn(
  server: StartedServer,
  args: Record<string, unknown>,
  cursor: string | null,
  between: () => void = () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = cursor; at !== null; ) {
    const { data, nextCursor } = await read(server, { ...args, cursor: at });
    ids.push(...idsOf(data));
    at = nextCursor;
    between();
  }
  return ids;
}

describe('a feed', () => {
  it('is read through the paths that it names alone, also where a page is cut and by another process', async () => {
    const feed = scriptedFeed(35);
    const { baseUrl, server } = await facing(feed);
    const first = await read(server, { limit: 4 });
    const second = await read(server, { limit: 4, cursor: first.nextCursor });
    const rest = await readOn(await serving(baseUrl), { limit: 4 }, second.nextCursor);
    expect([...idsOf(first.data), ...idsOf(second.data), ...rest]).toEqual(idsOf(feed.changes));
    expect(feed.guessed).toEqual([]);
  });

  it('starts again by itself where its snapshot expires in the middle of a call: each change once, what is new too', async () => {
    const feed = scriptedFeed(35);
    const { server } = await facing(feed);
    feed.beforePage(3, () => {
      feed.expire();
      feed.changes = [change(101), change(100), ...feed.changes];
    });
    const { data, nextCursor, coverage } = await read(server, { limit: 200 });
    expect(nextCursor).toBeNull();
    expect(idsOf(data).sort()).toEqual(idsOf(feed.changes).sort());
    expect(coverage).toMatchObject({ page: 4, totalPages: 4, newest: change(101).changedAt });
    expect(feed.guessed).toEqual([]);
  });

  it.each([1, 2, 3])(
    'goes on with a cursor of page %i whose snapshot has expired, and tells what is newer',
    async (pages) => {
      const feed = scriptedFeed(35);
      const was = idsOf(feed.changes);
      const { server } = await facing(feed);
      const limit = pages * 10 - 3;
      const first = await read(server, { limit });
      feed.expire();
      feed.changes = [change(101), change(100), ...feed.changes];
      const second = await read(server, { limit, cursor: first.nextCursor });
      expect(second.warnings).toEqual([expect.stringContaining('2 newer changes')]);
      const rest = await readOn(server, { limit }, second.nextCursor, feed.expire);
      expect([...idsOf(first.data), ...idsOf(second.data), ...rest]).toEqual(was);
    },
  );

  it('finds its place far behind, also where the last change has gone', async () => {
    const feed = scriptedFeed(300);
    const was = idsOf(feed.changes);
    const { server } = await facing(feed);
    const seen: string[] = [];
    let cursor: string | null = null;
    while (seen.length < 250) {
      const { data, nextCursor } = await read(server, { limit: 50, ...(cursor === null ? {} : { cursor }) });
      seen.push(...idsOf(data));
      cursor = nextCursor;
    }
    feed.expire();
    feed.changes = feed.changes.filter(({ assetId }) => assetId !== seen.at(-1));
    // 25 pages lie before the place, and one call reads 20.
    const empty = await read(server, { limit: 50, cursor });
    expect(empty).toMatchObject({ data: [], nextCursor: expect.any(String) });
    seen.push(...(await readOn(server, { limit: 50 }, empty.nextCursor)));
    expect(seen).toEqual(was);
  });

  it('keeps what a call has read where the place is lost, and says so only then', async () => {
    const feed = scriptedFeed(35);
    const { server } = await facing(feed);
    const first = await read(server, { limit: 12 });
    feed.beforePage(3, () => {
      feed.expire();
      feed.changes = Array.from({ length: 15 }, (_, index) => change(200 - index));
    });
    const second = await read(server, { limit: 20, cursor: first.nextCursor });
    expect(second.data).toHaveLength(8);
    const { error, next } = errorOf(
      await server.call('read_feed', { feed: 'assets', limit: 20, cursor: second.nextCursor }),
    );
    expect(error).toMatchObject({ category: 'snapshot_expired', code: 'snapshot.expired', status: 410 });
    expect(next).toMatchObject({ tool: 'read_feed', arguments: { feed: 'assets', limit: 20 } });
    expect(next?.arguments).not.toHaveProperty('cursor');
  });

  it('that expires again and again ends', async () => {
    const feed = scriptedFeed(35);
    const { server } = await facing({
      answer(request, response) {
        feed.expire();
        feed.answer(request, response);
      },
    });
    const first = await read(server, { limit: 200 });
    expect(first.data).toHaveLength(10);
    const again = await server.call('read_feed', { feed: 'assets', limit: 200, cursor: first.nextCursor });
    expect(errorOf(again).error.category).toBe('snapshot_expired');
  });

  it('that has expired where it begins leads to no call, which could only be the same again', async () => {
    const gone = { data: null, error: { code: 'snapshot.expired', message: 'Gone.' } };
    const feed = scriptedFeed(25);
    let isGone = false;
    const { server } = await facing({
      answer: (request, response) => (isGone ? json(response, 410, gone) : feed.answer(request, response)),
    });
    const { nextCursor: cursor } = await read(server, { limit: 20 });
    isGone = true;
    const call = { feed: 'assets', limit: 20 };
    // What a cursor leads to is the call without it.
    const again = errorOf(await server.call('read_feed', { ...call, cursor }));
    expect(again.next).toMatchObject({ tool: 'read_feed', arguments: call });
    const { error, next } = errorOf(await server.call('read_feed', call));
    expect(error).toMatchObject({ category: 'snapshot_expired', status: 410 });
    expect(error.message).not.toContain('cursor');
    expect(next).toEqual({ why: expect.stringContaining('once the service has mended it') });
  });

  it.each(['', '/v1/catalogue'])(
    'may write the path prefix %j of its base address before a nextPage',
    async (written) => {
      const feed = scriptedFeed(25, '/v1/catalogue', written);
      const { server } = await facing(feed, '/v1/catalogue/');
      const { data } = await read(server, { limit: 200 });
      expect(idsOf(data)).toEqual(idsOf(feed.changes));
      expect(feed.guessed).toEqual([]);
    },
  );
});

describe('a list of the service', () => {
  const entry = (number: number) => ({ ...change(number), id: number });
  /** Pages of three entries, whose paths lead from each to the next. */
  const leading = (paths: Readonly<Record<string, string | null>>) => ({
    answer: ({ url = '' }: IncomingMessage, response: ServerResponse) => {
      const from = Object.keys(paths).indexOf(url) * 3;
      const meta = { snapshot: 's', page: 1, totalPages: 9, nextPage: paths[url] };
      json(response, 200, { data: [1, 2, 3].map((number) => entry(from + number)), meta });
    },
  });

  it.each(['', '{', 'null', '{"page":null,"offset":-1}'])(
    'refuses a cursor that was made up of %j',
    async (made) => {
      const body = Buffer.from(made).toString('base64url');
      const bound = createHash('sha256').update(JSON.stringify(['list_episodes', [], body]));
      const server = await serving('http://127.0.0.1:9');
      const cursor = `${bound.digest('base64url').slice(0, 16)}.${body}`;
      const { error, next } = errorOf(await server.call('list_episodes', { cursor }));
      expect(error.category).toBe('invalid_arguments');
      expect(next).toMatchObject({ tool: 'list_episodes', arguments: {} });
    },
  );

  it.each([
    ['read_feed', { feed: 'assets' }, '/feeds/assets'],
    ['list_episodes', {}, '/episodes'],
  ])('of %s that leads in a circle is found out, in one call or in many', async (tool, args, first) => {
    const [a, b, c] = [`${first}/a`, `${first}/b`, `${first}/c`];
    const { server } = await facing(leading({ [first]: a, [a]: b, [b]: c, [c]: a }));
    const { error } = errorOf(await server.call(tool, { ...args, limit: 200 }));
    expect(error).toMatchObject({
      category: 'bad_response',
      message: expect.stringContaining('lead in a circle'),
    });
    for (const limit of [1, 2, 3]) {
      let cursor: string | null | undefined;
      const ended = async () => {
        for (let calls = 0; calls < 50; calls++) {
          const result = await server.call(tool, { ...args, limit, ...(cursor ? { cursor } : {}) });
          if (result.isError === true) return errorOf(result).error.category;
          cursor = z.object({ nextCursor: z.string() }).parse(result.structuredContent).nextCursor;
        }
        return 'never';
      };
      expect(await ended(), `limit ${limit}`).toBe('bad_response');
    }
  });

  it('may have the same paths in each snapshot', async () => {
    const [first, second, third] = ['/feeds/assets', '/feeds/assets/2', '/feeds/assets/3'];
    const pages = leading({ [first]: second, [second]: third, [third]: null });
    for (const limit of [2, 3, 200]) {
      let isGone = true;
      const { server } = await facing({
        answer(request, response) {
          if (request.url !== third || !isGone) return pages.answer(request, response);
          isGone = false;
          json(response, 410, { data: null, error: { code: 'snapshot.expired', message: 'Gone.' } });
        },
      });
      const { data, nextCursor } = await read(server, { limit });
      const rest = await readOn(server, { limit }, nextCursor);
      expect([...idsOf(data), ...rest]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => entry(id).assetId));
    }
  });

  it('says where its page stands', async () => {
    const feed = scriptedFeed(25);
    const { server } = await facing(feed);
    const first = await read(server, { limit: 5 });
    expect(first.coverage).toMatchObject({ snapshot: expect.any(String), page: 1, totalPages: 3 });
    expect(first.coverage.newest).toBe(change(25).changedAt);
    expect(first.coverage.oldest).toBe(change(21).changedAt);

    const episodes = await facing({
      answer: (request, response) =>
        request.url === '/episodes'
          ? json(response, 200, {
              data: [{ id: 1 }],
              meta: { page: 1, totalPages: 2, nextPage: '/episodes/2' },
            })
          : json(response, 200, { data: [{ id: 2 }], meta: { page: 2, totalPages: 2, nextPage: null } }),
    });
    const one = await episodes.server.call('list_episodes', { limit: 1 });
    expect(one.structuredContent).toMatchObject({ snapshot: null, page: 1, totalPages: 2 });
    const { nextCursor } = z.object({ nextCursor: z.string() }).parse(one.structuredContent);
    const two = await episodes.server.call('list_episodes', { limit: 1, cursor: nextCursor });
    expect(two.structuredContent).toMatchObject({
      data: [{ id: 2 }],
      page: 2,
      totalPages: 2,
      nextCursor: null,
    });
  });
});
