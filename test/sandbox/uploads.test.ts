import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ids, type Owner, ownOwner, refused, startOwner } from './owner.ts';
import { picture } from './me-pictures.ts';

let owner: Owner;
beforeAll(async () => {
  owner = await startOwner();
});
afterAll(() => owner.stop());

const poster = { slot: 'poster', targetKind: 'movie', targetId: ids.otherMovie };

describe('an upload', () => {
  it('adds an Asset that its owner and, after the lag, everybody reads, with the very bytes', async () => {
    const slow = await ownOwner({ publicationLagMs: 60_000 });
    const bytes = await picture(200, 300);
    const clientMutationId = randomUUID();
    const query = { ...poster, languageCode: 'de', clientMutationId };
    const answer = await slow.upload('/me/assets', query, bytes);
    const receipt = { clientMutationId, processingStatus: 'succeeded', publicationStatus: 'pending' };
    expect(answer).toMatchObject({ status: 201, body: { data: receipt } });
    const id = answer.text('data.assetId');
    const own = await slow.get(`/me/assets/${id}`);
    expect(own.body).toMatchObject({
      data: {
        ...{ id, slot: 'poster', target: { id: ids.otherMovie, kind: 'movie' }, languageCode: 'de' },
        ...{ editionId: null, setId: null, contentType: 'image/png', width: 200, height: 300, frames: 1 },
        ...{ updatedAt: answer.text('data.updatedAt'), publicationStatus: 'pending', previousAssetId: null },
      },
    });
    const status = { clientMutationId, assetId: id, processingStatus: 'succeeded', retryable: false };
    const upload = `/me/asset-uploads/${clientMutationId.toUpperCase()}`;
    expect((await slow.get(upload)).body).toEqual({ data: { ...status, publicationStatus: 'pending' } });
    const movie = `/movies/${ids.otherMovie}`;
    expect(await slow.shown(movie)).toMatchObject({ assets: { posters: [] } });
    slow.pass(60_000);
    expect((await slow.get(upload)).body).toEqual({ data: { ...status, publicationStatus: 'succeeded' } });
    expect(await slow.shown(movie)).toMatchObject({ assets: { posters: [{ id }] } });
    const file = await fetch(new URL(own.text('data.path'), slow.baseUrl));
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await slow.shown('/feeds/assets')).toMatchObject([{ assetId: id, changeType: 'added' }]);
  });

  it('replaces what is there, which keeps its place, and can be replaced but once', async () => {
    const first = await owner.asset({ ...poster, languageCode: 'fr' });
    const replacing = { ...poster, operation: 'replace', previousAssetId: first.id };
    const second = await owner.asset(replacing);
    const third = await owner.asset({ ...replacing, previousAssetId: second.id });
    const replaced = await owner.get(`/me/assets/${first.id}`);
    expect(replaced.body).toMatchObject({ data: { replacedByAssetId: second.id } });
    const own = await owner.get(`/me/assets/${third.id}`);
    expect(own.body).toMatchObject({ data: { previousAssetId: second.id, languageCode: 'fr' } });
    const again = await owner.upload('/me/assets', replacing, await picture(200, 300));
    expect(again).toMatchObject(refused(409, 'asset.replaced'));
    const other = { ...replacing, previousAssetId: third.id, targetId: ids.movie };
    const elsewhere = await owner.upload('/me/assets', other, await picture(200, 300));
    expect(elsewhere).toMatchObject(refused(422, 'asset.other_place'));
    const [newest] = Object(await owner.shown('/feeds/assets'));
    expect(newest).toMatchObject({ assetId: third.id, changeType: 'updated', previousAssetId: second.id });
    expect(newest.replacements).toMatchObject([
      { previousAssetId: first.id, newAssetId: second.id },
      { previousAssetId: second.id, newAssetId: third.id },
    ]);
  });

  it('to a Set has the Set’s target, one Asset for a slot, and gives the Set a new revision', async () => {
    const path = `/me/sets/${ids.movieSet}`;
    const before = await owner.revision(path);
    const send = async (query = {}) => owner.upload(`${path}/assets`, query, await picture(200, 300));
    const answer = await send();
    const set = await owner.get(path);
    expect(set.body).toMatchObject({ data: { assets: [{ id: answer.text('data.assetId') }] } });
    expect(set.text('data.updatedAt') > before).toBe(true);
    expect(await send()).toMatchObject(refused(409, 'slot.occupied'));
    expect(await send(poster)).toMatchObject(refused(422, 'target.outside_set'));
    const [newest] = Object(await owner.shown('/feeds/sets'));
    expect(newest).toMatchObject({ setId: ids.movieSet, changeType: 'updated' });
  });

  it('to a Set of a show or a collection may be for their parts', async () => {
    const part = async (setId: number, slot: string, targetKind: string, targetId: number) => {
      const bytes = slot === 'titlecard' ? await picture(400, 225) : await picture(200, 300);
      return (await owner.upload(`/me/sets/${setId}/assets`, { slot, targetKind, targetId }, bytes)).status;
    };
    expect(await part(ids.showSet, 'titlecard', 'episode', ids.episode)).toBe(201);
    expect(await part(ids.collectionSet, 'poster', 'movie', ids.movie)).toBe(201);
    expect(await part(ids.collectionSet, 'poster', 'season', ids.season)).toBe(422);
    expect(await part(ids.showSet, 'poster', 'episode', ids.otherEpisode)).toBe(422);
    expect(await part(ids.showSet, 'titlecard', 'chapter', ids.episode)).toBe(422);
  });

  it('to a group is its poster', async () => {
    const path = `/me/groups/${ids.boxset}`;
    const send = async (query = {}) => owner.upload(`${path}/poster`, query, await picture(200, 300));
    const before = await owner.revision(path);
    const previousAssetId = (await send()).text('data.assetId');
    const group = await owner.get(path);
    expect(group.body).toMatchObject({ data: { poster: { id: previousAssetId } } });
    expect(group.text('data.updatedAt') > before).toBe(true);
    expect((await send()).status).toBe(409);
    expect((await send({ operation: 'replace', previousAssetId })).status).toBe(201);
  });
});

