import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definitions } from '../../src/definitions.ts';
import { eras, openClient } from '../support/host.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

// The same is asked through a client of each era, and what it is answered may differ in what the revision changes alone.

const apps = { 'io.modelcontextprotocol/ui': { mimeTypes: [definitions.app.mimeType] } };
type Opened = Awaited<ReturnType<typeof openClient>>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ScriptedService;
let hosts: readonly Opened[];
let poster: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  poster = await writePoster(folder.path);
  const picture = await readFile(poster);
  service = await startScriptedService((request, response) => {
    if (request.url?.startsWith('/images/') === true) return void response.end(picture);
    const id = Number(/^\/shows\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
    // This one is never answered.
    if (id === 13) return;
    if (id === 0) json(response, 404, { data: null, error: { code: 'not_found', message: 'No.' } });
    else json(response, 200, { data: { id, kind: 'show', title: 'Firefly', seasons: [] } });
  });
  hosts = await Promise.all(
    eras.map((era) =>
      openClient(
        era,
        {
          HOME: folder.path,
          ARTWORK_HOME: path.join(folder.path, `home ${era}`),
          ARTWORK_BASE_URL: service.baseUrl,
          ARTWORK_INDEX: 'off',
        },
        { roots: [pathToFileURL(folder.path).href], extensions: apps },
      ),
    ),
  );
});

afterAll(async () => {
  await Promise.all(hosts.map(({ client }) => client.close()));
  await service.close();
  await folder.remove();
});

/** A result without what only 2026-07-28 has. */
function inBothEras(result: object): object {
  const { ttlMs, cacheScope, resultType, _meta: meta, ...rest } = Object.fromEntries(Object.entries(result));
  const { 'io.modelcontextprotocol/serverInfo': _, ...others } = Object(meta);
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
}

/** What both of them are answered. */
async function fromBoth(question: (host: Opened) => Promise<object>): Promise<object> {
  const [first, second] = await Promise.all(hosts.map(async (host) => inBothEras(await question(host))));
  expect(second).toEqual(first);
  return Object(first);
}

describe('both are answered the same', () => {
  it('by the lists, those of a host that shows MCP Apps', async () => {
    expect(await fromBoth(({ client }) => client.listTools())).toMatchObject({
      tools: { length: definitions.tools.length },
    });
    expect(await fromBoth(({ client }) => client.listResources())).toMatchObject({
      resources: [definitions.app],
    });
  });

  it('by a read, by an error and by a picture from a folder that the host offers', async () => {
    const read = await fromBoth(({ call }) => call('get_entity', { kind: 'show', id: 5 }));
    expect(read).toMatchObject({ structuredContent: { data: { title: 'Firefly' } } });
    expect(await fromBoth(({ call }) => call('get_entity', { id: 5 }))).toMatchObject({ isError: true });
    const looked = await fromBoth(({ call }) => call('view_artwork', { items: [{ file: poster }] }));
    expect(looked).toMatchObject({ content: [{ type: 'text' }, { type: 'image' }] });
  });

  it('by the view of MCP Apps', async () => {
    const { uri, mimeType } = definitions.app;
    expect(await fromBoth(({ client }) => client.readResource({ uri }))).toMatchObject({
      contents: [{ uri, mimeType }],
    });
  });

  it('by progress, which grows', async () => {
    const items = ['a', 'b', 'c'].map((name) => ({ path: `/images/${name}.png` }));
    for (const { call } of hosts) {
      const heard: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
      await call('view_artwork', { items, page: true }, { onprogress });
      expect(heard.length).toBeGreaterThan(2);
      expect(heard).toEqual([...new Set(heard)].toSorted((one, other) => one - other));
    }
  });

  it.each<[string, number, (host: Opened) => Promise<object>]>([
    ['a tool that there is not', -32602, ({ call }) => call('get_entitty', {})],
    [
      'a page that there is not',
      -32002,
      ({ client }) => client.readResource({ uri: `${definitions.app.uri}/none/1` }),
    ],
    ['an address of none', -32002, ({ client }) => client.readResource({ uri: 'file:///etc/passwd' })],
  ])('by the refusal of %s, with the code of each revision', async (_, code, question) => {
    const codes = hosts.map(async (host) => {
      const refused = await question(host).catch((error: unknown) => error);
      return z.object({ code: z.number() }).parse({ ...Object(refused), code: Object(refused).code }).code;
    });
    expect(await Promise.all(codes)).toEqual([code, -32602]);
  });

  it('by nothing, once they cancel a call, whose request to the service ends', async () => {
    const asked = () => service.requests.filter(({ url }) => url === '/shows/13');
    for (const [at, { call }] of hosts.entries()) {
      const cancel = new AbortController();
      const called = call('get_entity', { kind: 'show', id: 13 }, { signal: cancel.signal });
      const refused = expect(called).rejects.toThrow();
      await expect.poll(asked).toHaveLength(at + 1);
      cancel.abort();
      await refused;
      await expect.poll(() => asked()[at]?.closed).toBe(true);
    }
  });
});
