import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ids, type Owner, ownOwner, refused, startOwner } from './owner.ts';
import { animation } from './me-pictures.ts';

let owner: Owner;
beforeAll(async () => {
  owner = await startOwner();
});
afterAll(() => owner.stop());

const movie = { targetKind: 'movie', targetId: ids.otherMovie, slot: 'poster' };

describe('the metadata of an Asset', () => {
  it('changes as far as it is named, once for each revision, and shows in the feed', async () => {
    const { id, updatedAt } = await owner.asset({ languageCode: 'en' });
    const path = `/me/assets/${id}`;
    const edit = { expectedUpdatedAt: updatedAt, editionId: ids.edition };
    const answer = await owner.post(`${path}/metadata`, edit);
    const changed = answer.text('data.updatedAt');
    expect(changed > updatedAt).toBe(true);
    expect((await owner.get(path)).body).toMatchObject({
      data: { languageCode: 'en', editionId: ids.edition, updatedAt: changed },
    });
    expect(await owner.post(`${path}/metadata`, edit)).toMatchObject(refused(409, 'revision.stale'));
    await owner.post(`${path}/metadata`, { expectedUpdatedAt: changed, languageCode: null });
    expect((await owner.get(path)).body).toMatchObject({
      data: { languageCode: null, editionId: ids.edition },
    });
    const feed = Object(await owner.shown('/feeds/assets'));
    expect(feed[0]).toMatchObject({ assetId: id, changeType: 'updated', previousAssetId: null });
  });

  it('is refused for what it can’t be', async () => {
    const { id, updatedAt } = await owner.asset();
    const edit = (body: object) =>
      owner.post(`/me/assets/${id}/metadata`, { expectedUpdatedAt: updatedAt, ...body });
    expect((await edit({ slot: 'logo' })).status).toBe(400);
    expect(await edit({ editionId: 99 })).toMatchObject(refused(422, 'edition.unknown'));
    const next = await owner.asset({ operation: 'replace', previousAssetId: id });
    expect(await edit({ languageCode: 'fr' })).toMatchObject(refused(409, 'asset.replaced'));
    expect(next.id).not.toBe(id);
  });
});

test('a preview is a frame of an animated picture, at its revision', async () => {
  const file = await animation(200, 300, 3, 'webp');
  const headers = { 'content-type': 'image/webp' };
  const made = await owner.upload('/me/assets', movie, file, { headers });
  const [id, expectedUpdatedAt] = [made.text('data.assetId'), made.text('data.updatedAt')];
  const select = (selectedSourceFrame: number, asset = { id, updatedAt: expectedUpdatedAt }) =>
    owner.post(`/me/assets/${asset.id}/preview`, { expectedUpdatedAt: asset.updatedAt, selectedSourceFrame });
  expect(await select(3)).toMatchObject(refused(422, 'asset.preview.frame_range'));
  expect((await select(2)).status).toBe(200);
  expect((await owner.get(`/me/assets/${id}`)).body).toMatchObject({ data: { selectedSourceFrame: 2 } });
  expect(await select(1)).toMatchObject(refused(409, 'revision.stale'));
  expect(await select(0, await owner.asset())).toMatchObject(refused(422, 'asset.preview.not_animated'));
});

