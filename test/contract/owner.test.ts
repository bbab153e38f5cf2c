import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalogue, everyScope, ids, picture, refused, startCatalogue } from './catalogue.ts';

const lag = 60_000;
let own: Catalogue;
beforeAll(async () => {
  own = await startCatalogue('small', { publicationLagMs: lag });
});
afterAll(() => own.stop());

const some = randomUUID();
const [write, replace] = ['assets:write', 'assets:replace'];
const poster = { slot: 'poster', targetKind: 'movie', targetId: ids.otherMovie };

/** Each protected operation with what it needs: all of the scopes, or any one where that is said. */
test.each<[operation: string, needed: string[], any?: 'any']>([
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
])('%s is done with its scopes alone, and never stored', async (operation, needed, any) => {
  const [method = '', path = ''] = operation.split(' ');
  const send = (scopes: readonly string[] | null) =>
    own.ask(method, path, method === 'POST' ? {} : undefined, { token: scopes && own.token(1, scopes) });
  expect((await send(null)).status).toBe(401);
  const lacking = any === undefined ? needed.map((scope) => [scope]) : [needed];
  for (const left of lacking) {
    const scopes = everyScope.filter((scope) => !left.includes(scope));
    expect(await send(scopes)).toMatchObject(refused(403, 'insufficient_scope'));
  }
  for (const scopes of any === undefined ? [needed] : (lacking[0]?.map((scope) => [scope]) ?? [])) {
    const answer = await send(scopes);
    expect([401, 403]).not.toContain(answer.status);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  }
});

test('only one living bearer token of this service is let in, and no cookie', async () => {
  const good = own.token();
  for (const [status, headers] of [
    [200, { authorization: `bearer ${good}` }],
    [401, { authorization: 'Bearer unknown' }],
    [401, { authorization: `Bearer ${good}, Bearer ${good}` }],
    [401, { authorization: `Basic ${good}` }],
    [401, { authorization: `Bearer ${own.token(1, everyScope, undefined, -1)}` }],
    [401, { authorization: `Bearer ${own.token(1, everyScope, 'https://elsewhere.example/me')}` }],
    [400, { authorization: `Bearer ${good}`, cookie: 'session=1' }],
  ] as const) {
    const answer = await own.get('/me/relationships', { token: null, headers });
    expect(answer.status, headers.authorization).toBe(status);
    expect(answer.headers.get('www-authenticate') !== null).toBe(status === 401);
  }
});

test('what is another account’s is refused, and what is not there is not found', async () => {
  const { id, updatedAt } = await own.asset({}, '/me/assets', { token: own.token(2) });
  const stranger = { expectedUpdatedAt: updatedAt };
  const edit = {
    clientMutationId: some,
    setId: ids.foreignSet,
    setKind: 'media_set',
    expectedUpdatedAt: 'r',
  };
  const answers = [
    own.get(`/me/assets/${id}`),
    own.get(`/me/sets/${ids.foreignSet}`),
    own.get(`/me/groups/${ids.foreignBoxset}`),
    own.upload('/me/assets', { ...poster, operation: 'replace', previousAssetId: id }, await picture()),
    own.upload(`/me/sets/${ids.foreignSet}/assets`, { slot: 'poster' }, await picture()),
    own.upload(`/me/groups/${ids.foreignBoxset}/poster`, {}, await picture()),
    own.post(`/me/assets/${id}/metadata`, { ...stranger, languageCode: 'fr' }),
    own.post(`/me/assets/${id}/preview`, { ...stranger, selectedSourceFrame: 0 }),
    own.post('/me/groups', { kind: 'boxset', title: 'Mine', setIds: [ids.foreignSet] }),
    own.post(`/me/groups/${ids.foreignBoxset}`, { expectedUpdatedAt: 'r', title: 'Mine' }),
    own.post(`/me/sets/${ids.foreignSet}/updates`, { ...edit, titleBase: 'Mine', items: [] }),
  ];
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatchObject(refused(403, 'resource.not_owned'));
  }
  for (const path of ['sets/99', 'groups/99', `assets/${some}`, `set-uploads/${some}`, 'nothing']) {
    expect(await own.get(`/me/${path}`), path).toMatchObject(refused(404, 'not_found'));
  }
  expect((await own.get('/me/sets/x')).status).toBe(400);
  const wrong = await own.post('/me/groups', { title: 'T', kind: 'boxset', setIds: [1, 'two'] });
  expect(wrong).toMatchObject({ status: 400, body: { error: { issues: [{ path: ['setIds', '1'] }] } } });
});

