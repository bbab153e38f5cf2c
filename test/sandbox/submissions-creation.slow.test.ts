import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, type OwnersCatalogue, refusal, startCatalogue, textOf } from './me-catalogue.ts';
import { animation, picture, poster } from './me-pictures.ts';
import { groups, plantWorks, works } from './me-works.ts';
import {
  type Declared,
  declare,
  effectsOf,
  fileOf,
  publicData,
  Submissions,
  submissionOf,
} from './submissions-client.ts';

/** The interface document shows this limit. */
const maxBytes = 20_971_520;

const lag = 5_000;

let catalogue: OwnersCatalogue;
let token: string;
let creations: Submissions;
beforeAll(async () => {
  catalogue = await startCatalogue({ publicationLagMs: lag, faults: true });
  plantWorks(catalogue.database);
  token = await catalogue.token(1);
  creations = new Submissions(catalogue, token, '/me/set-uploads');
});
afterAll(() => catalogue.stop());

/** A declared file of the collection's Set: its poster, or what the changes say. */
const declared = (file: Declared, position = 0, changes: object = {}) => ({
  itemId: file.itemId,
  position,
  targetKind: 'collection',
  targetId: works.collection.id,
  slot: 'poster',
  ...fileOf(file),
  ...changes,
});

const admission = (declaredFiles: readonly object[], changes: object = {}) => ({
  clientMutationId: randomUUID(),
  setKind: 'media_set',
  entryTargetKind: 'collection',
  entryTargetId: works.collection.id,
  titleBase: 'Posters of the Planted Ones',
  description: null,
  languageCode: 'en',
  editionId: null,
  finalised: true,
  destination: null,
  declaredFiles,
  ...changes,
});

const admit = (body: unknown) => catalogue.post('/me/set-uploads', token, body);

/** Three files: the collection's poster, a movie's poster, a movie's logo. */
async function threeFiles() {
  const files = [
    declare(await poster(), 'collection.png'),
    declare(await picture(400, 600, 'jpeg'), 'Film 1.jpg', 'image/jpeg'),
    declare(await picture(800, 310), 'Film 1 logo.png'),
  ] as const;
  const movie = { targetKind: 'movie', targetId: works.movie.id };
  const items = [
    declared(files[0], 0),
    declared(files[1], 1, movie),
    declared(files[2], 2, { ...movie, slot: 'logo' }),
  ];
  return { files, body: admission(items) };
}

const countOf = (table: string) =>
  catalogue.database.only(`SELECT count(*) AS many FROM ${table}`).integer('many');

const keptFiles = async () =>
  (await readdir(path.join(catalogue.dataDir, 'pictures')).catch(() => [])).sort();

