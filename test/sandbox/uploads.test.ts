import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ids, type Owner, ownOwner, refused, startOwner } from './owner.ts';
import { animation, picture } from './me-pictures.ts';

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
    const answer = await slow.upload(
      '/me/assets',
      { ...poster, languageCode: 'de', clientMutationId },
      bytes,
    );
    expect(answer).toMatchObject({
      status: 201,
      body: { data: { clientMutationId, processingStatus: 'succeeded', publicationStatus: 'pending' } },
    });
    const id = answer.text('data.assetId');
    const own = await slow.get(`/me/assets/${id}`);
    expect(own.body).toMatchObject({
      data: {
        ...{ id, slot: 'poster', target: { id: ids.otherMovie, kind: 'movie' }, languageCode: 'de' },
        ...{ editionId: null, setId: null, contentType: 'image/png', width: 200, height: 300, frames: 1 },
        ...{ updatedAt: answer.text('data.updatedAt'), publicationStatus: 'pending', previousAssetId: null },
      },
    });
    const movie = `/movies/${ids.otherMovie}`;
    const status = { clientMutationId, assetId: id, processingStatus: 'succeeded', retryable: false };
    const upload = `/me/asset-uploads/${clientMutationId.toUpperCase()}`;
    expect((await slow.get(upload)).body).toEqual({ data: { ...status, publicationStatus: 'pending' } });
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
    expect((await owner.get(`/me/assets/${first.id}`)).body).toMatchObject({
      data: { replacedByAssetId: second.id },
    });
    expect((await owner.get(`/me/assets/${third.id}`)).body).toMatchObject({
      data: { previousAssetId: second.id, languageCode: 'fr' },
    });
    const again = await owner.upload('/me/assets', replacing, await picture(200, 300));
    expect(again).toMatchObject(refused(409, 'asset.replaced', { replacedByAssetId: second.id }));
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
    const { id } = await owner.asset({ slot: 'backdrop' }, `${path}/assets`).catch(() => ({ id: '' }));
    expect(id).toBe('');
    const bytes = await picture(200, 300);
    const answer = await owner.upload(`${path}/assets`, { slot: 'poster' }, bytes);
    expect(answer.status).toBe(201);
    const set = await owner.get(path);
    expect(set.body).toMatchObject({ data: { assets: [{ id: answer.text('data.assetId') }] } });
    expect(set.text('data.updatedAt') > before).toBe(true);
    const second = await owner.upload(`${path}/assets`, { slot: 'poster' }, await picture(200, 300));
    expect(second).toMatchObject(refused(409, 'slot.occupied', { assetId: answer.text('data.assetId') }));
    const other = { slot: 'poster', targetKind: 'movie', targetId: ids.otherMovie };
    const outside = await owner.upload(`${path}/assets`, other, await picture(200, 300));
    expect(outside).toMatchObject(refused(422, 'target.outside_set'));
    expect(await owner.shown('/feeds/sets')).toMatchObject([
      { setId: ids.movieSet, changeType: 'updated' },
      {},
      {},
      {},
      {},
      {},
    ]);
  });

  it('to a Set of a show or a collection may be for their parts', async () => {
    const part = async (setId: number, slot: string, targetKind: string, targetId: number) => {
      const bytes = slot === 'titlecard' ? await picture(400, 225) : await picture(200, 300);
      return (await owner.upload(`/me/sets/${setId}/assets`, { slot, targetKind, targetId }, bytes)).status;
    };
    expect(await part(ids.showSet, 'poster', 'season', ids.season)).toBe(201);
    expect(await part(ids.showSet, 'titlecard', 'episode', ids.episode)).toBe(201);
    expect(await part(ids.collectionSet, 'poster', 'movie', ids.movie)).toBe(201);
    expect(await part(ids.collectionSet, 'poster', 'season', ids.season)).toBe(422);
    expect(await part(ids.showSet, 'poster', 'episode', ids.otherEpisode)).toBe(422);
    expect(await part(ids.showSet, 'titlecard', 'episode', 99)).toBe(422);
    expect(await part(ids.showSet, 'titlecard', 'chapter', ids.episode)).toBe(422);
  });

  it('to a group is its poster', async () => {
    const path = `/me/groups/${ids.boxset}`;
    const before = await owner.revision(path);
    const answer = await owner.upload(`${path}/poster`, {}, await picture(200, 300));
    expect(answer.status).toBe(201);
    const group = await owner.get(path);
    expect(group.body).toMatchObject({ data: { poster: { id: answer.text('data.assetId') } } });
    expect(group.text('data.updatedAt') > before).toBe(true);
    expect((await owner.upload(`${path}/poster`, {}, await picture(200, 300))).status).toBe(409);
    const other = { targetKind: 'boxset', targetId: ids.foreignBoxset };
    expect((await owner.upload(`${path}/poster`, other, await picture(200, 300))).status).toBe(422);
    const replacing = { operation: 'replace', previousAssetId: answer.text('data.assetId') };
    expect((await owner.upload(`${path}/poster`, replacing, await picture(200, 300))).status).toBe(201);
  });
});