describe('a group', () => {
  it('is made once for each identity, with its Sets in their order, and is shown after the lag', async () => {
    const slow = await ownOwner({ publicationLagMs: 60_000 });
    const body = {
      ...{ clientMutationId: randomUUID(), kind: 'boxset', title: 'All of it', languageCode: 'en' },
      setIds: [ids.showSet, ids.movieSet],
    };
    const made = await slow.post('/me/groups', body);
    expect(made).toMatchObject({ status: 201, body: { data: { publicationStatus: 'pending' } } });
    expect(await slow.post('/me/groups', body)).toMatchObject({ status: 200, body: made.body });
    expect(await slow.post('/me/groups', { ...body, title: 'Other' })).toMatchObject(
      refused(409, 'client_mutation.reused'),
    );
    const { id } = Object(made.body).data;
    expect((await slow.get(`/me/groups/${id}`)).body).toMatchObject({
      data: {
        ...{ id, kind: 'boxset', title: 'All of it', description: null, languageCode: 'en', poster: null },
        sets: [{ id: ids.showSet }, { id: ids.movieSet }],
      },
    });
    expect(await slow.shown(`/boxsets/${id}`)).toBe(404);
    slow.pass(60_000);
    expect(await slow.shown(`/boxsets/${id}`)).toMatchObject({
      sets: [{ id: ids.showSet }, { id: ids.movieSet }],
    });
    expect((await slow.get(`/me/sets/${ids.showSet}`)).body).toMatchObject({ data: { group: { id } } });
  });

  it('is edited as far as it is named, at its revision', async () => {
    const path = `/me/groups/${ids.loadout}`;
    const before = await owner.revision(path);
    const edit = (body: object, expectedUpdatedAt = before) =>
      owner.post(path, { expectedUpdatedAt, ...body });
    const answer = await edit({ description: 'All games' });
    expect((await owner.get(path)).body).toMatchObject({
      data: { title: 'The loadout 31', description: 'All games', sets: [{ id: ids.gameSet }] },
    });
    expect(await edit({ title: 'Too late' })).toMatchObject(refused(409, 'revision.stale'));
    await edit({ setIds: [] }, answer.text('data.updatedAt'));
    expect((await owner.get(path)).body).toMatchObject({ data: { sets: [], description: 'All games' } });
    expect((await owner.get(`/me/sets/${ids.gameSet}`)).body).toMatchObject({ data: { group: null } });
  });

  it('takes no Set of another kind, twice, or that is in another group', async () => {
    const make = (kind: string, setIds: number[]) => owner.post('/me/groups', { kind, title: 'G', setIds });
    expect(await make('boxset', [ids.gameSet])).toMatchObject(refused(422, 'group.set_kind'));
    expect(await make('loadout', [ids.movieSet])).toMatchObject(refused(422, 'group.set_kind'));
    expect(await make('boxset', [ids.movieSet, ids.movieSet])).toMatchObject(refused(409, 'group.set_taken'));
    expect((await make('boxset', [ids.collectionSet])).status).toBe(201);
    expect(await make('boxset', [ids.collectionSet])).toMatchObject(refused(409, 'group.set_taken'));
  });
});

describe('a grouping Set', () => {
  const make = (body: object) => owner.post('/me/grouping-sets', { titleBase: 'Group', ...body });
  const talent = { setKind: 'talent_set', entryTargetKind: 'person', entryTargetId: ids.person };
  const brand = { setKind: 'brand_set', networkIds: [ids.network], companyIds: [ids.company] };

  it('is of a person, of a category, or of networks and companies', async () => {
    const category = { setKind: 'category_set', entryTargetKind: 'category', entryTargetId: ids.category };
    for (const body of [talent, category]) {
      const made = await make(body);
      expect(made).toMatchObject({ status: 201, body: { data: { publicationStatus: 'not_required' } } });
      expect((await owner.get(`/me/sets/${Object(made.body).data.id}`)).body).toMatchObject({
        data: { setKind: body.setKind, title: 'Group', target: { kind: body.entryTargetKind } },
      });
    }
    const { id } = Object((await make(brand)).body).data;
    const members = { networks: [{ id: ids.network }], companies: [{ id: ids.company }] };
    expect((await owner.get(`/me/sets/${id}`)).body).toMatchObject({ data: { target: null, ...members } });
    expect(await owner.shown(`/brand-set/${id}`)).toMatchObject(members);
    expect(Object(await owner.shown('/feeds/sets'))[0]).toMatchObject({ setId: id, changeType: 'added' });
  });

  it('is assigned standalone artwork of its own, all of it or none', async () => {
    const { id } = Object((await make(brand)).body).data;
    const path = `/me/grouping-sets/${id}/assets`;
    const place = { slot: 'poster', targetKind: 'company', targetId: ids.company };
    const expectedUpdatedAt = await owner.revision(`/me/sets/${id}`);
    const item = (asset: { id: string; updatedAt: string }, changes: object = {}) => ({
      ...{ itemId: randomUUID(), position: 0, ...place },
      ...{ existingAssetId: asset.id, expectedAssetUpdatedAt: asset.updatedAt, ...changes },
    });
    const assign = (...items: object[]) => owner.post(path, { expectedUpdatedAt, items });
    const good = await owner.asset(place);
    const inSet = await owner.asset(
      { slot: 'poster', targetKind: 'show', targetId: ids.show },
      `/me/sets/${ids.showSet}/assets`,
    );
    const film = await owner.asset();
    const wrong = [
      [409, 'revision.stale', item(await owner.asset(place), { expectedAssetUpdatedAt: 'old' })],
      [409, 'asset.not_standalone', item(inSet)],
      [422, 'asset.other_place', item(film)],
      [422, 'target.outside_set', item(film, { targetKind: 'movie', targetId: ids.movie })],
      [409, 'slot.occupied', item(await owner.asset(place))],
    ] as const;
    for (const [status, code, bad] of wrong) {
      expect(await assign(item(good), bad)).toMatchObject(refused(status, code));
    }
    expect((await owner.get(`/me/sets/${id}`)).body).toMatchObject({ data: { assets: [] } });
    expect(await assign(item(good))).toMatchObject({
      status: 200,
      body: { data: { items: [{ assetId: good.id }] } },
    });
    expect((await owner.get(`/me/sets/${id}`)).body).toMatchObject({ data: { assets: [{ id: good.id }] } });
    expect(await assign(item(film))).toMatchObject(refused(409, 'revision.stale'));
    expect(
      await owner.post(`/me/grouping-sets/${ids.movieSet}/assets`, {
        expectedUpdatedAt: await owner.revision(`/me/sets/${ids.movieSet}`),
        items: [item(film)],
      }),
    ).toMatchObject(refused(422, 'set.kind'));
  });
});

