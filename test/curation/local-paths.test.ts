import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

const uuid = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const shown = '/media/of the service/1.png?size=large';
let service: ScriptedService;
let server: StartedServer;
let home: { path: string; remove(): Promise<void> };
let picture: string;

beforeAll(async () => {
  home = await temporaryFolder();
  const root = path.join(home.path, 'open');
  await mkdir(root);
  picture = path.join(root, `${uuid}.png`);
  const bytes = await sharp({ create: { width: 4, height: 6, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await writeFile(picture, bytes);
  await writeFile(path.join(home.path, 'closed.png'), 'closed');
  service = await startScriptedService((request, response) => {
    if (/^\/(media|collection)\//.test(request.url ?? '')) {
      response.writeHead(200, { 'content-type': 'image/png' });
      return void response.end(request.url?.endsWith('.svg') ? '<svg/>' : bytes);
    }
    if (request.url?.startsWith('/away/')) {
      return void response.writeHead(302, { location: '/media/posters/1.png' }).end();
    }
    if (request.url !== '/movies/1') return void response.writeHead(404).end();
    json(response, 200, { data: { id: 1, kind: 'movie', assets: { posters: [{ path: shown }] } } });
  });
  server = await startServer({ ARTWORK_BASE_URL: service.baseUrl, ARTWORK_UPLOAD_ROOTS: root });
});

afterAll(async () => {
  await server.stop();
  await service.close();
  await home.remove();
});

const look = (...items: object[]) => server.call('view_artwork', { items, size: 64 });

describe('a path of this machine', () => {
  it('is not sent either where it lies elsewhere or is not there', async () => {
    const given = [
      picture,
      path.join(home.path, 'closed.png'),
      path.join(tmpdir(), `${uuid}.png`),
      path.join(home.path, 'open', 'not there.png'),
      `/etc/${uuid}`,
      '/etc/passwd',
      '/home/ada/../ada/secret.png',
      '~/secret.png',
      './secret.png',
      `C:\\Users\\ada\\${uuid}.png`,
      `//host/share/${uuid}.png`,
      `/art/../../etc/${uuid}.png`,
    ];
    for (const one of given) {
      expect(toldBy(await look({ path: one }))).toMatchObject({
        data: [{ error: { category: 'invalid_arguments', message: expect.stringContaining('`file`') } }],
      });
      // A model takes a path for a URL; nor may having been asked for make it one that was shown.
      for (const asked of [{ url: one }, { path: one }]) {
        expect(toldBy(await look(asked))).toMatchObject({
          data: [{ error: { category: 'invalid_arguments' } }],
        });
      }
    }
    expect(service.requests).toEqual([]);
  });

  it('is no id', async () => {
    for (const type of ['asset', 'set', 'group']) {
      const { error } = errorOf(await server.call('get_owned', { type, id: picture }));
      expect(['invalid_arguments', 'not_connected']).toContain(error.category);
    }
    expect(service.requests).toEqual([]);
  });
});

describe('a path of the service', () => {
  const isSent = async (path: string): Promise<boolean> => {
    const before = service.requests.length;
    await look({ path });
    return service.requests.length > before;
  };

  it('is shown though this process has not shown it, and is asked for without credentials', async () => {
    // Machines have a folder of this name too.
    for (const path of ['/media/posters/1.png', '/collection/of pictures/1', '/media/b%C3%BC/1.webp']) {
      const before = service.requests.length;
      const { content } = await look({ path });
      expect([path, content.map(({ type }) => type)]).toEqual([path, expect.arrayContaining(['image'])]);
      const [request, ...others] = service.requests.slice(before);
      expect(others).toEqual([]);
      expect(request).toMatchObject({ method: 'GET', url: encodeURI(decodeURI(path)) });
      expect(Object.keys(request?.headers ?? {})).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(authorization|cookie)$/)]),
      );
    }
  });

  it('gives nothing but a picture that could be decoded', async () => {
    const { content } = await look({ path: '/movies/1' }, { path: '/media/x/1.svg' }, { path: '/away/x/1' });
    expect(content.map(({ type }) => type)).toEqual(['text']);
    const told = z.object({ data: z.array(z.looseObject({ error: z.looseObject({}) })) });
    expect(told.parse(toldBy({ content })).data).toHaveLength(3);
    expect(JSON.stringify(content)).not.toMatch(/svg\/|posters/);
  });

  it('does not go out with a query, with dots or with what could lead elsewhere', async () => {
    const given = [
      '/media/posters/1.png?size=2',
      '/media/posters/1.png#a',
      '/media/../me/assets',
      '/media//x',
    ]
      .concat(['/media/%2e%2e/x', '/media/a%2f..%2fb', '/media/a\\b', '/media/.%2E  ', '/media/..;/x'])
      .concat(['//media/x', '/\\media/x', '/media/%zz', '/media/a\u0000b', `/media/${'x'.repeat(4_000)}`]);
    for (const path of given) expect([path, await isSent(path)]).toEqual([path, false]);
  });
});
