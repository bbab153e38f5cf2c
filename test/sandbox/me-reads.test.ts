import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, type OwnersCatalogue, refusal, startCatalogue } from './me-catalogue.ts';
import { plantWorks } from './me-works.ts';
import { present } from './oauth-app.ts';

let catalogue: OwnersCatalogue;
let token: string;
beforeAll(async () => {
  catalogue = await startCatalogue();
  plantWorks(catalogue.database);
  token = await catalogue.token(1);
});
afterAll(() => catalogue.stop());

/** One id of a table whose rows fulfil a condition. */
function idOf(table: string, condition: string): string {
  const row = catalogue.database.first(
    `SELECT CAST(id AS TEXT) AS id FROM ${table} WHERE ${condition} LIMIT 1`,
  );
  return present(row, `${table} where ${condition}`).text('id');
}

describe('an owned Asset', () => {
  it('tells its revision, its place and its file', async () => {
    const id = idOf('assets', "owner_id = 1 AND set_id IS NOT NULL AND language_code = 'en'");
    const { status, headers, body } = await catalogue.get(`/me/assets/${id}`, token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      data: {
        id,
        kind: 'asset',
        slot: expect.any(String),
        target: { id: expect.any(Number), kind: expect.any(String) },
        setId: expect.any(Number),
        path: expect.stringMatching(new RegExp(`^/artwork/${id}\\.(png|jpg|webp)$`)),
        languageCode: 'en',
        editionId: expect.toBeOneOf([null, expect.any(Number)]),
        width: expect.any(Number),
        height: expect.any(Number),
        contentType: expect.stringMatching(/^image\/(png|jpeg|webp)$/),
        frames: 1,
        selectedSourceFrame: null,
        previousAssetId: expect.toBeOneOf([null, expect.any(String)]),
        replacedByAssetId: null,
        dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        publicationStatus: 'succeeded',
      },
    });
  });

  it('that was replaced can still be read, and names the one that replaced it', async () => {
    const id = idOf('assets', 'owner_id = 1 AND replaced_from IS NOT NULL');
    const { body } = await catalogue.get(`/me/assets/${id}`, token);
    expect(body).toMatchObject({ data: { id, replacedByAssetId: expect.any(String) } });
    const next = idOf('assets', `replaces = '${id}'`);
    expect(await catalogue.get(`/me/assets/${next}`, token)).toMatchObject({
      body: { data: { previousAssetId: id } },
    });
  });
});

describe('an owned Set', () => {
  it('lists its Assets, without those that were replaced', async () => {
    const id = Number(
      idOf(
        'sets',
        `owner_id = 1 AND kind = 'show_set'
         AND EXISTS (SELECT 1 FROM assets a WHERE a.set_id = sets.id AND a.target_kind = 'episode')`,
      ),
    );
    const { status, body } = await catalogue.get(`/me/sets/${id}`, token);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: {
        id,
        kind: 'show_set',
        setKind: 'media_set',
        title: expect.any(String),
        languageCode: 'en',
        finalised: expect.any(Boolean),
        target: { id: expect.any(Number), kind: 'show', title: expect.any(String), year: expect.any(Number) },
        createdBy: 'lanternroom',
        updatedAt: expect.any(String),
        publicationStatus: 'succeeded',
      },
    });
    const held = catalogue.database.all(
      'SELECT id, slot, target_kind, target_id, updated_at FROM assets WHERE set_id = ? AND replaced_from IS NULL',
      id,
    );
    expect(held.length).toBeGreaterThan(5);
    const { assets } = dataOf({ body });
    expect(assets).toHaveLength(held.length);
    for (const row of held) {
      expect(assets).toContainEqual(
        expect.objectContaining({
          id: row.text('id'),
          slot: row.text('slot'),
          target: { id: row.integer('target_id'), kind: row.text('target_kind') },
          updatedAt: row.text('updated_at'),
        }),
      );
    }
  });

  it.each([
    ['brand_set', 'brand_set', 'succeeded'],
    ['talent_set', 'talent_set', 'not_required'],
    ['category_set', 'category_set', 'not_required'],
    ['game_set', 'media_set', 'succeeded'],
    ['collection_set', 'media_set', 'succeeded'],
  ])('of the kind %s is a %s, publication %s', async (kind, setKind, publicationStatus) => {
    const set = catalogue.database.only(
      'SELECT id, owner_id FROM sets WHERE kind = ? AND owner_id IS NOT NULL LIMIT 1',
      kind,
    );
    const { body } = await catalogue.get(
      `/me/sets/${set.integer('id')}`,
      await catalogue.token(set.integer('owner_id')),
    );
    expect(body).toMatchObject({ data: { kind, setKind, publicationStatus } });
    if (kind !== 'brand_set') return;
    expect(dataOf({ body })).toMatchObject({
      target: null,
      networks: expect.any(Array),
      companies: expect.any(Array),
    });
  });
});