test('a relationship is what was last said of it', async () => {
  const say = (relationship: string | null, targetId: number | string = 3) =>
    owner.post('/me/relationships', { targetKind: 'user', targetId, relationship });
  const all = async () => Object((await owner.get('/me/relationships')).body).data;
  expect(await all()).toEqual([]);
  await say('follow');
  expect(await all()).toMatchObject([
    { targetKind: 'user', targetId: 3, target: { id: 3, name: 'Artist 3' }, relationship: 'follow' },
  ]);
  await say('hide', 'artist 3');
  await say('follow', 2);
  expect(await all()).toMatchObject([
    { targetId: 2, relationship: 'follow' },
    { targetId: 3, relationship: 'hide' },
  ]);
  const before = owner.effects().length;
  await say('hide');
  expect(owner.effects()).toHaveLength(before);
  expect(await say(null)).toMatchObject({ status: 200, body: { data: { updatedAt: null } } });
  expect(await all()).toMatchObject([{ targetId: 2 }]);
  expect(await say('follow', 1)).toMatchObject(refused(422, 'relationship.self'));
  expect(await say('follow', 'Nobody')).toMatchObject(refused(404, 'not_found'));
});

test('upload destinations are one’s own of a kind and a family, by title or by work', async () => {
  const fresh = await ownOwner();
  const found = async (query: string) =>
    Object((await fresh.get(`/me/upload-destinations?${query}`)).body).data.map(
      ({ id }: { id: number }) => id,
    );
  expect((await found('kind=media_set')).sort()).toEqual([ids.movieSet, ids.showSet, ids.collectionSet]);
  expect(await found('kind=media_set&family=game')).toEqual([ids.gameSet]);
  expect(await found('kind=boxset')).toEqual([ids.boxset]);
  expect(await found('kind=boxset&family=game')).toEqual([ids.loadout]);
  expect(await found('kind=talent_set')).toEqual([]);
  expect(await found('kind=media_set&q=the%20SHOW%204')).toEqual([ids.showSet]);
  expect(await found('kind=media_set&q=set%2020')).toEqual([ids.movieSet]);
  expect((await fresh.get('/me/upload-destinations?kind=brand_set')).status).toBe(400);
  for (let count = 0; count < 25; count++)
    await fresh.post('/me/groups', { kind: 'boxset', title: `Box ${count}` });
  expect(await found('kind=boxset')).toHaveLength(20);
});
