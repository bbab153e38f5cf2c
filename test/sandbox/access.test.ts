import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { everyScope, ids, type Owner, refused, startOwner } from './owner.ts';
import { picture } from './me-pictures.ts';

let owner: Owner;
beforeAll(async () => {
  owner = await startOwner();
});
afterAll(() => owner.stop());

const some = randomUUID();
const [write, replace] = ['assets:write', 'assets:replace'];

/** Each protected operation with what it needs: all of the scopes, or any one where that is said. */
const operations: [operation: string, needed: string[], any?: 'any'][] = [
  [`GET /me/assets/${some}`, [write, replace], 'any'],
  [`GET /me/sets/${ids.movieSet}`, ['sets:write']],
  [`GET /me/groups/${ids.boxset}`, ['groups:write']],
  ['GET /me/upload-destinations?kind=media_set', ['sets:write']],
  ['GET /me/upload-destinations?kind=talent_set', ['sets:write']],
  ['GET /me/upload-destinations?kind=boxset', ['groups:write']],
  [`GET /me/asset-uploads/${some}`, [write, replace], 'any'],
  ['GET /me/relationships', ['relationships:write']],
  ['POST /me/assets?operation=add', [write]],
  ['POST /me/assets?operation=replace', [replace]],
  [`POST /me/sets/${ids.movieSet}/assets?operation=add`, [write]],
  [`POST /me/sets/${ids.movieSet}/assets?operation=replace`, [replace]],
  [`POST /me/groups/${ids.boxset}/poster?operation=add`, ['groups:write', write]],
  [`POST /me/groups/${ids.boxset}/poster?operation=replace`, ['groups:write', replace]],
  [`POST /me/assets/${some}/metadata`, [write]],
  [`POST /me/assets/${some}/preview`, [replace]],
  ['POST /me/groups', ['groups:write']],
  [`POST /me/groups/${ids.boxset}`, ['groups:write']],
  ['POST /me/grouping-sets', ['sets:write']],
  [`POST /me/grouping-sets/${ids.movieSet}/assets`, ['sets:write']],
  ['POST /me/relationships', ['relationships:write']],
  ['POST /me/set-uploads', ['sets:write', write]],
  [`POST /me/set-uploads/${some}/assets?itemId=${some}`, ['sets:write', write]],
  [`GET /me/set-uploads/${some}`, ['sets:write', write]],
  [`POST /me/set-uploads/${some}/complete`, ['sets:write', write]],
  [`POST /me/sets/${ids.movieSet}/updates`, ['sets:write']],
  [`POST /me/set-updates/${some}/assets?itemId=${some}`, ['sets:write']],
  [`GET /me/set-updates/${some}`, ['sets:write']],
  [`POST /me/set-updates/${some}/complete`, ['sets:write']],
];

describe.each(operations)('%s', (operation, needed, any) => {
  const [method = '', path = ''] = operation.split(' ');
  const send = (scopes: readonly string[] | null) =>
    owner.ask(method, path, {
      token: scopes === null ? null : owner.token(1, scopes),
      ...(method === 'POST' ? { body: {} } : {}),
    });

  it('is done with its scopes, refused without one of them and without a token, and never stored', async () => {
    expect((await send(null)).status).toBe(401);
    const lacking = any === undefined ? needed : [null];
    for (const left of lacking) {
      const scopes = everyScope.filter((scope) => (left === null ? !needed.includes(scope) : scope !== left));
      expect(await send(scopes)).toMatchObject(refused(403, 'insufficient_scope'));
    }
    for (const scopes of any === undefined ? [needed] : needed.map((scope) => [scope])) {
      const answer = await send(scopes);
      expect([401, 403]).not.toContain(answer.status);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
    }
  });
});

test('only one living bearer token of this service is let in, and no cookie', async () => {
  const path = `/me/sets/${ids.movieSet}`;
  const good = owner.token();
  const sent: [number, Record<string, string>][] = [
    [200, { authorization: `Bearer ${good}` }],
    [200, { authorization: `bearer ${good}` }],
    [401, { authorization: 'Bearer unknown' }],
    [401, { authorization: `Bearer ${good}, Bearer ${good}` }],
    [401, { authorization: `Basic ${good}` }],
    [401, { authorization: `Bearer ${owner.token(1, everyScope, undefined, -1)}` }],
    [401, { authorization: `Bearer ${owner.token(1, everyScope, 'https://elsewhere.example/me')}` }],
    [400, { authorization: `Bearer ${good}`, cookie: 'session=1' }],
  ];
  for (const [status, headers] of sent) {
    expect((await owner.get(path, { token: null, headers })).status, headers.authorization).toBe(status);
  }
  const { headers } = await owner.get(path, { token: null });
  expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
});

test('what is another account’s is refused, and what is not there is not found', async () => {
  const bytes = await picture(200, 300);
  const foreign = await owner.asset({}, '/me/assets', { token: owner.token(2) });
  const group = { kind: 'boxset', title: 'Mine' };
  const edit = {
    clientMutationId: some,
    setId: ids.foreignSet,
    setKind: 'media_set',
    expectedUpdatedAt: 'r',
  };
  const poster = { slot: 'poster', targetKind: 'movie', targetId: ids.movie };
  const replacing = { operation: 'replace', previousAssetId: foreign.id };
  const revised = { expectedUpdatedAt: foreign.updatedAt };
  const answers = await Promise.all([
    owner.get(`/me/assets/${foreign.id}`),
    owner.get(`/me/sets/${ids.foreignSet}`),
    owner.get(`/me/groups/${ids.foreignBoxset}`),
    owner.upload('/me/assets', { ...poster, ...replacing }, bytes),
    owner.upload(`/me/sets/${ids.foreignSet}/assets`, { slot: 'poster' }, bytes),
    owner.upload(`/me/groups/${ids.foreignBoxset}/poster`, {}, bytes),
    owner.post(`/me/assets/${foreign.id}/metadata`, { ...revised, languageCode: 'fr' }),
    owner.post(`/me/assets/${foreign.id}/preview`, { ...revised, selectedSourceFrame: 0 }),
    owner.post('/me/groups', { ...group, setIds: [ids.foreignSet] }),
    owner.post(`/me/groups/${ids.foreignBoxset}`, { expectedUpdatedAt: 'r', title: 'Mine' }),
    owner.post(`/me/sets/${ids.foreignSet}/updates`, { ...edit, titleBase: 'Mine', items: [] }),
  ]);
  for (const answer of answers) expect(answer).toMatchObject(refused(403, 'resource.not_owned'));
  for (const path of ['/me/sets/99', '/me/groups/99', `/me/assets/${some}`, `/me/set-uploads/${some}`]) {
    expect(await owner.get(path)).toMatchObject(refused(404, 'not_found'));
  }
  expect(await owner.get('/me/nothing')).toMatchObject(refused(404, 'not_found'));
  expect((await owner.post('/me/sets/20', {})).status).toBe(405);
  expect((await owner.get('/me/sets/x')).status).toBe(400);
});

test('a body that is no JSON of its kind is refused, and says where it is wrong', async () => {
  const headers = { 'content-type': 'text/plain' };
  expect((await owner.post('/me/groups', {}, { headers })).status).toBe(415);
  const wrong = await owner.post('/me/groups', { title: 'T', kind: 'boxset', setIds: [1, 'two'] });
  expect(wrong).toMatchObject({ status: 400, body: { error: { issues: [{ path: ['setIds', '1'] }] } } });
});