describe('an upload with its identity', () => {
  it('is applied once, however often and however fast it comes, and answers with the first receipt', async () => {
    const clientMutationId = randomUUID();
    const bytes = await picture(200, 300);
    const send = () => owner.upload('/me/assets', { ...poster, clientMutationId }, bytes);
    const [first, ...others] = await Promise.all([send(), send(), send()]);
    for (const { body } of [...others, await send()]) expect(body).toEqual(first?.body);
    expect((await send()).status).toBe(200);
    expect(owner.effects(clientMutationId)).toEqual(['asset.add']);
    const kept = await owner.keptFiles();
    expect(kept.filter((name) => name.startsWith(first?.text('data.assetId') ?? ''))).toHaveLength(1);
    expect(kept).toHaveLength(owner.store.only('SELECT count(file) AS n FROM assets').integer('n'));
  });

  it('is answered only once the same file has arrived again', async () => {
    const clientMutationId = randomUUID();
    const bytes = await picture(200, 300);
    await owner.upload('/me/assets', { ...poster, clientMutationId }, bytes);
    const headers = { 'x-upload-sha256': createHash('sha256').update(bytes).digest('hex') };
    const broken = Buffer.from(bytes).reverse();
    const again = await owner.upload('/me/assets', { ...poster, clientMutationId }, broken, { headers });
    expect(again).toMatchObject(refused(422, 'asset.file.digest_mismatch'));
    expect((await owner.get(`/me/asset-uploads/${clientMutationId}`)).body).toMatchObject({
      data: { processingStatus: 'succeeded' },
    });
  });

  it('stands for one request only', async () => {
    const clientMutationId = randomUUID();
    const bytes = await picture(200, 300);
    await owner.upload('/me/assets', { ...poster, clientMutationId }, bytes);
    for (const [query, file] of [
      [{ languageCode: 'fr' }, bytes],
      [{ targetId: ids.movie }, bytes],
      [{}, await picture(200, 300)],
    ] as const) {
      const answer = await owner.upload('/me/assets', { ...poster, ...query, clientMutationId }, file);
      expect(answer).toMatchObject(refused(409, 'client_mutation.reused'));
    }
    const other = { token: owner.token(2) };
    const theirs = await owner.upload('/me/assets', { ...poster, clientMutationId }, bytes, other);
    expect(theirs.status).toBe(201);
    expect((await owner.get(`/me/asset-uploads/${clientMutationId}`, { token: owner.token(3) })).status).toBe(
      404,
    );
  });

  it('stays refused once it was refused, and its status says why', async () => {
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
      const answer = await owner.upload(
        '/me/assets',
        { ...poster, clientMutationId },
        await picture(200, 300),
      );
      expect(answer.body).toMatchObject({ data: { processingStatus: 'processing' } });
      const status = async () => (await owner.get(`/me/asset-uploads/${clientMutationId}`)).body;
      expect(await status()).toMatchObject({ data: { processingStatus: 'processing' } });
      owner.pass(5_000);
      expect(await status()).toMatchObject({
        data:
          failure === null
            ? { processingStatus: 'succeeded' }
            : { processingStatus: 'failed', error: failure },
      });
      expect(owner.effects(clientMutationId)).toEqual(failure === null ? ['asset.add'] : []);
    }
  });
});

