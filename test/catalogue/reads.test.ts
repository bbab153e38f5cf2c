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

  test('an id stays inside its segment', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: {} }));
    await catalogueAt(server.origin).readEntity('show', '../movies/1?x=/#');
    expect(server.seen).toEqual(['GET /shows/..%2Fmovies%2F1%3Fx%3D%2F%23']);
  });
});

describe('lists', () => {
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
