import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type StartedServer, startServer, toldBy } from '../support/client.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

let service: ScriptedService;
let server: StartedServer;

const listed = (slot: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/art/${slot}/${index + 1}.png`, createdBy: 'ada' }));

const records: Readonly<Record<string, object>> = {
  '/shows/1': {
    ...{ id: 1, kind: 'show', title: 'Wexmoor' },
    assets: { posters: listed('poster', 3), backdrops: listed('backdrop', 2), logos: listed('logo', 1) },
  },
  '/games/2': {
    ...{ id: 2, kind: 'game', title: 'Wexmoor', metadataImages: { poster: null } },
    assets: { covers: listed('cover', 1), backgrounds: listed('background', 1) },
  },
  '/show-set/3': {
    ...{ id: 3, title: 'Wexmoor', createdBy: 'ada' },
    show: {
      ...{
        id: 1,
        title: 'Wexmoor',
        poster: '/art/poster/1.png',
        backdrop: '/art/backdrop/1.png',
        logo: null,
      },
      seasons: [
        {
          ...{ id: 11, seasonNumber: 1, poster: '/art/poster/2.png', backdrop: null },
          episodes: [{ id: 12, episodeNumber: 1, titlecard: '/art/titlecard/1.png' }],
        },
      ],
    },
  },
};

beforeAll(async () => {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  service = await startScriptedService((request, response) => {
    const record = records[request.url ?? ''];
    if (record !== undefined) return json(response, 200, { data: record });
    if (!request.url?.startsWith('/art/')) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  });
  server = await startServer({ ARTWORK_BASE_URL: service.baseUrl, ARTWORK_INDEX: 'off' });
});
afterAll(async () => {
  await server.stop();
  await service.close();
});

const looked = z.object({
  data: z.array(z.looseObject({ label: z.string(), ref: z.string().optional() })),
});

async function refsOf(kind: string, id: number, slot: string): Promise<string[]> {
  const answer = await server.call('view_artwork', { items: [{ kind, id, slot }], size: 64 });
  return looked.parse(toldBy(answer)).data.map(({ label, ref }) => `${label}: ${ref}`);
}

const backdrop = ['show 1 backdrop: /art/backdrop/1.png'];
const backdrops = [1, 2].map((number) => `show 1 backdrops ${number}: /art/backdrop/${number}.png`);
const logo = ['show 1 logo: /art/logo/1.png'];

describe('a slot', () => {
  it.each([
    ['backdrop', backdrop],
    ['background', backdrop],
    ['Fan Art', backdrop],
    ['fanart', backdrop],
    ['backdrops', backdrops],
    ['assets.backdrops', backdrops],
    ['backgrounds', backdrops],
    ['clearlogo', logo],
    ['clear-logo', logo],
    ['cover', ['show 1 poster: /art/poster/1.png']],
  ])('of a show is found by the name %s', async (slot, refs) => {
    expect(await refsOf('show', 1, slot)).toEqual(refs);
  });

  it('of a game that a show lacks stays its own', async () => {
    expect(await refsOf('game', 2, 'background')).toEqual(['game 2 background: /art/background/1.png']);
    expect(await refsOf('game', 2, 'poster')).toEqual(['game 2 cover: /art/cover/1.png']);
  });

  it('of a Set has the same names, and the answer says what a word was taken for', async () => {
    expect(await refsOf('show_set', 3, 'fanart')).toEqual(['show backdrop: /art/backdrop/1.png']);
    expect(await refsOf('show_set', 3, 'episode card')).toEqual(['S01E01 titlecard: /art/titlecard/1.png']);
    const item = { kind: 'show_set', id: 3, slot: 'background' };
    expect(toldBy(await server.call('view_artwork', { items: [item] }))).toMatchObject({
      taken: { background: 'backdrop' },
    });
  });
});
