import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { dataFolder, stopSandbox } from '../../src/sandbox/launch.ts';
import { startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer, toldBy } from '../support/client.ts';
import { hurried } from '../support/connected.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

// The embedded catalogue draws each picture when it is first asked for, which takes most of the time here.
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

const episodes = z.looseObject({
  data: z.array(z.looseObject({ show: z.looseObject({ id: z.int(), title: z.string() }) })),
  nextCursor: z.string().nullable(),
});
const show = z.looseObject({ data: z.looseObject({ sets: z.array(z.looseObject({ id: z.int() })) }) });
const call = z.looseObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
const looked = z.looseObject({
  data: z.array(z.looseObject({})),
  omitted: z.array(z.looseObject({ total: z.int(), next: call.nullable() })),
});
const counted = z.object({ pictures: z.array(z.looseObject({ has: z.int() })) });

async function showOf(title: string): Promise<number> {
  let cursor: string | null | undefined;
  do {
    const args = { limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const { data, nextCursor } = episodes.parse((await server.call('list_episodes', args)).structuredContent);
    const found = data.find((episode) => episode.show.title === title);
    if (found !== undefined) return found.show.id;
    cursor = nextCursor;
  } while (cursor !== null);
  throw new Error(`There is no show ${title}.`);
}

it('show the pictures of a Set, 24 at once, and name the call for the rest', async () => {
  const args = { kind: 'show', id: await showOf('Breaking Bad'), include: ['sets'] };
  const { data } = show.parse((await server.call('get_entity', args)).structuredContent);
  let next: z.infer<typeof call> | null | undefined;
  for (const { id } of data.sets) {
    const whole = { items: [{ kind: 'show_set', id }], size: 64 };
    const seen = looked.parse(toldBy(await server.call('view_artwork', whole)));
    const [left] = seen.omitted;
    next ??= left?.next;
    if (left === undefined) continue;
    // The places that lack theirs stand among them, and count as none.
    const set = counted.parse((await server.call('get_set', { kind: 'show_set', id })).structuredContent);
    expect(left.total).toBe(set.pictures.reduce((sum, { has }) => sum + has, 0));
  }
  if (next === null || next === undefined) throw new Error('No Set has more than 24 pictures.');
  const rest = looked.parse(toldBy(await server.call(next.tool, next.arguments)));
  expect(rest.data.length).toBeGreaterThan(0);
});

it('say which pictures there was no time for, and name the call that shows them', async () => {
  const household = await startFailingHousehold();
  const hasty = await startServer({ ARTWORK_HOME: household.home, ...hurried });
  try {
    const feed = z.looseObject({ data: z.array(z.looseObject({ setId: z.int() })) });
    const recent = await hasty.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 3 });
    const items = feed.parse(toldBy(recent)).data.map(({ setId }) => ({ kind: 'movie_set', id: setId }));
    const silence = { method: 'GET', path: '/artwork/*', skip: 1, count: 100, do: 'silence' } as const;
    await household.control.fail({ ...silence, when: 'before' });
    const late = z
      .looseObject({
        data: z.array(z.looseObject({ error: z.looseObject({ code: z.string() }).optional() })),
      })
      .extend({ next: call })
      .parse(toldBy(await hasty.call('view_artwork', { items, size: 64 })));
    const codes = late.data.map(({ error }) => error?.code ?? 'shown');
    expect([...new Set(codes)].sort()).toEqual(['not_read_in_time', 'shown']);
    await household.control.heal();
    const again = toldBy(await hasty.call(late.next.tool, late.next.arguments));
    expect(JSON.stringify(again)).not.toContain('"error"');
    expect(again).not.toHaveProperty('next');
  } finally {
    await hasty.stop();
    await household.remove();
  }
});
