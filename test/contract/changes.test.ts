import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalogue, ids, picture, refused, startCatalogue } from './catalogue.ts';

let own: Catalogue;
beforeAll(async () => {
  own = await startCatalogue('small');
});
afterAll(() => own.stop());

const stale = refused(409, 'revision.stale');

test('the metadata of an Asset changes as far as it is named, once for each revision', async () => {
  const { id, updatedAt } = await own.asset({ languageCode: 'en' });
  const edit = (expectedUpdatedAt: string, body: object) =>
    own.post(`/me/assets/${id}/metadata`, { expectedUpdatedAt, ...body });
  const changed = (await edit(updatedAt, { editionId: ids.edition })).text('data.updatedAt');
  expect(changed > updatedAt).toBe(true);
  const asset = await own.owned(`/me/assets/${id}`);
  expect(asset).toMatchObject({ languageCode: 'en', editionId: ids.edition, updatedAt: changed });
  expect(await edit(updatedAt, { languageCode: 'fr' })).toMatchObject(stale);
  const cleared = (await edit(changed, { languageCode: null })).text('data.updatedAt');
  expect(await own.owned(`/me/assets/${id}`)).toMatchObject({ languageCode: null, editionId: ids.edition });
  expect((await edit(cleared, { slot: 'logo' })).status).toBe(400);
  expect(await edit(cleared, { editionId: 99 })).toMatchObject(refused(422, 'edition.unknown'));
  await own.asset({ operation: 'replace', previousAssetId: id });
  expect(await edit(cleared, { languageCode: 'fr' })).toMatchObject(refused(409, 'asset.replaced'));
});

test('a preview is a frame of an animated picture, at its revision', async () => {
  const movie = { targetKind: 'movie', targetId: ids.otherMovie, slot: 'poster' };
  const headers = { 'content-type': 'image/webp' };
  const made = await own.upload('/me/assets', movie, await picture(200, 300, 3), { headers });
  const moving = { id: made.text('data.assetId'), updatedAt: made.text('data.updatedAt') };
  const select = (selectedSourceFrame: number, { id, updatedAt } = moving) =>
    own.post(`/me/assets/${id}/preview`, { expectedUpdatedAt: updatedAt, selectedSourceFrame });
  expect(await select(3)).toMatchObject(refused(422, 'asset.preview.frame_range'));
  expect((await select(2)).status).toBe(200);
  expect(await own.owned(`/me/assets/${moving.id}`)).toMatchObject({ frames: 3, selectedSourceFrame: 2 });
  expect(await select(1)).toMatchObject(stale);
  expect(await select(0, await own.asset())).toMatchObject(refused(422, 'asset.preview.not_animated'));
});

test('a group is made once for each identity, and its membership is what was last said of it, in order', async () => {
  const identity = { clientMutationId: randomUUID(), kind: 'boxset', title: 'All of it', languageCode: 'en' };
  const body = { ...identity, setIds: [ids.showSet, ids.movieSet] };
  const made = await own.post('/me/groups', body);
  expect(made.status).toBe(201);
  expect(await own.post('/me/groups', body)).toMatchObject({ status: 200, body: made.body });
  const other = await own.post('/me/groups', { ...body, title: 'Other' });
  expect(other).toMatchObject(refused(409, 'client_mutation.reused'));
  const { id, updatedAt } = Object(made.body).data;
  const sets = [{ id: ids.showSet }, { id: ids.movieSet }];
  expect(await own.owned(`/me/groups/${id}`)).toMatchObject({ title: 'All of it', poster: null, sets });
  expect(await own.shown(`/boxsets/${id}`)).toMatchObject({ title: 'All of it', sets });
  expect((await own.owned(`/me/sets/${ids.showSet}`)).group).toMatchObject({ id });
  const edit = (expectedUpdatedAt: string, more: object) =>
    own.post(`/me/groups/${id}`, { expectedUpdatedAt, ...more });
  const named = (await edit(updatedAt, { description: 'New' })).text('data.updatedAt');
  expect(await own.owned(`/me/groups/${id}`)).toMatchObject({ title: 'All of it', description: 'New', sets });
  expect(await edit(updatedAt, { title: 'Too late' })).toMatchObject(stale);
  await edit(named, { setIds: [ids.collectionSet] });
  const group = await own.owned(`/me/groups/${id}`);
  expect(group.sets.map((set: { id: number }) => set.id)).toEqual([ids.collectionSet]);
  expect((await own.owned(`/me/sets/${ids.showSet}`)).group).toBeNull();
  for (const [code, kind, setIds] of [
    ['group.set_kind', 'boxset', [ids.gameSet]],
    ['group.set_kind', 'loadout', [ids.movieSet]],
    ['group.set_taken', 'boxset', [ids.movieSet, ids.movieSet]],
    ['group.set_taken', 'boxset', [ids.collectionSet]],
  ] as const) {
    const status = code === 'group.set_kind' ? 422 : 409;
    expect(await own.post('/me/groups', { kind, title: 'G', setIds })).toMatchObject(refused(status, code));
  }
});