describe('an owned group', () => {
  it('lists its members in their order, and its poster', async () => {
    const id = Number(
      idOf(
        'groups',
        'owner_id = 1 AND EXISTS (SELECT 1 FROM assets a WHERE a.target_kind = groups.kind AND a.target_id = groups.id)',
      ),
    );
    const { status, body } = await catalogue.get(`/me/groups/${id}`, token);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: {
        id,
        kind: expect.stringMatching(/^(boxset|loadout)$/),
        title: expect.any(String),
        languageCode: 'en',
        poster: { slot: 'poster', target: { id }, path: expect.stringMatching(/^\/artwork\//) },
        updatedAt: expect.any(String),
        publicationStatus: 'succeeded',
      },
    });
    const members = catalogue.database
      .all('SELECT id FROM sets WHERE group_id = ? ORDER BY group_position', id)
      .map((row) => row.integer('id'));
    expect(dataOf({ body }).sets).toEqual(members.map((setId) => expect.objectContaining({ id: setId })));
  });
});

describe('upload destinations', () => {
  const find = async (query: string, asker = token) =>
    catalogue.get(`/me/upload-destinations?${query}`, asker);

  it.each([
    ['kind=media_set', 'media_set', undefined, ['movie_set', 'show_set', 'collection_set']],
    ['kind=media_set&family=media', 'media_set', undefined, ['movie_set', 'show_set', 'collection_set']],
    ['kind=media_set&family=game', 'media_set', 'game', ['game_set']],
    ['kind=talent_set', 'talent_set', undefined, ['talent_set']],
  ])('for %s are Sets of one’s own, in a limited number', async (query, kind, family, kinds) => {
    const owner = catalogue.database.only(
      `SELECT owner_id, count(*) AS many FROM sets WHERE owner_id IS NOT NULL
       AND kind IN (${kinds.map((one) => `'${one}'`).join()}) GROUP BY owner_id ORDER BY many DESC LIMIT 1`,
    );
    const account = owner.integer('owner_id');
    const { status, body } = await find(query, await catalogue.token(account));
    expect(status).toBe(200);
    const list = listOf(body);
    expect(list).toHaveLength(Math.min(20, owner.integer('many')));
    for (const destination of list) {
      expect(destination).toMatchObject({
        kind,
        title: expect.any(String),
        updatedAt: expect.any(String),
      });
      // What a record says of its family is what a client may ask for.
      const named = expect.objectContaining({ family: family ?? expect.anything() });
      expect(destination).toEqual(
        family === undefined ? expect.not.objectContaining({ family: expect.anything() }) : named,
      );
      const set = catalogue.database.only('SELECT kind, owner_id FROM sets WHERE id = ?', idIn(destination));
      expect(kinds).toContain(set.text('kind'));
      expect(set.integer('owner_id')).toBe(account);
    }
  });

  it.each([
    ['kind=boxset', 'boxset'],
    ['kind=boxset&family=game', 'loadout'],
  ])('for %s are groups of the kind %s', async (query, kind) => {
    const account = catalogue.database
      .only('SELECT owner_id FROM groups WHERE kind = ? AND owner_id IS NOT NULL LIMIT 1', kind)
      .integer('owner_id');
    const { body } = await find(query, await catalogue.token(account));
    const list = listOf(body);
    expect(list.length).toBeGreaterThan(0);
    for (const destination of list) {
      const group = catalogue.database.only(
        'SELECT kind, owner_id FROM groups WHERE id = ?',
        idIn(destination),
      );
      expect([group.text('kind'), group.integer('owner_id')]).toEqual([kind, account]);
    }
  });

  it('are searched by what they and their works are called, whatever the case', async () => {
    const set = catalogue.database.only(
      "SELECT id, title FROM sets WHERE owner_id = 1 AND kind IN ('movie_set', 'show_set') LIMIT 1",
    );
    const q = encodeURIComponent(set.text('title').toUpperCase());
    expect(listOf((await find(`kind=media_set&q=${q}`)).body)).toContainEqual(
      expect.objectContaining({ id: set.integer('id') }),
    );
    expect(listOf((await find('kind=media_set&q=no+such+title+anywhere')).body)).toEqual([]);
    expect(listOf((await find('kind=talent_set&family=game')).body)).toEqual([]);
  });

  it.each([
    ['no kind', '', ['kind']],
    ['an unknown kind', 'kind=show_set', ['kind']],
    ['an unknown family', 'kind=media_set&family=film', ['family']],
    ['an unknown parameter', 'kind=media_set&limit=5', ['limit']],
    ['a parameter given twice', 'kind=media_set&kind=media_set', ['kind']],
  ])('are refused for %s', async (_, query, path) => {
    const { status, body } = await find(query);
    expect(status).toBe(400);
    expect(body).toMatchObject(refusal('request.invalid'));
    expect(body).toMatchObject({ error: { issues: [{ path, code: expect.any(String) }] } });
  });
});

describe('relationships', () => {
  it('are one’s own follows and hides', async () => {
    const { status, body } = await catalogue.get('/me/relationships', token);
    expect(status).toBe(200);
    const list = listOf(body);
    expect(list.length).toBeGreaterThan(1);
    for (const one of list) {
      expect(one).toEqual({
        targetKind: 'user',
        targetId: expect.any(Number),
        target: { id: expect.any(Number), kind: 'user', name: expect.any(String) },
        relationship: expect.stringMatching(/^(follow|hide)$/),
        updatedAt: expect.any(String),
      });
    }
    const others = await catalogue.get('/me/relationships', await catalogue.token(2));
    expect(listOf(others.body)).not.toEqual(list);
  });
});

