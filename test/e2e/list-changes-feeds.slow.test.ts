import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { type Change, change, type ScriptedFeed, scriptedFeed } from '../support/scripted-feed.ts';
import { json, startScriptedService } from '../support/scripted-service.ts';

const page = z.looseObject({
  data: z.array(
    z.object({
      by: z.string().nullable(),
      targets: z.array(z.looseObject({ kind: z.string(), id: z.int() })),
    }),
  ),
  nextCursor: z.string().nullable(),
  until: z.string().nullable(),
  coverage: z.looseObject({ complete: z.boolean() }),
  warnings: z.array(z.string()).optional(),
});

let ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

/** Each change of a film of its own, which its own creator made. */
function ofItsOwn(number: number): Change {
  return { ...change(number), slot: 'poster', target: { id: number, kind: 'movie' } };
}

const since = '2026-01-01T00:00:00.000Z';

interface Facing {
  readonly feed: ScriptedFeed;
  readonly server: StartedServer;
  /** One more process of the same user. */
  another(): Promise<StartedServer>;
}

async function facing(count: number): Promise<Facing> {
  const feed = scriptedFeed(0);
  feed.changes = Array.from({ length: count }, (_, index) => ofItsOwn(count - index));
  const service = await startScriptedService((request, response) => {
    const url = request.url ?? '';
    const movie = /^\/movies\/(\d+)$/.exec(url)?.[1];
    if (url.startsWith('/feeds/assets')) return feed.answer(request, response);
    if (url === '/feeds/sets') return json(response, 200, { data: [], meta: { nextPage: null } });
    if (movie === undefined)
      return json(response, 404, { data: null, error: { code: 'not_found', message: 'No.' } });
    const posters = feed.changes
      .filter(({ target }) => target.id === Number(movie))
      .map(({ assetId: id }) => ({ id, createdBy: `maker ${Number(movie) % 7}` }));
    return json(response, 200, {
      data: { id: Number(movie), kind: 'movie', title: `Film ${movie}`, assets: { posters } },
    });
  });
  const home = await mkdtemp(path.join(tmpdir(), 'artwork-changes-'));
  ends.push(() => rm(home, { recursive: true, force: true }), service.close);
  const another = async () => {
    const server = await startServer({ ARTWORK_BASE_URL: service.baseUrl, ARTWORK_HOME: home });
    ends.push(server.stop);
    return server;
  };
  return { feed, server: await another(), another };
}

async function call(server: StartedServer, args: Record<string, unknown>) {
  return page.parse(toldBy(await server.call('list_changes', args)));
}

const numbersOf = ({ data }: z.output<typeof page>) =>
  data.flatMap(({ targets }) => targets.map(({ id }) => id));

/** Numbers of all that is told, until there is no cursor. */
async function readOn(
  servers: readonly StartedServer[],
  args: Record<string, unknown>,
  between: (calls: number) => void = () => {},
) {
  const numbers: number[] = [];
  for (let cursor: string | null = null, calls = 0; ; calls += 1) {
    const server = servers[calls % servers.length] ?? servers[0];
    if (server === undefined) throw new Error('No server.');
    const answer: z.output<typeof page> = await call(server, cursor === null ? args : { ...args, cursor });
    numbers.push(...numbersOf(answer));
    if (answer.nextCursor === null) return { numbers, last: answer, calls: calls + 1 };
    expect(answer.until).toBeNull();
    cursor = answer.nextCursor;
    between(calls);
  }
}

const sorted = (numbers: readonly number[]) => [...numbers].sort((one, other) => one - other);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('list_changes', () => {
  it('tells each change once over many pages, in turns of two processes', async () => {
    const { server, another } = await facing(230);
    const { numbers, last, calls } = await readOn([server, await another()], { since, limit: 3 });
    expect(sorted(numbers)).toEqual(upTo(230));
    expect(last).toMatchObject({ until: change(230).changedAt });
    expect(calls).toBeGreaterThan(3);
  });

  it('loses and doubles nothing where snapshots expire within and between calls and new changes come', async () => {
    const { feed, server } = await facing(320);
    let newest = 320;
    feed.beforePage(5, feed.expire);
    const { numbers, last } = await readOn([server], { since }, (calls) => {
      if (calls > 1) return;
      feed.expire();
      newest += 1;
      feed.changes = [ofItsOwn(newest), ...feed.changes];
    });
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(sorted(numbers).slice(0, 320)).toEqual(upTo(320));
    // What came while it was read is told in it or by the next look.
    const after = await readOn([server], { seenUntil: last.until });
    expect(sorted([...numbers, ...after.numbers])).toEqual(upTo(newest));
    expect(feed.guessed).toEqual([]);
  });

  it('ends where every snapshot is gone by the next call, and says what it did not reach', async () => {
    const { feed, server } = await facing(320);
    const { numbers, last } = await readOn([server], { since }, feed.expire);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length).toBeGreaterThan(150);
    expect(last.coverage.complete).toBe(false);
    expect(last.warnings).toContainEqual(expect.stringContaining('gone before they can be read'));
  });

  it('brings what a feed shows late by the next look, and nothing else', async () => {
    const { feed, server } = await facing(200);
    feed.changes = feed.changes.filter(({ target }) => target.id !== 180);
    const first = await readOn([server], { since });
    feed.changes = [
      ...Array.from({ length: 2 }, (_, index) => ofItsOwn(202 - index)),
      ...feed.changes,
      ofItsOwn(180),
    ].sort((one, other) => (one.changedAt < other.changedAt ? 1 : -1));
    const second = await readOn([server], { seenUntil: first.last.until });
    expect(sorted(second.numbers)).toEqual([180, 201, 202]);
  });

  it('says honestly how far the feed reached back', async () => {
    const { server } = await facing(15);
    const whole = await call(server, { since: '2025-01-01' });
    expect(whole.coverage).toEqual({
      oldest: change(1).changedAt,
      newest: change(15).changedAt,
      complete: false,
    });
    expect(whole.warnings).toContainEqual(
      expect.stringContaining(`reaches back to ${change(1).changedAt} only`),
    );
    const part = await call(server, { since: change(9).changedAt });
    expect(sorted(numbersOf(part))).toEqual([9, 10, 11, 12, 13, 14, 15]);
  });

  it('refuses a cursor of other arguments, a time to come, and a word that is no scope', async () => {
    const { server } = await facing(60);
    const first = await call(server, { since, limit: 1 });
    for (const args of [
      { since, limit: 1, slot: 'poster', cursor: first.nextCursor },
      { since, cursor: 'made.up' },
      { since: '2999-01-01' },
      { seenUntil: '2999-01-01' },
      { scope: 'ours' },
      { slot: 'postcard' },
    ]) {
      const { error } = errorOf(await server.call('list_changes', args));
      expect(error).toMatchObject({ category: 'invalid_arguments' });
    }
  });
});