describe('an upload with its identity', () => {
  it('is applied once, however often and however fast it comes, and stands for one request only', async () => {
    const clientMutationId = randomUUID();
    const bytes = await picture(200, 300);
    const send = (query = {}, file = bytes, sent = {}) =>
      owner.upload('/me/assets', { ...poster, ...query, clientMutationId }, file, sent);
    const [first, ...others] = await Promise.all([send(), send(), send()]);
    for (const { body } of [...others, await send()]) expect(body).toEqual(first?.body);
    expect(owner.effects(clientMutationId)).toEqual(['asset.add']);
    for (const other of [send({ languageCode: 'fr' }), send({}, await picture(200, 300))]) {
      expect(await other).toMatchObject(refused(409, 'client_mutation.reused'));
    }
    const stranger = { token: owner.token(3) };
    expect((await owner.get(`/me/asset-uploads/${clientMutationId}`, stranger)).status).toBe(404);
    expect((await send({}, bytes, { token: owner.token(2) })).status).toBe(201);
  });

  it('stays refused once its file was refused, and its status says why', async () => {
    const clientMutationId = randomUUID();
    const square = await picture(300, 300);
    const send = () => owner.upload('/me/assets', { ...poster, clientMutationId }, square);
    const first = await send();
    expect(first).toMatchObject(refused(422, 'asset.file.ratio'));
    expect((await send()).body).toEqual(first.body);
    expect((await owner.get(`/me/asset-uploads/${clientMutationId}`)).body).toEqual({
      data: {
        ...{ clientMutationId, assetId: null, processingStatus: 'failed', publicationStatus: 'not_required' },
        ...{ retryable: false, error: { code: 'asset.file.ratio', message: expect.any(String) } },
      },
    });
  });

  it('can be processed for a while, and fail in the end', async () => {
    for (const failure of [null, { code: 'asset.broken', message: 'It broke.' }]) {
      const clientMutationId = randomUUID();
      await owner.fault({ path: '/me/assets', do: 'process', milliseconds: 5_000, failure });
      await owner.upload('/me/assets', { ...poster, clientMutationId }, await picture(200, 300));
      const status = async () => (await owner.get(`/me/asset-uploads/${clientMutationId}`)).body;
      expect(await status()).toMatchObject({ data: { processingStatus: 'processing' } });
      owner.pass(5_000);
      const processingStatus = failure === null ? 'succeeded' : 'failed';
      expect(await status()).toMatchObject({
        data: { processingStatus, ...(failure && { error: failure }) },
      });
      expect(owner.effects(clientMutationId)).toEqual(failure === null ? ['asset.add'] : []);
    }
  });
});

test.each<[number, string, () => Promise<Buffer>, Record<string, string | null>?]>([
  [413, 'asset.file.maxSize', async () => Buffer.alloc(20_971_521)],
  [400, 'asset.file.empty', async () => Buffer.alloc(0)],
  [415, 'asset.file.type', () => picture(200, 300), { 'content-type': 'image/tiff' }],
  [422, 'asset.file.content_mismatch', () => picture(200, 300), { 'content-type': 'image/jpeg' }],
  [422, 'asset.file.undecodable', async () => (await picture(200, 300)).subarray(0, -40)],
  [422, 'asset.file.dimensions', () => picture(180, 270)],
  [422, 'asset.file.digest_mismatch', () => picture(200, 300), { 'x-upload-sha256': '0'.repeat(64) }],
  [400, 'invalid_request', () => picture(200, 300), { 'x-upload-sha256': 'A'.repeat(64) }],
  [400, 'invalid_request', () => picture(200, 300), { 'x-upload-sha256': null }],
  [400, 'invalid_request', () => picture(200, 300), { 'x-upload-filename': '../picture.png' }],
])('a file is refused with %i %s', async (status, code, made, headers = {}) => {
  const before = owner.effects().length;
  const answer = await owner.upload('/me/assets', poster, await made(), { headers });
  expect(answer).toMatchObject(refused(status, code));
  if (status === 413) expect(answer.body).toMatchObject({ error: { details: { maxBytes: 20_971_520 } } });
  expect(owner.effects()).toHaveLength(before);
});

test('a query that lacks or contradicts something is refused', async () => {
  const bytes = await picture(200, 300);
  for (const wrong of [
    { operation: 'move' },
    { targetId: 'x' },
    { previousAssetId: randomUUID() },
    { operation: 'replace' },
    { colour: 'red' },
  ]) {
    expect((await owner.upload('/me/assets', { ...poster, ...wrong }, bytes)).status).toBe(400);
  }
});