describe('what belongs to another account', () => {
  it.each([
    ['assets', 'assets', 'owner_id = 2'],
    ['assets', 'assets', 'owner_id IS NULL'],
    ['sets', 'sets', 'owner_id = 2'],
    ['sets', 'sets', 'owner_id IS NULL'],
    ['groups', 'groups', 'owner_id = 2'],
  ])('is 403 below /me/%s (%s, %s)', async (path, table, condition) => {
    const answer = await catalogue.get(`/me/${path}/${idOf(table, condition)}`, token);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject(refusal('resource.not_owned'));
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });

  it.each([
    '/me/assets/00000000-0000-4000-8000-000000000000',
    '/me/assets/no-uuid',
    '/me/sets/1',
    '/me/groups/1',
    '/me/groups/99999999999999999999',
    '/me/nothing',
    '/me',
  ])('%s is unknown', async (path) => {
    const answer = await catalogue.get(path, token);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject(refusal('not_found'));
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });

  it('is not found under another kind', async () => {
    const group = idOf('groups', 'owner_id = 1 AND id NOT IN (SELECT id FROM sets)');
    expect((await catalogue.get(`/me/sets/${group}`, token)).status).toBe(404);
  });

  it('an id that is no integer is a bad request', async () => {
    expect(await catalogue.get('/me/sets/one', token)).toMatchObject({
      status: 400,
      body: refusal('invalid_request'),
    });
  });
});

describe('the scopes of a protected read', () => {
  const all = ['assets:write', 'assets:replace', 'sets:write', 'groups:write', 'relationships:write'];
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    for (const scope of all) tokens.set(scope, await catalogue.token(1, scope));
    tokens.set('', await catalogue.token(1, 'openid profile offline_access'));
  });

  it.each<[string, () => string, string[]]>([
    [
      '/me/assets/{id}',
      () => `/me/assets/${idOf('assets', 'owner_id = 1')}`,
      ['assets:write', 'assets:replace'],
    ],
    ['/me/sets/{id}', () => `/me/sets/${idOf('sets', 'owner_id = 1')}`, ['sets:write']],
    ['/me/groups/{id}', () => `/me/groups/${idOf('groups', 'owner_id = 1')}`, ['groups:write']],
    ['destinations, talent_set', () => '/me/upload-destinations?kind=talent_set', ['sets:write']],
    ['destinations, media_set', () => '/me/upload-destinations?kind=media_set', ['sets:write']],
    ['destinations, boxset', () => '/me/upload-destinations?kind=boxset', ['groups:write']],
    ['/me/relationships', () => '/me/relationships', ['relationships:write']],
  ])('%s', async (_, path, enough) => {
    for (const [scope, held] of tokens) {
      const answer = await catalogue.get(path(), held);
      expect([scope, answer.status]).toEqual([scope, enough.includes(scope) ? 200 : 403]);
      if (answer.status === 403) expect(answer.body).toMatchObject(refusal('insufficient_scope'));
    }
  });

  it('does not tell a caller without them what exists', async () => {
    const held = tokens.get('relationships:write') ?? '';
    expect((await catalogue.get('/me/sets/1', held)).status).toBe(403);
  });
});

describe('a protected request', () => {
  const ask = (path: string, init: RequestInit = {}) => fetch(catalogue.baseUrl + path, init);
  const bearer = () => ({ authorization: `Bearer ${token}` });

  it.each(['/me/relationships', '/me/nothing', '/me'])('to %s needs a token', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(await answer.json()).toMatchObject(refusal('missing_token'));
  });

  it('must carry no cookie', async () => {
    const answer = await ask('/me/relationships', { headers: { ...bearer(), cookie: 'session=1' } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject(refusal('cookies_not_allowed'));
  });

  it('of another method is told which one the path takes', async () => {
    const answer = await ask('/me/upload-destinations', { method: 'POST', headers: bearer() });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET');
    expect(await answer.json()).toMatchObject(refusal('method_not_allowed'));
  });

  it('with HEAD is answered without a body', async () => {
    const answer = await ask('/me/relationships', { method: 'HEAD', headers: bearer() });
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(2);
    expect(await answer.text()).toBe('');
  });

  it('is answered only below the base path', async () => {
    const { origin } = catalogue.sandbox;
    expect((await fetch(`${origin}/me/relationships`, { headers: bearer() })).status).toBe(404);
    expect((await fetch(`${catalogue.baseUrl}/meanwhile`, { headers: bearer() })).status).toBe(404);
  });
});

function listOf(body: unknown): unknown[] {
  if (body instanceof Object && 'data' in body && Array.isArray(body.data)) return body.data;
  throw new Error('The answer has no list.');
}

function idIn(record: unknown): number {
  if (record instanceof Object && 'id' in record && typeof record.id === 'number') return record.id;
  throw new Error('The record has no id.');
}
