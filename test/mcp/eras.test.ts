import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definitions } from '../../src/definitions.ts';
import { inBothEras, type Manner, settled, type Spoken, spokenBy, startSpoken } from '../support/eras.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

// The same is asked through a client of each era, and what it is answered may differ in what the revision changes alone.

const manners = ['SDK 1', 'SDK 2, by asking'] as const satisfies readonly Manner[];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ScriptedService;
let hosts: readonly Spoken[];
let poster: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  poster = await writePoster(folder.path);
  service = await startScriptedService((request, response) => {
    const id = Number(/^\/shows\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
    if (id === 0) json(response, 404, { data: null, error: { code: 'not_found', message: 'No.' } });
    else json(response, 200, { data: { id, kind: 'show', title: 'Firefly', seasons: [] } });
  });
  hosts = await Promise.all(
    manners.map((manner, at) =>
      startSpoken(manner, {
        env: {
          HOME: folder.path,
          ARTWORK_HOME: path.join(folder.path, `home ${at}`),
          ARTWORK_BASE_URL: service.baseUrl,
          ARTWORK_CLIENT_ID: 'app',
          ARTWORK_INDEX: 'off',
        },
        roots: [pathToFileURL(folder.path).href],
      }),
    ),
  );
});

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  await service.close();
  await folder.remove();
});

/** What both of them are answered. */
async function fromBoth(question: (host: Spoken) => Promise<object>): Promise<object> {
  const [first, second] = await Promise.all(hosts.map(async (host) => inBothEras(await question(host))));
  expect(JSON.parse(settled(Object(second)))).toEqual(JSON.parse(settled(Object(first))));
  return Object(first);
}

it('each comes to its revision', () => {
  expect(hosts.map(({ version }) => version)).toEqual(manners.map((manner) => spokenBy[manner]));
});

describe('both are answered the same', () => {
  it('by the lists, those of a host that shows MCP Apps', async () => {
    expect(await fromBoth((host) => host.tools())).toMatchObject({
      tools: { length: definitions.tools.length },
    });
    expect(await fromBoth((host) => host.prompts())).toMatchObject({ prompts: { length: 5 } });
    expect(await fromBoth((host) => host.resources())).toMatchObject({ resources: [{ name: 'page' }] });
    expect(await fromBoth((host) => host.resourceTemplates())).toHaveProperty('resourceTemplates');
  });

  it.each(['account_status', 'list_relationships', 'new_mutation_ids'])(
    'by an answer and an error of %s, before a person has signed in',
    async (name) => {
      for (const args of [{}, { count: 1 }])
        expect(await fromBoth((host) => host.call(name, args))).toHaveProperty('content.0.type', 'text');
    },
  );

  it('by a read, and by a picture from a folder that the host offers', async () => {
    const read = await fromBoth((host) => host.call('get_entity', { kind: 'show', id: 5 }));
    expect(read).toMatchObject({ structuredContent: { data: { title: 'Firefly' } } });
    const looked = await fromBoth((host) => host.call('view_artwork', { items: [{ file: poster }] }));
    expect(looked).toMatchObject({ content: [{ type: 'text' }, { type: 'image' }] });
  });

  it('by resources, prompts and completions', async () => {
    for (const uri of ['artwork://show/5', 'ui://artwork-mcp/page'])
      expect(await fromBoth((host) => host.read(uri))).toMatchObject({ contents: [{ uri }] });
    const prompt = await fromBoth((host) => host.prompt('curate_show', { show: 'Firefly' }));
    expect(prompt).toMatchObject({ messages: [{ role: 'user' }] });
    const ref = { type: 'ref/resource' as const, uri: 'artwork://{kind}/{id}' };
    const argument = { name: 'kind', value: 'movie' };
    expect(await fromBoth((host) => host.complete({ ref, argument }))).toEqual({
      completion: { values: ['movie', 'movie_set'], total: 2, hasMore: false },
    });
  });

  it('by progress, which grows', async () => {
    const items = ['a', 'b', 'c'].map((name) => ({ path: `/images/${name}.png` }));
    for (const host of hosts) {
      const heard: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
      await host.call('view_artwork', { items }, { onprogress });
      expect(heard[0]).toBe(1);
      expect(heard).toEqual([...new Set(heard)].toSorted((one, other) => one - other));
    }
  });

  it.each<[string, number, (host: Spoken) => Promise<object>]>([
    ['a tool that there is not', -32602, (host) => host.call('get_entitty', {})],
    ['a prompt that there is not', -32602, (host) => host.prompt('curate_shows', {})],
    ['a prompt without its argument', -32602, (host) => host.prompt('curate_show', {})],
    ['a resource that there is not', -32002, (host) => host.read('artwork://movie/999')],
    ['an address of none', -32002, (host) => host.read('file:///etc/passwd')],
  ])('by the refusal of %s, with the code of each revision', async (_, code, question) => {
    const codes = hosts.map(async (host) => {
      const refused = await question(host).catch((error: unknown) => error);
      return z.object({ code: z.number() }).parse({ ...Object(refused), code: Object(refused).code }).code;
    });
    expect(await Promise.all(codes)).toEqual([code, -32602]);
  });
});

it.each(manners)('a call that %s cancels ends its request to the service', async (manner) => {
  const slow = createServer().listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = z.object({ port: z.int() }).parse(slow.address());
  const host = await startSpoken(manner, {
    env: { HOME: folder.path, ARTWORK_HOME: folder.path, ARTWORK_BASE_URL: `http://127.0.0.1:${port}` },
  });
  try {
    const asked = once(slow, 'request');
    const cancel = new AbortController();
    const call = host.call('get_entity', { kind: 'show', id: 1 }, { signal: cancel.signal });
    const [request] = await asked;
    const ended = once(request.socket, 'close');
    cancel.abort();
    await expect(call).rejects.toThrow();
    await ended;
  } finally {
    await host.stop();
    slow.closeAllConnections();
    slow.close();
  }
});