const grouping = (body: object) => own.post('/me/grouping-sets', { titleBase: 'Group', ...body });
const brand = { setKind: 'brand_set', networkIds: [ids.network], companyIds: [ids.company] };

test('a grouping Set is of a person, of a category, or of networks and companies', async () => {
  for (const [setKind, entryTargetKind, entryTargetId] of [
    ['talent_set', 'person', ids.person],
    ['category_set', 'category', ids.category],
  ] as const) {
    const made = await grouping({ setKind, entryTargetKind, entryTargetId });
    expect(made).toMatchObject({ status: 201, body: { data: { publicationStatus: 'not_required' } } });
    const set = await own.owned(`/me/sets/${Object(made.body).data.id}`);
    expect(set).toMatchObject({ setKind, title: 'Group', target: { kind: entryTargetKind } });
  }
  const { id } = Object((await grouping(brand)).body).data;
  const members = { networks: [{ id: ids.network }], companies: [{ id: ids.company }] };
  expect(await own.owned(`/me/sets/${id}`)).toMatchObject({ target: null, ...members });
  expect(await own.shown(`/brand-set/${id}`)).toMatchObject(members);
  expect((await own.shown('/feeds/sets'))[0]).toMatchObject({ setId: id, changeType: 'added' });
});

test('a grouping Set is assigned standalone artwork of its own, all of it or none', async () => {
  const { id } = Object((await grouping(brand)).body).data;
  const place = { slot: 'poster', targetKind: 'company', targetId: ids.company };
  const item = (asset: { id: string; updatedAt: string }, changes: object = {}) => ({
    ...{ itemId: randomUUID(), position: 0, ...place },
    ...{ existingAssetId: asset.id, expectedAssetUpdatedAt: asset.updatedAt, ...changes },
  });
  const expectedUpdatedAt = await own.revision(`/me/sets/${id}`);
  const assign = (...items: object[]) =>
    own.post(`/me/grouping-sets/${id}/assets`, { expectedUpdatedAt, items });
  const good = await own.asset(place);
  const movie = await own.asset();
  for (const [code, bad] of [
    ['revision.stale', item(await own.asset(place), { expectedAssetUpdatedAt: 'old' })],
    ['slot.occupied', item(await own.asset(place))],
  ] as const) {
    expect(await assign(item(good), bad)).toMatchObject(refused(409, code));
  }
  expect((await own.owned(`/me/sets/${id}`)).assets).toEqual([]);
  expect((await assign(item(good))).status).toBe(200);
  expect((await own.owned(`/me/sets/${id}`)).assets).toMatchObject([{ id: good.id }]);
  expect(await assign(item(movie))).toMatchObject(stale);
});

test('a relationship is what was last said of it', async () => {
  const say = (relationship: string | null, targetId: number | string = 3) =>
    own.post('/me/relationships', { targetKind: 'user', targetId, relationship });
  const all = async () =>
    (await own.owned('/me/relationships')).map((one: { targetId: number; relationship: string }) => [
      ...[one.targetId, one.relationship],
    ]);
  await say('follow');
  expect(await all()).toEqual([[3, 'follow']]);
  await say('hide', 'artist 3');
  await say('follow', 2);
  expect((await all()).sort()).toEqual([
    [2, 'follow'],
    [3, 'hide'],
  ]);
  await say(null);
  expect(await all()).toEqual([[2, 'follow']]);
  expect(await say('follow', 1)).toMatchObject(refused(422, 'relationship.self'));
  expect(await say('follow', 'Nobody')).toMatchObject(refused(404, 'not_found'));
});

test('upload destinations are one’s own of a kind and a family, by title or by work, in a limited number', async () => {
  const found = async (query: string) =>
    (await own.owned(`/me/upload-destinations?${query}`)).map(({ id }: { id: number }) => id).sort();
  expect(await found('kind=media_set')).toEqual([ids.movieSet, ids.showSet, ids.collectionSet]);
  expect(await found('kind=media_set&family=game')).toEqual([ids.gameSet]);
  expect(await found('kind=boxset&family=game')).toEqual([ids.loadout]);
  expect(await found('kind=media_set&q=the%20SHOW%204')).toEqual([ids.showSet]);
  expect(await found('kind=media_set&q=set%2020')).toEqual([ids.movieSet]);
  expect((await own.get('/me/upload-destinations?kind=brand_set')).status).toBe(400);
  for (let n = 0; n < 25; n++) await own.post('/me/groups', { kind: 'boxset', title: `Box ${n}` });
  expect(await found('kind=boxset')).toHaveLength(20);
});