describe('the file of an upload', () => {
  it('is taken in each format, still or animated', async () => {
    for (const [format, frames] of [
      ['jpeg', 1],
      ['webp', 1],
      ['webp', 3],
      ['gif', 2],
    ] as const) {
      const headers = { 'content-type': `image/${format}` };
      const file = await (frames === 1 ? picture(200, 300, format) : animation(200, 300, frames, format));
      const answer = await owner.upload('/me/assets', poster, file, { headers });
      expect((await owner.get(`/me/assets/${answer.text('data.assetId')}`)).body).toMatchObject({
        data: { contentType: `image/${format}`, frames, selectedSourceFrame: null },
      });
    }
  });

  const refusals: readonly (readonly [
    number,
    string,
    () => Promise<readonly [Buffer, Record<string, string | null>?]>,
  ])[] = [
    [413, 'asset.file.maxSize', async () => [Buffer.alloc(20_971_521)]],
    [400, 'asset.file.empty', async () => [Buffer.alloc(0)]],
    [415, 'asset.file.type', async () => [await picture(200, 300), { 'content-type': 'image/tiff' }]],
    [415, 'asset.file.type', async () => [await picture(200, 300), { 'content-encoding': 'gzip' }]],
    [
      422,
      'asset.file.content_mismatch',
      async () => [await picture(200, 300), { 'content-type': 'image/jpeg' }],
    ],
    [
      422,
      'asset.file.content_mismatch',
      async () => [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ],
    [422, 'asset.file.undecodable', async () => [(await picture(200, 300)).subarray(0, -40)]],
    [422, 'asset.file.dimensions', async () => [await picture(180, 270)]],
    [422, 'asset.file.ratio', async () => [await picture(300, 200)]],
    [
      422,
      'asset.file.digest_mismatch',
      async () => [await picture(200, 300), { 'x-upload-sha256': '0'.repeat(64) }],
    ],
    [400, 'invalid_request', async () => [await picture(200, 300), { 'x-upload-sha256': 'A'.repeat(64) }]],
    [400, 'invalid_request', async () => [await picture(200, 300), { 'x-upload-sha256': null }]],
    [
      400,
      'invalid_request',
      async () => [await picture(200, 300), { 'x-upload-filename': '../picture.png' }],
    ],
    [400, 'invalid_request', async () => [await picture(200, 300), { 'x-upload-filename': null }]],
  ];
  it.each(refusals)('is refused with %i %s', async (status, code, made) => {
    const before = owner.effects().length;
    const [bytes, headers = {}] = await made();
    const answer = await owner.upload('/me/assets', poster, bytes, { headers });
    expect(answer).toMatchObject(refused(status, code));
    if (status === 413) expect(answer.body).toMatchObject({ error: { details: { maxBytes: 20_971_520 } } });
    expect(owner.effects()).toHaveLength(before);
  });

  it('may have 20,971,520 bytes', async () => {
    const bytes = Buffer.concat([await picture(200, 300), Buffer.alloc(20_971_520)]).subarray(0, 20_971_520);
    expect((await owner.upload('/me/assets', poster, bytes)).status).toBe(201);
  });
});

test('a query that lacks, repeats or contradicts something is refused', async () => {
  const bytes = await picture(200, 300);
  for (const wrong of [
    { slot: '' },
    { operation: 'move' },
    { clientMutationId: 'x' },
    { targetId: 'x' },
    { languageCode: 'English' },
    { previousAssetId: randomUUID() },
    { operation: 'replace' },
    { colour: 'red' },
  ]) {
    expect(await owner.upload('/me/assets', { ...poster, ...wrong }, bytes)).toMatchObject({
      status: 400,
      body: { error: { issues: [{ path: expect.any(Array) }] } },
    });
  }
  expect((await owner.upload('/me/assets?slot=logo', poster, bytes)).status).toBe(400);
  expect(await owner.upload('/me/assets', { ...poster, slot: 'titlecard' }, bytes)).toMatchObject(
    refused(422, 'slot.unsupported'),
  );
});

test('what a killed process has left is cleared at the next start, and nothing else', async () => {
  const first = await ownOwner();
  const { id } = await first.asset();
  await first.server.close();
  await writeFile(path.join(first.dataDir, 'uploads', 'lost.png'), 'lost');
  const next = await ownOwner({ dataDir: first.dataDir });
  expect(await next.keptFiles()).toEqual([`${id}.png`]);
});