describe('an upload', () => {
  test('is read by its owner and, after the lag, by everybody, with the very bytes', async () => {
    const bytes = await picture();
    const clientMutationId = randomUUID();
    const answer = await own.upload('/me/assets', { ...poster, languageCode: 'de', clientMutationId }, bytes);
    const id = answer.text('data.assetId');
    const status = { clientMutationId, assetId: id, processingStatus: 'succeeded' };
    const pending = { ...status, publicationStatus: 'pending' };
    expect(answer).toMatchObject({ status: 201, body: { data: pending } });
    const asset = await own.owned(`/me/assets/${id}`);
    expect(asset).toMatchObject({ id, languageCode: 'de', updatedAt: answer.text('data.updatedAt') });
    const upload = `/me/asset-uploads/${clientMutationId.toUpperCase()}`;
    expect(await own.owned(upload)).toEqual({ ...pending, retryable: false });
    const isShown = async () => {
      const { posters } = (await own.shown(`/movies/${ids.otherMovie}`)).assets;
      const [newest] = await own.shown('/feeds/assets');
      return [posters.some((one: { id: string }) => one.id === id), newest?.assetId === id];
    };
    expect(await isShown()).toEqual([false, false]);
    expect((await fetch(new URL(asset.path, own.baseUrl))).status).toBe(404);
    own.pass(lag);
    expect(await isShown()).toEqual([true, true]);
    expect((await own.owned(upload)).publicationStatus).toBe('succeeded');
    const file = await fetch(new URL(asset.path, own.baseUrl));
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('replaces what is there but once, in its place, and the old one is public until the new one is', async () => {
    const first = await own.asset({ ...poster, languageCode: 'fr' });
    own.pass(lag);
    const replacing = { ...poster, operation: 'replace', previousAssetId: first.id };
    const second = await own.asset(replacing);
    expect(await own.owned(`/me/assets/${first.id}`)).toMatchObject({ replacedByAssetId: second.id });
    expect(await own.owned(`/me/assets/${second.id}`)).toMatchObject({ languageCode: 'fr' });
    const listed = async () => {
      const { posters } = (await own.shown(`/movies/${ids.otherMovie}`)).assets;
      return [first, second].map(({ id }) => posters.some((one: { id: string }) => one.id === id));
    };
    expect(await listed()).toEqual([true, false]);
    own.pass(lag);
    expect(await listed()).toEqual([false, true]);
    const third = await own.asset({ ...replacing, previousAssetId: second.id });
    own.pass(lag);
    const again = await own.upload('/me/assets', replacing, await picture());
    expect(again).toMatchObject(refused(409, 'asset.replaced'));
    const elsewhere = { ...replacing, previousAssetId: third.id, targetId: ids.movie };
    const moved = await own.upload('/me/assets', elsewhere, await picture());
    expect(moved).toMatchObject(refused(422, 'asset.other_place'));
    const [newest] = await own.shown('/feeds/assets');
    expect(newest).toMatchObject({ assetId: third.id, changeType: 'updated', previousAssetId: second.id });
    expect(newest.replacements).toMatchObject([
      { previousAssetId: first.id, newAssetId: second.id },
      { previousAssetId: second.id, newAssetId: third.id },
    ]);
  });

  test('to a Set or a group fills a free place of it or its parts, and gives it a new revision', async () => {
    for (const [path, to] of [
      [`/me/sets/${ids.movieSet}`, 'assets'],
      [`/me/groups/${ids.boxset}`, 'poster'],
    ] as const) {
      const before = await own.revision(path);
      const send = async (query = {}) => own.upload(`${path}/${to}`, query, await picture());
      const previousAssetId = (await send()).text('data.assetId');
      expect((await own.revision(path)) > before).toBe(true);
      expect(await send()).toMatchObject(refused(409, 'slot.occupied'));
      const next = (await send({ operation: 'replace', previousAssetId })).text('data.assetId');
      const { assets, poster } = await own.owned(path);
      expect(assets ?? [poster]).toMatchObject([{ id: next }]);
    }
    const part = async (setId: number, slot: string, targetKind: string, targetId: number) => {
      const bytes = slot === 'titlecard' ? await picture(400, 225) : await picture();
      return (await own.upload(`/me/sets/${setId}/assets`, { slot, targetKind, targetId }, bytes)).status;
    };
    expect(await part(ids.showSet, 'titlecard', 'episode', ids.episode)).toBe(201);
    expect(await part(ids.collectionSet, 'poster', 'movie', ids.movie)).toBe(201);
    expect(await part(ids.collectionSet, 'poster', 'season', ids.season)).toBe(422);
    expect(await part(ids.showSet, 'poster', 'episode', ids.otherEpisode)).toBe(422);
    expect(await part(ids.showSet, 'titlecard', 'chapter', ids.episode)).toBe(422);
  });

  test('is applied once for each identity, however fast it comes, and stands for one request only', async () => {
    const clientMutationId = randomUUID();
    const bytes = await picture();
    const send = (query = {}, file = bytes, sent = {}) =>
      own.upload('/me/assets', { ...poster, ...query, clientMutationId }, file, sent);
    const [first, ...others] = await Promise.all([send(), send(), send()]);
    for (const { body } of [...others, await send()]) expect(body).toEqual(first?.body);
    expect(await own.effects(clientMutationId)).toEqual(['asset.add']);
    for (const other of [send({ languageCode: 'fr' }), send({}, await picture())]) {
      expect(await other).toMatchObject(refused(409, 'client_mutation.reused'));
    }
    const stranger = own.token(3);
    expect((await own.get(`/me/asset-uploads/${clientMutationId}`, { token: stranger })).status).toBe(404);
    expect((await send({}, bytes, { token: own.token(2) })).status).toBe(201);
  });

  test.each<[number, string, () => Promise<Buffer>, Record<string, string | null>?]>([
    [413, 'asset.file.maxSize', async () => Buffer.alloc(20_971_521)],
    [400, 'asset.file.empty', async () => Buffer.alloc(0)],
    [415, 'asset.file.type', picture, { 'content-type': 'image/tiff' }],
    [422, 'asset.file.content_mismatch', picture, { 'content-type': 'image/jpeg' }],
    [422, 'asset.file.undecodable', async () => (await picture()).subarray(0, -40)],
    [422, 'asset.file.dimensions', () => picture(180, 270)],
    [422, 'asset.file.ratio', () => picture(300, 300)],
    [422, 'asset.file.digest_mismatch', picture, { 'x-upload-sha256': '0'.repeat(64) }],
    [400, 'invalid_request', picture, { 'x-upload-sha256': 'A'.repeat(64) }],
    [400, 'invalid_request', picture, { 'x-upload-sha256': null }],
    [400, 'invalid_request', picture, { 'x-upload-filename': '../picture.png' }],
  ])('is refused with %i %s, which its status tells', async (status, code, made, headers = {}) => {
    const clientMutationId = randomUUID();
    const answer = await own.upload('/me/assets', { ...poster, clientMutationId }, await made(), { headers });
    expect(answer).toMatchObject(refused(status, code));
    if (status === 413) expect(answer.body).toMatchObject({ error: { details: { maxBytes: 20_971_520 } } });
    expect(await own.effects(clientMutationId)).toEqual([]);
    // Only a file that was looked into has failed for good.
    const told = await own.get(`/me/asset-uploads/${clientMutationId}`);
    if (told.status === 200) {
      const failed = { processingStatus: 'failed', publicationStatus: 'not_required', error: { code } };
      expect(told.body).toMatchObject({ data: failed });
    } else expect(told.status).toBe(404);
  });

  test('is refused for a query that lacks or contradicts something', async () => {
    const contradiction = [{ previousAssetId: randomUUID() }, { operation: 'replace' }, { colour: 'red' }];
    for (const wrong of [{ operation: 'move' }, { targetId: 'x' }, ...contradiction]) {
      expect((await own.upload('/me/assets', { ...poster, ...wrong }, await picture())).status).toBe(400);
    }
  });
});
