import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
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
    if (request.url?.startsWith('/feeds/')) return json(response, 200, { data: [], meta: {} });
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

  it.each([
    ['fanart', 'backdrop'],
    ['clearlogo', 'logo'],
    ['title card', 'titlecard'],
  ])('is taken by the name %s where it can mean no other', async (slot, meant) => {
    const answer = await server.call('read_feed', { feed: 'assets', slot });
    expect(toldBy(answer)).toMatchObject({ taken: { [slot]: meant } });
  });

  it('of a change is only taken from a word that means one alone', async () => {
    const upload = async (slot: string, targetKind: string) => {
      const change = { clientMutationId: '3fa85f64-5717-4562-b3fc-2c963f66afa6', expectedUpdatedAt: 'none' };
      const what = { file: '/a.png', operation: 'add', slot, targetKind, targetId: 1 };
      const { error, next } = errorOf(await server.call('upload_asset', { ...change, ...what }));
      return { category: error.category, corrected: next?.arguments };
    };
    // Its words are right: only an account is lacking.
    const { category } = await upload('background', 'show');
    expect(category).toBe('not_connected');
    // A hero picture or a background: a person knows.
    expect(await upload('backdrop', 'game')).toEqual({ category: 'invalid_arguments', corrected: undefined });
  });
});
