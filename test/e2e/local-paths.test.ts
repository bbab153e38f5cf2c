import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

const uuid = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const shown = '/posters/of the service/1.png';
let service: ScriptedService;
let server: StartedServer;
let home: { path: string; remove(): Promise<void> };
let picture: string;

beforeAll(async () => {
  home = await temporaryFolder();
  const root = path.join(home.path, 'open');
  await mkdir(root);
  picture = path.join(root, `${uuid}.png`);
  await writeFile(
    picture,
    await sharp({ create: { width: 4, height: 6, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
  await writeFile(path.join(home.path, 'closed.png'), 'closed');
  service = await startScriptedService((request, response) => {
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
  it('that names a file in an open folder is not sent, and its error is the call with file', async () => {
    for (const given of [picture, pathToFileURL(picture).href]) {
      const { error, next } = errorOf(
        await look({ path: given, slot: 'poster' }, { path: `/art/${uuid}.png` }),
      );
      expect(error).toMatchObject({
        category: 'invalid_arguments',
        message: expect.stringContaining('file'),
        issues: [{ path: ['items', '0', 'path'] }],
      });
      expect(next).toMatchObject({
        tool: 'view_artwork',
        arguments: { items: [{ file: given, slot: 'poster' }, { path: `/art/${uuid}.png` }] },
      });
      expect(service.requests).toEqual([]);
      const { items } = Object(next?.arguments);
      const followed = await look(items[0]);
      expect(followed.content.some(({ type }) => type === 'image')).toBe(true);
    }
    expect(service.requests).toEqual([]);
  });

  it('is not sent either where it lies elsewhere or is not there', async () => {
    const given = [
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

it('files with long names that begin alike are told apart under their pictures', async () => {
  const sheetOf = async (season: number) => {
    const files = [1, 2].map((number) =>
      path.join(path.dirname(picture), `The Sixty-Two Doors of Wexmoor - S0${season}E0${number}.png`),
    );
    await Promise.all(files.map((file) => copyFile(picture, file)));
    const { content } = await look(...files.map((file) => ({ file })));
    return content.find((block) => block.type === 'image');
  };
  expect(await sheetOf(1)).not.toEqual(await sheetOf(2));
});

describe('a path of the service', () => {
  it('goes out where it has the form of an Asset path, or an answer has shown it', async () => {
    await look({ path: `/art/${uuid}.png` });
    expect(service.requests.map(({ url }) => url)).toEqual([`/art/${uuid}.png`]);
    await look({ path: shown });
    expect(service.requests).toHaveLength(1);
    await server.call('get_entity', { kind: 'movie', id: 1, include: ['assets.posters'] });
    await look({ path: shown });
    expect(service.requests.at(-1)?.url).toBe(encodeURI(shown));
  });
});
