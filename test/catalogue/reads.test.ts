import { describe, expect, test } from 'vitest';
import type { EntityKind, SetKind } from '../../src/catalogue/records/kinds.ts';
import { catalogueAt, json, serve } from './scripted-server.ts';

describe('each kind is read at its path', () => {
  const entityPaths: Record<EntityKind, string> = {
    show: '/shows/7',
    season: '/seasons/7',
    episode: '/episodes/7',
    movie: '/movies/7',
    collection: '/collections/7',
    game: '/games/7',
    company: '/companies/7',
    network: '/networks/7',
    person: '/people/7',
    category: '/categories/7',
  };
  const setPaths: Record<SetKind, string> = {
    movie_set: '/movie-set/7',
    show_set: '/show-set/7',
    game_set: '/game-set/7',
    collection_set: '/collection-set/7',
    brand_set: '/brand-set/7',
    boxset: '/boxsets/7',
    loadout: '/loadouts/7',
  };

  test.each(Object.entries(entityPaths) as [EntityKind, string][])('%s', async (kind, path) => {
    const server = await serve((_request, response) => json(response, 200, { data: { id: 7, kind } }));
    const entity = await catalogueAt(`${server.origin}/api/v1/`).readEntity(kind, 7);
    expect(entity).toEqual({ id: 7, kind });
    expect(server.seen).toEqual([`GET /api/v1${path}`]);
  });

  test.each(Object.entries(setPaths) as [SetKind, string][])('%s', async (kind, path) => {
    const server = await serve((_request, response) => json(response, 200, { data: { id: 7 } }));
    expect(await catalogueAt(server.origin).readSet(kind, 7)).toEqual({ id: 7 });
    expect(server.seen).toEqual([`GET ${path}`]);
  });

  test('an answer about another record is refused, and changes nothing that is known', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: { id: 8 } }));
    const readings: unknown[] = [];
    const catalogue = catalogueAt(server.origin, { onReading: (reading) => readings.push(reading) });
    for (const read of [catalogue.readEntity('movie', 7), catalogue.readSet('show_set', 7)]) {
      await expect(read).rejects.toMatchObject({ category: 'bad_response' });
    }
    expect(readings).toEqual([]);
  });

  test('an id stays inside its segment', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: {} }));
    await catalogueAt(server.origin).readEntity('show', '../movies/1?x=/#');
    expect(server.seen).toEqual(['GET /shows/..%2Fmovies%2F1%3Fx%3D%2F%23']);
  });
});

test('requests say who asks, and carry neither cookies nor credentials', async () => {
  const server = await serve((_request, response) => {
    response.setHeader('set-cookie', 'session=1; Path=/');
    json(response, 200, { data: { id: 1 } });
  });
  const catalogue = catalogueAt(server.origin);
  await catalogue.readEntity('show', 1);
  await catalogue.readEntity('show', 1);
  for (const headers of server.headers) {
    expect(headers['user-agent']).toBe('artwork-mcp/0.0.0-test');
    expect(headers.accept).toBe('application/json');
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('authorization');
  }
});

describe('lists', () => {
  test('the episodes index is followed from page to page', async () => {
    const server = await serve((request, response) =>
      request.url === '/v2/episodes'
        ? json(response, 200, {
            data: [{ id: 1, title: 'One' }],
            meta: { page: 1, totalPages: 2, nextPage: '/episodes?page=2' },
          })
        : json(response, 200, { data: [{ id: 2 }], meta: { page: 2, totalPages: 2, nextPage: null } }),
    );
    const catalogue = catalogueAt(`${server.origin}/v2`);
    const first = await catalogue.readEpisodesPage(null);
    expect(first).toEqual({
      items: [{ id: 1, title: 'One' }],
      nextPage: '/episodes?page=2',
      page: 1,
      totalPages: 2,
      snapshot: null,
    });
    const second = await catalogue.readEpisodesPage(first.nextPage);
    expect(second.items).toEqual([{ id: 2 }]);
    expect(second.nextPage).toBeNull();
    expect(server.seen).toEqual(['GET /v2/episodes', 'GET /v2/episodes?page=2']);
  });

  test.each(['assets', 'sets'] as const)('the feed of %s is followed within its snapshot', async (feed) => {
    const nextPage = `/feeds/${feed}/pages/5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10/2`;
    const server = await serve((request, response) =>
      json(response, 200, {
        data: [],
        meta: {
          snapshot: '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10',
          page: 1,
          totalPages: 2,
          nextPage: request.url === nextPage ? null : nextPage,
        },
      }),
    );
    const catalogue = catalogueAt(server.origin);
    const first = await catalogue.readFeedPage(feed, null);
    expect(first.snapshot).toBe('5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10');
    expect((await catalogue.readFeedPage(feed, first.nextPage)).nextPage).toBeNull();
    expect(server.seen).toEqual([`GET /feeds/${feed}`, `GET ${nextPage}`]);
  });

  test('an expired snapshot is told apart', async () => {
    const server = await serve((_request, response) =>
      json(response, 410, { data: null, error: { code: 'snapshot_expired', message: 'Gone.' } }),
    );
    await expect(
      catalogueAt(server.origin).readFeedPage('sets', '/feeds/sets/pages/a/2'),
    ).rejects.toMatchObject({ category: 'snapshot_expired', status: 410 });
  });

  test.each([
    'https://elsewhere.example/feeds/assets/pages/a/2',
    '//elsewhere.example/feeds/assets/pages/a/2',
    '/\\elsewhere.example',
    'feeds/assets/pages/a/2',
    '',
    '/feeds/assets',
    '/feeds/assetsx',
    '/feeds/sets/pages/a/2',
    '/me/assets/1',
    '/feeds/assets/../../me/assets',
    '/feeds/assets/pages/%2e%2e/%2E%2E/me',
    '/feeds/assets/pages/%252e%252e/2',
    '/feeds/assets/pages/a%2fb/2',
    '/feeds/assets/pages/a%5cb/2',
    '/feeds/assets/pages/a%00/2',
    '/feeds/assets/pages/a%zz/2',
    '/feeds/assets//pages/2',
    '/feeds/assets/./2',
    '/feeds/assets/pages/a/2#x',
    '/feeds/assets/pages/a/2?x=1?y=2',
    '/feeds/assets/pages/a\r\nHost: x/2',
    '/feeds/assets/pages/a b/2',
    '/feeds/assets/pages/\u202e/2',
  ])('a next page that leads elsewhere is not followed: %j', async (nextPage) => {
    const server = await serve((_request, response) => json(response, 200, { data: [], meta: { nextPage } }));
    const catalogue = catalogueAt(server.origin);
    const page = await catalogue.readFeedPage('assets', null);
    expect(page.nextPage).toBeTypeOf('string');
    await expect(catalogue.readFeedPage('assets', page.nextPage)).rejects.toMatchObject({
      category: 'bad_response',
    });
    expect(server.seen).toEqual(['GET /feeds/assets']);
  });
});