describe('the creation of a media Set', () => {
  it('goes through its four steps, and shows nothing before the last one', async () => {
    const { files, body } = await threeFiles();
    const before = [countOf('sets'), countOf('assets')];
    const receipt = await admit(body);
    expect(receipt.status).toBe(201);
    expect(receipt.headers.get('cache-control')).toBe('private, no-store');
    const { submissionId } = submissionOf(receipt);
    expect(submissionOf(receipt)).toEqual({
      submissionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientMutationId: body.clientMutationId,
      status: 'processing',
      outcome: null,
      setId: null,
      set: null,
      publicationStatus: 'pending',
      metadata: { status: 'not_required', error: null },
      createdAt: expect.any(String),
      completedAt: null,
      items: body.declaredFiles.map((file) =>
        expect.objectContaining({
          itemId: Reflect.get(file, 'itemId'),
          position: Reflect.get(file, 'position'),
          operation: 'add',
          status: 'pending',
          assetId: null,
          error: null,
        }),
      ),
    });
    for (const file of files) {
      const sent = await creations.send(submissionId, file);
      expect(sent.status).toBe(201);
      expect(sent.body).toMatchObject({
        item: { itemId: file.itemId, status: 'processing', assetId: null },
        submission: { submissionId, status: 'processing', outcome: null },
      });
    }
    const waiting = await creations.read(submissionId);
    expect(waiting.items.map(({ status }) => status)).toEqual(['processing', 'processing', 'processing']);
    expect([countOf('sets'), countOf('assets')]).toEqual(before);

    const completed = await creations.complete(submissionId);
    expect(completed.status).toBe(200);
    const done = submissionOf(completed);
    expect(done).toMatchObject({ status: 'completed', outcome: 'succeeded', publicationStatus: 'pending' });
    expect(done.items.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    const owned = await catalogue.get(`/me/sets/${done.setId}`, token);
    expect(owned.body).toMatchObject({
      data: {
        kind: 'collection_set',
        title: body.titleBase,
        finalised: true,
        languageCode: 'en',
        updatedAt: done.set?.updatedAt,
        publicationStatus: 'pending',
      },
    });
    expect(dataOf(owned).assets).toHaveLength(3);
    for (const { assetId, updatedAt } of done.items) {
      expect(await catalogue.get(`/me/assets/${assetId}`, token)).toMatchObject({
        status: 200,
        body: { data: { setId: done.setId, languageCode: 'en', updatedAt } },
      });
    }
    expect((await fetch(`${catalogue.baseUrl}/collection-set/${done.setId}`)).status).toBe(404);
    catalogue.pass(lag);
    const shown = await publicData(catalogue, `/collection-set/${done.setId}`);
    expect(shown).toMatchObject({
      title: body.titleBase,
      createdBy: 'lanternroom',
      language: 'en',
      collection: { poster: `/artwork/${done.items[0]?.assetId}.png` },
    });
    const sent = await fetch(new URL(`/artwork/${done.items[1]?.assetId}.jpg`, catalogue.sandbox.origin));
    expect(Buffer.from(await sent.arrayBuffer()).equals(files[1].bytes)).toBe(true);
    expect(await creations.read(submissionId)).toMatchObject({ publicationStatus: 'succeeded' });
    expect(effectsOf(catalogue, body.clientMutationId)).toEqual([
      'set.create.admit',
      ...Array<string>(3).fill('submission.file'),
      'set.create',
      ...Array<string>(3).fill('asset.add'),
      'submission.complete',
    ]);
  });

  it('puts the Set into the group that was its destination', async () => {
    const { body } = await catalogue.get('/me/upload-destinations?kind=boxset&q=Planted', token);
    const list = body instanceof Object && 'data' in body && Array.isArray(body.data) ? body.data : [];
    const destination: unknown = list.find((one: { id: number }) => one.id === groups.empty);
    const file = declare(await poster());
    const revision = textOf(await catalogue.get(`/me/groups/${groups.empty}`, token), 'updatedAt');
    const { submissionId } = submissionOf(await admit(admission([declared(file)], { destination })));
    await creations.send(submissionId, file);
    const { setId } = submissionOf(await creations.complete(submissionId));
    const group = await catalogue.get(`/me/groups/${groups.empty}`, token);
    expect(dataOf(group).sets).toEqual([expect.objectContaining({ id: setId })]);
    expect(textOf(group, 'updatedAt') > revision).toBe(true);
  });

  it('takes up to a thousand files, and animated ones with their frame', async () => {
    const bytes = await animation(200, 300, 3, 'webp');
    const file = declare(bytes, 'moving.webp', 'image/webp');
    const body = admission([declared(file, 0, { selectedSourceFrame: 2 })]);
    const { submissionId } = submissionOf(await admit(body));
    expect((await creations.send(submissionId, file)).status).toBe(201);
    const { items } = submissionOf(await creations.complete(submissionId));
    expect(await catalogue.get(`/me/assets/${items[0]?.assetId}`, token)).toMatchObject({
      body: { data: { frames: 3, selectedSourceFrame: 2 } },
    });
    const many = Array.from({ length: 1_001 }, (_, position) => declared(declare(bytes), position));
    expect(await admit(admission(many))).toMatchObject({ status: 400, body: refusal('request.invalid') });
  });
});

describe('an admission', () => {
  it('that is sent again is answered with its receipt, and another one under its id is refused', async () => {
    const { files, body } = await threeFiles();
    const receipt = await admit(body);
    const { submissionId } = submissionOf(receipt);
    for (const file of files) await creations.send(submissionId, file);
    await creations.complete(submissionId);
    const reordered = Object.fromEntries(Object.entries(body).reverse());
    for (const again of [body, reordered]) {
      expect(await admit(again)).toMatchObject({ status: 200, body: receipt.body });
    }
    const at = [
      { titleBase: 'Another' },
      { finalised: false },
      { declaredFiles: body.declaredFiles.slice(1) },
    ];
    for (const change of at) {
      expect(await admit({ ...body, ...change })).toMatchObject({
        status: 409,
        body: refusal('client_mutation.reused'),
      });
    }
    const asked = await Promise.all(
      Array.from({ length: 6 }, () =>
        admit({ ...body, clientMutationId: '00000000-0000-4000-8000-000000000001' }),
      ),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(asked.map((answer) => submissionOf(answer).submissionId)).size).toBe(1);
  });

  const file = declare(Buffer.alloc(5_000));
  const two = declare(Buffer.alloc(5_000));
  it.each<[string, object, number, string, string[]]>([
    ['another setKind', { setKind: 'talent_set' }, 400, 'request.invalid', ['setKind']],
    ['an unknown field', { language: 'en' }, 400, 'request.invalid', ['language']],
    ['no finalised', { finalised: undefined }, 400, 'request.invalid', ['finalised']],
    ['no description', { description: undefined }, 400, 'request.invalid', ['description']],
    ['no files', { declaredFiles: [] }, 400, 'request.invalid', ['declaredFiles']],
    ['an entry without Sets', { entryTargetKind: 'season' }, 422, 'target.unsupported', ['entryTargetKind']],
    ['an unknown entry', { entryTargetId: 4242 }, 422, 'target.unknown', ['entryTargetId']],
    ['an unknown edition', { editionId: 99 }, 422, 'edition.unknown', ['editionId']],
    [
      'an unknown destination',
      { destination: { kind: 'boxset', id: 1 } },
      404,
      'not_found',
      ['destination', 'id'],
    ],
    [
      'a Loadout as the destination',
      { destination: { kind: 'boxset', id: groups.loadout, family: 'game' } },
      422,
      'destination.incompatible',
      ['destination'],
    ],
    [
      'a Set as the destination',
      { destination: { kind: 'media_set', id: 1 } },
      422,
      'destination.incompatible',
      ['destination'],
    ],
    [
      'an item twice',
      { declaredFiles: [declared(file), declared(file, 1, { slot: 'logo' })] },
      422,
      'item.repeated',
      ['declaredFiles', '1', 'itemId'],
    ],
    [
      'a position twice',
      { declaredFiles: [declared(file), declared(two, 0, { slot: 'logo' })] },
      422,
      'item.repeated',
      ['declaredFiles', '1', 'position'],
    ],
    [
      'a slot twice',
      { declaredFiles: [declared(file), declared(two, 1)] },
      422,
      'item.repeated',
      ['declaredFiles', '1', 'slot'],
    ],
    [
      'a target outside',
      { declaredFiles: [declared(file, 0, { targetKind: 'game', targetId: works.game.id, slot: 'cover' })] },
      422,
      'target.outside_set',
      ['declaredFiles', '0', 'targetId'],
    ],
    [
      'an unknown target',
      { declaredFiles: [declared(file, 0, { targetId: 1 })] },
      422,
      'target.unknown',
      ['declaredFiles', '0', 'targetId'],
    ],
    [
      'a slot that the target lacks',
      { declaredFiles: [declared(file, 0, { slot: 'thumb' })] },
      422,
      'slot.unsupported',
      ['declaredFiles', '0', 'slot'],
    ],
    [
      'a file name with a slash',
      { declaredFiles: [declared(file, 0, { filename: 'a/b.png' })] },
      400,
      'request.invalid',
      ['declaredFiles', '0', 'filename'],
    ],
    [
      'another media type',
      { declaredFiles: [declared(file, 0, { contentType: 'image/avif' })] },
      415,
      'asset.file.type',
      ['declaredFiles', '0', 'contentType'],
    ],
    [
      'an empty file',
      { declaredFiles: [declared(file, 0, { contentLength: 0 })] },
      400,
      'asset.file.empty',
      ['declaredFiles', '0', 'contentLength'],
    ],
    [
      'too large a file',
      { declaredFiles: [declared(file, 0, { contentLength: maxBytes + 1 })] },
      413,
      'asset.file.maxSize',
      ['declaredFiles', '0', 'contentLength'],
    ],
    [
      'a frame of a PNG',
      { declaredFiles: [declared(file, 0, { selectedSourceFrame: 0 })] },
      422,
      'asset.preview.not_animated',
      ['declaredFiles', '0', 'selectedSourceFrame'],
    ],
  ])('with %s is refused, and leaves nothing', async (_, changes, status, code, at) => {
    const before = ['set_submissions', 'submission_items', 'mutations', 'effects'].map(countOf);
    const answer = await admit(admission([declared(file)], changes));
    expect(answer).toMatchObject({ status, body: refusal(code) });
    expect(answer.body).toMatchObject({ error: { issues: [{ path: at }] } });
    expect(['set_submissions', 'submission_items', 'mutations', 'effects'].map(countOf)).toEqual(before);
  });

  it('tells of every item that is wrong', async () => {
    const items = [declared(file, 0, { slot: 'thumb' }), declared(two, 1, { targetId: 1, slot: 'logo' })];
    const answer = await admit(admission(items));
    expect(answer.body).toMatchObject({
      error: {
        code: 'slot.unsupported',
        issues: [
          { code: 'slot.unsupported', path: ['declaredFiles', '0', 'slot'] },
          { code: 'target.unknown', path: ['declaredFiles', '1', 'targetId'] },
        ],
      },
    });
  });

  it('into another account’s group is refused', async () => {
    const id = catalogue.database
      .only("SELECT id FROM groups WHERE owner_id = 2 AND kind = 'boxset'")
      .integer('id');
    expect(await admit(admission([declared(file)], { destination: { kind: 'boxset', id } }))).toMatchObject({
      status: 403,
      body: refusal('resource.not_owned'),
    });
  });
});

describe('the file of an item', () => {
  async function admitted() {
    const file = declare(await poster());
    const body = admission([declared(file)]);
    const { submissionId } = submissionOf(await admit(body));
    return { file, submissionId, clientMutationId: body.clientMutationId };
  }

  it.each<[string, { bytes?: (whole: Buffer) => Buffer; headers?: Record<string, string> }, string]>([
    ['name', { headers: { 'x-upload-filename': 'Picture.png' } }, 'X-Upload-Filename'],
    ['media type', { headers: { 'content-type': 'image/jpeg' } }, 'Content-Type'],
    ['media type that is none', { headers: { 'content-type': 'text/html' } }, 'Content-Type'],
    ['length', { bytes: (whole) => whole.subarray(0, -1) }, 'Content-Length'],
    ['length beyond all limits', { bytes: () => Buffer.alloc(maxBytes + 1) }, 'Content-Length'],
  ])('of another %s is refused, and can still be sent', async (_, { bytes, headers = {} }, header) => {
    const { file, submissionId } = await admitted();
    const answer = await creations.send(submissionId, file, {
      bytes: bytes?.(file.bytes) ?? file.bytes,
      headers,
    });
    expect(answer).toMatchObject({
      status: 409,
      body: refusal('file.declaration_conflict', {
        declared: {
          filename: file.filename,
          contentType: file.contentType,
          contentLength: file.contentLength,
        },
      }),
    });
    expect(answer.body).toMatchObject({ error: { issues: [{ path: [header] }] } });
    expect((await creations.read(submissionId)).items).toMatchObject([{ status: 'pending' }]);
    expect((await creations.send(submissionId, file)).status).toBe(201);
  });

  it.each([
    ['image/png', 'image/PNG; q=1'],
    ['image/png', 'IMAGE/PNG'],
    ['Image/Png', 'image/png'],
    ['image/png', 'image/png; charset=binary'],
  ])('declared as %s does not match as %s', async (contentType, sent) => {
    const file = declare(await poster(), 'picture.png', contentType);
    const { submissionId } = submissionOf(await admit(admission([declared(file)])));
    const answer = await creations.send(submissionId, file, { headers: { 'content-type': sent } });
    expect(answer).toMatchObject({ status: 409, body: refusal('file.declaration_conflict') });
    const exactly = { headers: { 'content-type': contentType } };
    expect((await creations.send(submissionId, file, exactly)).status).toBe(201);
    expect(submissionOf(await creations.complete(submissionId))).toMatchObject({ outcome: 'succeeded' });
  });

  it('is checked against a digest, where one is sent', async () => {
    const { file, submissionId } = await admitted();
    const wrong = { 'x-upload-sha256': 'a'.repeat(64) };
    expect(await creations.send(submissionId, file, { headers: wrong })).toMatchObject({
      status: 422,
      body: refusal('asset.file.digest_mismatch'),
    });
    expect((await creations.read(submissionId)).items).toMatchObject([{ status: 'pending' }]);
  });

  it('can be sent again, and is received once', async () => {
    const { file, submissionId, clientMutationId } = await admitted();
    const kept = (await keptFiles()).length;
    const answers = await Promise.all(Array.from({ length: 6 }, () => creations.send(submissionId, file)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect((await keptFiles()).length).toBe(kept + 1);
    const other = Buffer.from(file.bytes);
    other.writeUInt8(other.readUInt8(other.length - 20) ^ 1, other.length - 20);
    expect(await creations.send(submissionId, file, { bytes: other })).toMatchObject({
      status: 409,
      body: refusal('file.already_received'),
    });
    await creations.complete(submissionId);
    expect((await creations.send(submissionId, file)).body).toMatchObject({
      item: { status: 'succeeded' },
      submission: { outcome: 'succeeded' },
    });
    expect(effectsOf(catalogue, clientMutationId).filter((one) => one === 'submission.file')).toHaveLength(1);
    expect(effectsOf(catalogue, clientMutationId).filter((one) => one === 'asset.add')).toHaveLength(1);
  });

  it('that is no fitting picture has failed for good', async () => {
    const file = declare(await picture(1280, 720));
    const { submissionId } = submissionOf(await admit(admission([declared(file)])));
    const kept = await keptFiles();
    for (let again = 0; again < 2; again++) {
      expect(await creations.send(submissionId, file)).toMatchObject({
        status: 422,
        body: refusal('asset.file.ratio'),
      });
    }
    expect((await creations.read(submissionId)).items).toMatchObject([
      { status: 'failed', assetId: null, error: { code: 'asset.file.ratio' } },
    ]);
    expect(await keptFiles()).toEqual(kept);
    expect(submissionOf(await creations.complete(submissionId))).toMatchObject({
      status: 'completed',
      outcome: 'failed',
      setId: null,
      publicationStatus: 'not_required',
    });
  });

  it('with a frame that it lacks has failed', async () => {
    const file = declare(await animation(200, 300, 2, 'gif'), 'a.gif', 'image/gif');
    const body = admission([declared(file, 0, { selectedSourceFrame: 2 })]);
    const { submissionId } = submissionOf(await admit(body));
    expect(await creations.send(submissionId, file)).toMatchObject({
      status: 422,
      body: refusal('asset.preview.frame_range'),
    });
  });

  it('is for an item of the submission', async () => {
    const { file, submissionId } = await admitted();
    expect(await creations.send(submissionId, file, { itemId: randomUUID() })).toMatchObject({ status: 404 });
    expect(await creations.send(submissionId, file, { itemId: 'one' })).toMatchObject({ status: 400 });
    expect(await creations.send(randomUUID(), file)).toMatchObject({
      status: 404,
      body: refusal('not_found'),
    });
    expect(await creations.send('nothing', file)).toMatchObject({ status: 404 });
  });
});

describe('the completion', () => {
  it('waits for the outcome of every file', async () => {
    const { files, body } = await threeFiles();
    const { submissionId } = submissionOf(await admit(body));
    await creations.send(submissionId, files[1]);
    expect(await creations.complete(submissionId)).toMatchObject({
      status: 409,
      body: refusal('submission.files_pending', { pendingItemIds: [files[0].itemId, files[2].itemId] }),
    });
    expect(await creations.read(submissionId)).toMatchObject({ status: 'processing', outcome: null });
    for (const file of files) await creations.send(submissionId, file);
    expect(submissionOf(await creations.complete(submissionId)).outcome).toBe('succeeded');
  });

  it('is partial when a file has failed: the others are kept, and a new mutation mends it', async () => {
    const { files, body } = await threeFiles();
    const broken = { ...files[2], bytes: Buffer.alloc(files[2].contentLength) };
    const { submissionId } = submissionOf(await admit(body));
    for (const file of [files[0], files[1]]) await creations.send(submissionId, file);
    expect((await creations.send(submissionId, broken)).status).toBe(422);
    const done = submissionOf(await creations.complete(submissionId));
    expect(done.outcome).toBe('partial');
    expect(done.items).toMatchObject([
      { status: 'succeeded', assetId: expect.any(String) },
      { status: 'succeeded', assetId: expect.any(String) },
      { status: 'failed', assetId: null, error: { code: 'asset.file.content_mismatch' } },
    ]);
    const mended = await catalogue.upload(`/me/sets/${done.setId}/assets`, token, {
      bytes: files[2].bytes,
      query: {
        operation: 'add',
        clientMutationId: randomUUID(),
        slot: 'logo',
        targetKind: 'movie',
        targetId: works.movie.id,
      },
    });
    expect(mended.status).toBe(201);
    expect(dataOf(await catalogue.get(`/me/sets/${done.setId}`, token)).assets).toHaveLength(3);
  });

  it('happens once, however often it is asked for, and stays as it was', async () => {
    const { files, body } = await threeFiles();
    const { submissionId } = submissionOf(await admit(body));
    for (const file of files) await creations.send(submissionId, file);
    const answers = await Promise.all(Array.from({ length: 5 }, () => creations.complete(submissionId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(effectsOf(catalogue, body.clientMutationId).filter((one) => one === 'set.create')).toHaveLength(1);
    expect((await creations.complete(submissionId, { force: true })).status).toBe(400);
  });
});

describe('a fault of a creation', () => {
  const queue = async (...faults: object[]) => {
    const answer = await fetch(`${catalogue.sandbox.origin}/.sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
    expect(answer.status).toBe(201);
  };

  it('can lose the answer to each step, and each can be repeated', async () => {
    const { files, body } = await threeFiles();
    await queue(
      { method: 'POST', path: '/me/set-uploads', do: 'cut' },
      {
        method: 'POST',
        path: '/me/set-uploads/*/assets',
        query: { itemId: files[1].itemId },
        do: 'unresolved',
      },
      {
        method: 'POST',
        path: '/me/set-uploads/*/assets',
        query: { itemId: files[2].itemId },
        do: 'cut',
        when: 'received',
      },
      { method: 'POST', path: '/me/set-uploads/*/complete', do: 'cut' },
    );
    await expect(admit(body)).rejects.toThrow('fetch failed');
    const { submissionId } = submissionOf(await admit(body));
    expect((await creations.send(submissionId, files[0])).status).toBe(201);
    expect(await creations.send(submissionId, files[1])).toMatchObject({
      status: 503,
      body: refusal('set_creation_upload.outcome_unresolved'),
    });
    await expect(creations.send(submissionId, files[2])).rejects.toThrow('fetch failed');
    expect((await creations.read(submissionId)).items.map(({ status }) => status)).toEqual([
      'processing',
      'processing',
      'pending',
    ]);
    expect((await creations.send(submissionId, files[2])).status).toBe(201);
    await expect(creations.complete(submissionId)).rejects.toThrow('fetch failed');
    expect(await creations.read(submissionId)).toMatchObject({ outcome: 'succeeded' });
    expect(effectsOf(catalogue, body.clientMutationId).filter((one) => one === 'asset.add')).toHaveLength(3);
  });

  it('can keep a file’s outcome open after its answer', async () => {
    const file = declare(await poster());
    const { submissionId } = submissionOf(await admit(admission([declared(file)])));
    await queue({ path: '/me/set-uploads/*/assets', do: 'process', milliseconds: 60_000 });
    expect((await creations.send(submissionId, file)).body).toMatchObject({ item: { status: 'processing' } });
    expect(await creations.complete(submissionId)).toMatchObject({
      status: 409,
      body: refusal('submission.files_pending'),
    });
    catalogue.pass(60_000);
    expect((await creations.read(submissionId)).items).toMatchObject([{ status: 'processing' }]);
    expect(submissionOf(await creations.complete(submissionId)).outcome).toBe('succeeded');
  });

  it('can fail a file after its answer', async () => {
    const file = declare(await poster());
    const { submissionId } = submissionOf(await admit(admission([declared(file)])));
    const failure = { code: 'asset.processing.failed', message: 'It could not be processed.' };
    const kept = await keptFiles();
    await queue({ path: '/me/set-uploads/*/assets', do: 'process', milliseconds: 60_000, failure });
    expect(await creations.send(submissionId, file)).toMatchObject({
      status: 201,
      body: { item: { status: 'processing', error: null } },
    });
    catalogue.pass(60_000);
    expect((await creations.read(submissionId)).items).toMatchObject([{ status: 'failed', error: failure }]);
    expect(submissionOf(await creations.complete(submissionId)).outcome).toBe('failed');
    expect(await keptFiles()).toEqual(kept);
  });

  it.each([
    [false, null],
    [true, 'unresolved'],
  ])('can keep the outcome open (unresolved: %s)', async (unresolved, meanwhile) => {
    const file = declare(await poster());
    const { submissionId } = submissionOf(await admit(admission([declared(file)])));
    await creations.send(submissionId, file);
    await queue({ path: '/me/set-uploads/*/complete', do: 'process', milliseconds: 60_000, unresolved });
    for (const seen of [
      submissionOf(await creations.complete(submissionId)),
      await creations.read(submissionId),
    ]) {
      expect(seen).toMatchObject({ status: 'processing', outcome: meanwhile, setId: null });
      expect(seen.items).toMatchObject([{ status: 'processing', assetId: null }]);
    }
    catalogue.pass(60_000);
    expect(await creations.read(submissionId)).toMatchObject({
      status: 'completed',
      outcome: 'succeeded',
      setId: expect.any(Number),
      items: [{ status: 'succeeded' }],
    });
  });

  it('can roll all of it back', async () => {
    const { files, body } = await threeFiles();
    const before = [countOf('sets'), countOf('assets'), await keptFiles()];
    const { submissionId } = submissionOf(await admit(body));
    for (const file of files) await creations.send(submissionId, file);
    const failure = { code: 'set.creation.rolled_back', message: 'The Set could not be made.' };
    await queue({ path: '/me/set-uploads/*/complete', do: 'process', milliseconds: 0, failure });
    const done = submissionOf(await creations.complete(submissionId));
    expect(done).toMatchObject({ status: 'completed', outcome: 'rolled_back', setId: null });
    expect(done.items).toMatchObject(
      files.map(() => ({ status: 'rolled_back', assetId: null, error: failure })),
    );
    expect([countOf('sets'), countOf('assets'), await keptFiles()]).toEqual(before);
  });
});

describe('a submission', () => {
  it('is its account’s alone', async () => {
    const file = declare(await poster());
    const { submissionId } = submissionOf(await admit(admission([declared(file)])));
    const others = await catalogue.token(2);
    const stranger = new Submissions(catalogue, others, '/me/set-uploads');
    for (const answer of [
      await catalogue.get(`/me/set-uploads/${submissionId}`, others),
      await stranger.send(submissionId, file),
      await stranger.complete(submissionId),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: refusal('resource.not_owned') });
    }
    for (const path of [`/me/set-uploads/${randomUUID()}`, `/me/set-updates/${submissionId}`]) {
      expect(await catalogue.get(path, token)).toMatchObject({ status: 404, body: refusal('not_found') });
    }
  });

  it('needs sets:write and assets:write at each step', async () => {
    const id = randomUUID();
    const file = declare(await poster());
    for (const [scope, enough] of [
      ['sets:write assets:write', true],
      ['sets:write', false],
      ['assets:write assets:replace', false],
      ['sets:write assets:replace', false],
    ] as const) {
      const held = await catalogue.token(1, scope);
      const asked = new Submissions(catalogue, held, '/me/set-uploads');
      const statuses = [
        (await catalogue.post('/me/set-uploads', held, {})).status,
        (await asked.send(id, file)).status,
        (await catalogue.get(`/me/set-uploads/${id}`, held)).status,
        (await asked.complete(id)).status,
      ];
      expect([scope, statuses]).toEqual([scope, enough ? [400, 404, 404, 404] : [403, 403, 403, 403]]);
    }
  });
});
