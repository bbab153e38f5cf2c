import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

let service: ScriptedService;
let server: StartedServer;

const show = (id: number) => ({
  ...{ id, kind: 'show', title: `Show ${id}`, assets: { posters: [] } },
  seasons: [1, 2, 3, 4, 5].map((at) => ({
    id: id * 10 + at,
    kind: 'season',
    seasonNumber: at,
    title: `Season ${at}`,
  })),
  sets: [1, 2, 3, 4].map((at) => ({ id: 900 + at, title: `Set ${at}`, createdBy: 'mira' })),
});
const set = (id: number) => ({
  ...{ id, title: `Set ${id}`, createdBy: 'mira', language: 'en' },
  show: {
    ...{ id, title: `Show ${id}`, poster: '/one.png' },
    seasons: [1, 2, 3, 4, 5].map((at) => ({
      id: id * 10 + at,
      seasonNumber: at,
      poster: '/one.png',
      episodes: [],
    })),
  },
});

beforeAll(async () => {
  service = await startScriptedService((request, response) => {
    const [, what, digits] = /^\/(shows|show-set|seasons)\/(\d{1,4})$/.exec(request.url ?? '') ?? [];
    const id = Number(digits);
    // As long as it takes for all that are asked for at once to wait together.
    setTimeout(() => {
      if (what === 'shows') json(response, 200, { data: show(id) });
      else if (what === 'show-set') json(response, 200, { data: set(id) });
      else json(response, 404, { data: null, error: { code: 'not_found', message: 'It is not there.' } });
    }, 50);
  });
  server = await startServer({ ARTWORK_BASE_URL: service.baseUrl, ARTWORK_INDEX: 'off' });
});
afterAll(async () => {
  await server.stop();
  await service.close();
});

it('a call of many reads at once is not taken for a leak', async () => {
  for (const kind of ['movie_set', 'game_set', 'boxset', 'loadout'])
    expect(errorOf(await server.call('get_set', { kind, id: 99_999 })).error.category).toBe('not_found');
  expect(errorOf(await server.call('get_entity', { kind: 'movie', id: 99_999 })).error.category).toBe(
    'not_found',
  );
  await server.call('audit_sets', { targetKind: 'show', targetId: 7 });
  await server.call('view_artwork', {
    items: Array.from({ length: 24 }, (_, at) => ({ kind: 'movie_set', id: 90_000 + at })),
  });
  expect(server.stderr()).not.toMatch(/MaxListeners|Warning/);
});
