import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeSet } from '../../src/sandbox/artwork/sets.ts';
import { dataOf, type OwnersCatalogue, refusal, startCatalogue, textOf } from './me-catalogue.ts';
import { picture, poster } from './me-pictures.ts';
import { plantShow, plantWorks, sets, works } from './me-works.ts';
import {
  type Declared,
  declare,
  effectsOf,
  fileOf,
  publicData,
  Submissions,
  submissionOf,
} from './submissions-client.ts';

const lag = 5_000;

let catalogue: OwnersCatalogue;
let token: string;
let edits: Submissions;
/** A collection's Set of this test's own, with a poster of the collection and one of each movie. */
let setId: number;
let held: { collection: Held; movie: Held; otherMovie: Held };

interface Held {
  readonly id: string;
  readonly updatedAt: string;
}

beforeAll(async () => {
  catalogue = await startCatalogue({ publicationLagMs: lag, faults: true });
  plantWorks(catalogue.database);
  token = await catalogue.token(1);
  edits = new Submissions(catalogue, token, '/me/set-updates');
});
afterAll(() => catalogue.stop());

beforeEach(async () => {
  const at = '2026-01-02T03:04:05.678Z';
  setId = storeSet(catalogue.database, {
    kind: 'collection_set',
    target: works.collection,
    members: [],
    title: 'Before',
    description: 'As it was',
    ownerId: 1,
    languageCode: 'en',
    editionId: null,
    finalised: false,
    createdAt: at,
    publicFrom: at,
  });
  const add = async (target: { kind: string; id: number }): Promise<Held> => {
    const receipt = await catalogue.upload(`/me/sets/${setId}/assets`, token, {
      bytes: await poster(),
      query: { ...posterOf(target), operation: 'add', clientMutationId: randomUUID(), languageCode: 'en' },
    });
    return { id: textOf(receipt, 'assetId'), updatedAt: textOf(receipt, 'updatedAt') };
  };
  held = {
    collection: await add(works.collection),
    movie: await add(works.movie),
    otherMovie: await add(works.otherMovie),
  };
  catalogue.pass(lag);
});

const posterOf = (target: { kind: string; id: number }) => ({
  targetKind: target.kind,
  targetId: target.id,
  slot: 'poster',
});

const logoOf = (target: { kind: string; id: number }) => ({ ...posterOf(target), slot: 'logo' });

const unused = {
  existingAssetId: null,
  expectedPreviousAssetId: null,
  expectedAssetUpdatedAt: null,
  declaredFile: null,
};

const addition = (file: Declared, position: number, place: object) => ({
  ...unused,
  itemId: file.itemId,
  position,
  ...place,
  operation: 'add',
  declaredFile: fileOf(file),
});

const replacement = (file: Declared, position: number, place: object, previous: Held) => ({
  ...addition(file, position, place),
  operation: 'replace',
  expectedPreviousAssetId: previous.id,
  expectedAssetUpdatedAt: previous.updatedAt,
});

const existing = (operation: string, position: number, place: object, asset: Held, more: object = {}) => ({
  ...unused,
  itemId: randomUUID(),
  position,
  ...place,
  operation,
  existingAssetId: asset.id,
  expectedAssetUpdatedAt: asset.updatedAt,
  ...more,
});

const revision = async (id = setId) => textOf(await catalogue.get(`/me/sets/${id}`, token), 'updatedAt');

const admission = async (items: readonly object[], changes: object = {}) => ({
  clientMutationId: randomUUID(),
  setId,
  setKind: 'media_set',
  expectedUpdatedAt: await revision(),
  items,
  ...changes,
});

const admit = (body: unknown, asker = token) => catalogue.post(`/me/sets/${setId}/updates`, asker, body);

async function standalone(target: { kind: string; id: number }, slot = 'logo'): Promise<Held> {
  const receipt = await catalogue.upload('/me/assets', token, {
    bytes: slot === 'logo' ? await picture(800, 310) : await poster(),
    query: { ...posterOf(target), slot, operation: 'add', clientMutationId: randomUUID() },
  });
  return { id: textOf(receipt, 'assetId'), updatedAt: textOf(receipt, 'updatedAt') };
}

const postersNow = async () => {
  const { collection } = await publicData(catalogue, `/collection-set/${setId}`);
  return collection;
};

describe('a grouped edit', () => {
  it('adds, replaces, assigns and edits in one, and nothing shows before it is completed', async () => {
    const added = declare(await picture(800, 310), 'logo.png');
    const newer = declare(await poster(), 'v2.png');
    const free = await standalone(works.movie);
    const body = await admission(
      [
        addition(added, 0, logoOf(works.collection)),
        replacement(newer, 1, posterOf(works.collection), held.collection),
        existing('assign', 2, logoOf(works.movie), free),
        existing('asset_metadata', 3, posterOf(works.movie), held.movie, {
          languageCode: null,
          editionId: 3,
        }),
      ],
      { titleBase: 'After', description: null, finalised: true },
    );
    const before = [
      await publicData(catalogue, `/collection-set/${setId}`),
      await catalogue.get(`/me/sets/${setId}`, token),
    ];
    const receipt = await admit(body);
    expect(receipt.status).toBe(201);
    const admitted = submissionOf(receipt);
    expect(admitted).toMatchObject({
      status: 'processing',
      outcome: null,
      setId,
      metadata: { status: 'processing', error: null },
    });
    expect(admitted.items.map(({ operation, status }) => [operation, status])).toEqual([
      ['add', 'pending'],
      ['replace', 'pending'],
      ['assign', 'processing'],
      ['asset_metadata', 'processing'],
    ]);
    for (const file of [added, newer]) {
      expect((await edits.send(admitted.submissionId, file)).status).toBe(201);
    }
    catalogue.pass(lag);
    expect(await publicData(catalogue, `/collection-set/${setId}`)).toEqual(before[0]);
    expect((await catalogue.get(`/me/sets/${setId}`, token)).body).toEqual(
      before[1] instanceof Object && 'body' in before[1] ? before[1].body : null,
    );

    const done = submissionOf(await edits.complete(admitted.submissionId));
    expect(done).toMatchObject({
      status: 'completed',
      outcome: 'succeeded',
      set: { id: setId, updatedAt: await revision() },
      publicationStatus: 'pending',
      metadata: { status: 'succeeded', error: null },
    });
    expect(done.items.map(({ status }) => status)).toEqual(Array<string>(4).fill('succeeded'));
    const [first, second, third, fourth] = done.items;
    expect([third?.assetId, fourth?.assetId]).toEqual([free.id, held.movie.id]);
    const owned = await catalogue.get(`/me/sets/${setId}`, token);
    expect(owned.body).toMatchObject({
      data: { title: 'After', description: null, finalised: true, languageCode: 'en' },
    });
    expect(dataOf(owned).assets).toHaveLength(5);
    expect(await catalogue.get(`/me/assets/${second?.assetId}`, token)).toMatchObject({
      body: {
        data: { previousAssetId: held.collection.id, languageCode: 'en', updatedAt: second?.updatedAt },
      },
    });
    expect(await catalogue.get(`/me/assets/${held.movie.id}`, token)).toMatchObject({
      body: { data: { languageCode: null, editionId: 3, updatedAt: fourth?.updatedAt } },
    });
    expect(await postersNow()).toMatchObject({
      poster: expect.stringContaining(held.collection.id),
      logo: null,
    });
    catalogue.pass(lag);
    expect(await postersNow()).toMatchObject({
      poster: expect.stringContaining(second?.assetId ?? 'none'),
      logo: expect.stringContaining(first?.assetId ?? 'none'),
    });
    expect(await edits.read(admitted.submissionId)).toMatchObject({ publicationStatus: 'succeeded' });
    expect(effectsOf(catalogue, body.clientMutationId)).toEqual([
      'set.edit.admit',
      'submission.file',
      'submission.file',
      'asset.add',
      'asset.replace',
      'asset.assign',
      'asset.metadata',
      'set.edit',
      'submission.complete',
    ]);
  });

  it('of metadata alone needs no files, said beside the items or in metadata', async () => {
    for (const change of [{ titleBase: 'One' }, { metadata: { titleBase: 'Two', languageCode: 'de' } }]) {
      const { submissionId } = submissionOf(await admit(await admission([], change)));
      expect(submissionOf(await edits.complete(submissionId))).toMatchObject({
        outcome: 'succeeded',
        items: [],
      });
    }
    expect(await catalogue.get(`/me/sets/${setId}`, token)).toMatchObject({
      body: { data: { title: 'Two', languageCode: 'de', description: 'As it was' } },
    });
  });

  it('whose replacement fails saves its metadata and keeps the previous artwork', async () => {
    const broken = declare(await picture(1280, 720), 'landscape.png');
    const body = await admission([replacement(broken, 0, posterOf(works.movie), held.movie)], {
      titleBase: 'Saved all the same',
    });
    const { submissionId } = submissionOf(await admit(body));
    expect((await edits.send(submissionId, broken)).status).toBe(422);
    const done = submissionOf(await edits.complete(submissionId));
    expect(done).toMatchObject({
      outcome: 'partial',
      metadata: { status: 'succeeded' },
      items: [{ status: 'failed', assetId: null, error: { code: 'asset.file.ratio' } }],
    });
    const owned = await catalogue.get(`/me/sets/${setId}`, token);
    expect(owned.body).toMatchObject({
      data: { title: 'Saved all the same', updatedAt: done.set?.updatedAt },
    });
    expect(dataOf(owned).assets).toContainEqual(
      expect.objectContaining({ id: held.movie.id, updatedAt: held.movie.updatedAt }),
    );
    expect(await catalogue.get(`/me/assets/${held.movie.id}`, token)).toMatchObject({
      body: { data: { replacedByAssetId: null } },
    });
  });

  it('of which nothing succeeds has failed, and has changed nothing', async () => {
    const broken = declare(await picture(1280, 720), 'landscape.png');
    const before = await revision();
    const { submissionId } = submissionOf(
      await admit(await admission([replacement(broken, 0, posterOf(works.movie), held.movie)])),
    );
    await edits.send(submissionId, broken);
    expect(submissionOf(await edits.complete(submissionId))).toMatchObject({
      outcome: 'failed',
      set: null,
      publicationStatus: 'not_required',
      metadata: { status: 'not_required' },
    });
    expect(await revision()).toBe(before);
  });

  it('judges again at its completion what has changed since', async () => {
    const newer = declare(await poster());
    const added = declare(await picture(800, 310));
    const body = await admission(
      [
        replacement(newer, 0, posterOf(works.movie), held.movie),
        addition(added, 1, logoOf(works.movie)),
        existing('asset_metadata', 2, posterOf(works.otherMovie), held.otherMovie, { languageCode: 'fr' }),
      ],
      { titleBase: 'Too late' },
    );
    const { submissionId } = submissionOf(await admit(body));
    for (const file of [newer, added]) await edits.send(submissionId, file);
    // Meanwhile: the poster is edited, and the logo's slot is taken.
    await catalogue.post(`/me/assets/${held.movie.id}/metadata`, token, {
      expectedUpdatedAt: held.movie.updatedAt,
      languageCode: 'it',
    });
    await catalogue.upload(`/me/sets/${setId}/assets`, token, {
      bytes: await picture(800, 310),
      query: { ...logoOf(works.movie), operation: 'add', clientMutationId: randomUUID() },
    });
    const done = submissionOf(await edits.complete(submissionId));
    expect(done).toMatchObject({
      outcome: 'partial',
      metadata: { status: 'failed', error: { code: 'revision.stale' } },
      items: [
        { status: 'failed', error: { code: 'revision.stale' } },
        { status: 'failed', error: { code: 'slot.occupied' } },
        { status: 'succeeded', assetId: held.otherMovie.id },
      ],
    });
    const owned = await catalogue.get(`/me/sets/${setId}`, token);
    expect(owned.body).toMatchObject({ data: { title: 'Before' } });
    expect(dataOf(owned).assets).toContainEqual(
      expect.objectContaining({ id: held.movie.id, languageCode: 'it' }),
    );
  });

  it('takes 300 items, and not one more', async () => {
    const show = plantShow(catalogue.database, 910_001, 301);
    setId = show.setId;
    const card = await picture(640, 360);
    const files = show.episodes.map((_, index) => declare(card, `card ${index}.png`));
    const all = files.map((file, index) =>
      addition(file, index, { targetKind: 'episode', targetId: show.episodes[index], slot: 'titlecard' }),
    );
    expect(await admit(await admission(all))).toMatchObject({
      status: 422,
      body: refusal('submission.too_many_items', { maxItems: 300 }),
    });
    const body = await admission(all.slice(0, 300));
    const { submissionId } = submissionOf(await admit(body));
    for (let next = 0; next < 300; next += 10) {
      await Promise.all(files.slice(next, next + 10).map((file) => edits.send(submissionId, file)));
    }
    const done = submissionOf(await edits.complete(submissionId));
    expect(done.outcome).toBe('succeeded');
    expect(done.items).toHaveLength(300);
    expect(new Set(done.items.map(({ assetId }) => assetId)).size).toBe(300);
    expect(effectsOf(catalogue, body.clientMutationId).filter((one) => one === 'asset.add')).toHaveLength(
      300,
    );
  });

  it.each([
    ['talent_set', 'person', 'people'],
    ['category_set', 'category', 'categories'],
  ])('of a %s works the same way', async (setKind, kind, table) => {
    const target = { kind, id: catalogue.database.only(`SELECT id FROM ${table} LIMIT 1`).integer('id') };
    const made = await catalogue.post('/me/grouping-sets', token, {
      setKind,
      titleBase: 'Grouped',
      entryTargetKind: kind,
      entryTargetId: target.id,
    });
    setId = Number(dataOf(made).id);
    const free = await standalone(target, 'poster');
    const body = await admission([existing('assign', 0, posterOf(target), free)], { setKind });
    const { submissionId } = submissionOf(await admit(body));
    expect(submissionOf(await edits.complete(submissionId)).outcome).toBe('succeeded');
    expect(dataOf(await catalogue.get(`/me/sets/${setId}`, token)).assets).toMatchObject([{ id: free.id }]);
  });
});

describe('the admission of a grouped edit', () => {
  it('is answered with its receipt when it is sent again, whatever has become of it', async () => {
    const file = declare(await poster());
    const body = await admission([replacement(file, 0, posterOf(works.movie), held.movie)]);
    const receipt = await admit(body);
    const { submissionId } = submissionOf(receipt);
    expect(await admit(body)).toMatchObject({ status: 200, body: receipt.body });
    await edits.send(submissionId, file);
    await edits.complete(submissionId);
    expect(await admit(body)).toMatchObject({ status: 200, body: receipt.body });
    expect(await admit({ ...body, titleBase: 'Another' })).toMatchObject({
      status: 409,
      body: refusal('client_mutation.reused'),
    });
    expect(
      effectsOf(catalogue, body.clientMutationId).filter((one) => one === 'set.edit.admit'),
    ).toHaveLength(1);
  });

  it.each<[string, (file: Declared) => object, number, string, string[]]>([
    [
      'a stale Set',
      () => ({ expectedUpdatedAt: '2020-01-01T00:00:00.000Z' }),
      409,
      'revision.stale',
      ['expectedUpdatedAt'],
    ],
    ['another setKind', () => ({ setKind: 'brand_set' }), 422, 'set.kind', ['setKind']],
    ['another Set than the path’s', () => ({ setId: sets.ungrouped }), 400, 'request.invalid', ['setId']],
    ['no revision', () => ({ expectedUpdatedAt: null }), 400, 'request.invalid', ['expectedUpdatedAt']],
    [
      'a field said twice',
      () => ({ titleBase: 'a', metadata: { titleBase: 'b' } }),
      400,
      'request.invalid',
      ['titleBase'],
    ],
    ['an unknown field', () => ({ title: 'a' }), 400, 'request.invalid', ['title']],
    ['an unknown edition', () => ({ editionId: 99 }), 422, 'edition.unknown', ['editionId']],
    [
      'an unknown operation',
      () => ({ items: [{ ...existing('remove', 0, posterOf(works.movie), held.movie) }] }),
      400,
      'request.invalid',
      ['items', '0', 'operation'],
    ],
    [
      'an addition to a taken slot',
      (file) => ({ items: [addition(file, 0, posterOf(works.movie))] }),
      409,
      'slot.occupied',
      ['items', '0', 'slot'],
    ],
    [
      'a stale Asset',
      (file) => ({ items: [replacement(file, 0, posterOf(works.movie), { ...held.movie, updatedAt: 'x' })] }),
      409,
      'revision.stale',
      ['items', '0', 'expectedAssetUpdatedAt'],
    ],
    [
      'a replacement elsewhere',
      (file) => ({ items: [replacement(file, 0, logoOf(works.movie), held.movie)] }),
      422,
      'asset.other_place',
      ['items', '0', 'expectedPreviousAssetId'],
    ],
    [
      'a replacement of an unknown Asset',
      (file) => ({
        items: [replacement(file, 0, posterOf(works.movie), { ...held.movie, id: randomUUID() })],
      }),
      404,
      'not_found',
      ['items', '0', 'expectedPreviousAssetId'],
    ],
    [
      'an assignment of the Set’s own artwork',
      () => ({ items: [existing('assign', 0, posterOf(works.movie), held.movie)] }),
      409,
      'asset.not_standalone',
      ['items', '0', 'existingAssetId'],
    ],
    [
      'metadata that is not there',
      () => ({ items: [existing('asset_metadata', 0, posterOf(works.movie), held.movie)] }),
      400,
      'request.invalid',
      ['items', '0'],
    ],
    [
      'a metadata edit with a file',
      (file) => ({
        items: [
          {
            ...existing('asset_metadata', 0, posterOf(works.movie), held.movie),
            languageCode: 'de',
            declaredFile: fileOf(file),
          },
        ],
      }),
      400,
      'request.invalid',
      ['items', '0', 'declaredFile'],
    ],
    [
      'an unused field left out',
      (file) => ({ items: [{ ...addition(file, 0, logoOf(works.movie)), existingAssetId: undefined }] }),
      400,
      'request.invalid',
      ['items', '0', 'existingAssetId'],
    ],
    [
      'two items for one Asset',
      (file) => ({
        items: [
          replacement(file, 0, posterOf(works.movie), held.movie),
          existing('asset_metadata', 1, posterOf(works.movie), held.movie, { languageCode: 'de' }),
        ],
      }),
      422,
      'item.repeated',
      ['items', '1', 'existingAssetId'],
    ],
    [
      'too large a file',
      (file) => ({ items: [addition({ ...file, contentLength: 20_971_521 }, 0, logoOf(works.movie))] }),
      413,
      'asset.file.maxSize',
      ['items', '0', 'declaredFile', 'contentLength'],
    ],
  ])('with %s is refused, and leaves nothing', async (_, changes, status, code, at) => {
    const count = () =>
      catalogue.database.only('SELECT count(*) AS many FROM set_submissions').integer('many');
    const before = count();
    const body = await admission([], { titleBase: 'New', ...changes(declare(await poster())) });
    const answer = await admit(body);
    expect(answer).toMatchObject({ status, body: refusal(code) });
    expect(answer.body).toMatchObject({ error: { issues: [{ path: at }] } });
    expect(count()).toBe(before);
    expect(effectsOf(catalogue, body.clientMutationId)).toEqual([]);
  });

  it('without anything to change, of another account’s Set, or of an unknown one, is refused', async () => {
    expect(await admit(await admission([]))).toMatchObject({ status: 400 });
    const body = await admission([], { titleBase: 'Mine' });
    for (const [id, status] of [
      [sets.foreign, 403],
      [1, 404],
    ] as const) {
      const answer = await catalogue.post(`/me/sets/${id}/updates`, token, { ...body, setId: id });
      expect(answer.status).toBe(status);
    }
  });

  it('needs the scopes of its items', async () => {
    const file = declare(await poster());
    const free = await standalone(works.movie);
    const operations: readonly [string, object, string[]][] = [
      ['metadata', { titleBase: 'x' }, ['sets:write']],
      ['add', { items: [addition(file, 0, logoOf(works.collection))] }, ['sets:write', 'assets:write']],
      [
        'replace',
        { items: [replacement(file, 0, posterOf(works.movie), held.movie)] },
        ['sets:write', 'assets:replace'],
      ],
      ['assign', { items: [existing('assign', 0, logoOf(works.movie), free)] }, ['sets:write']],
      [
        'asset_metadata',
        { items: [existing('asset_metadata', 0, posterOf(works.movie), held.movie, { languageCode: 'de' })] },
        ['sets:write', 'assets:write'],
      ],
    ];
    for (const scope of [
      'sets:write',
      'sets:write assets:write',
      'sets:write assets:replace',
      'assets:write assets:replace',
    ]) {
      const asker = await catalogue.token(1, scope);
      for (const [name, changes, needed] of operations) {
        const answer = await admit({ ...(await admission([])), ...changes }, asker);
        const enough = needed.every((one) => scope.split(' ').includes(one));
        expect([scope, name, answer.status]).toEqual([scope, name, enough ? 201 : 403]);
        if (!enough) expect(answer.body).toMatchObject(refusal('insufficient_scope'));
      }
    }
  });
});

describe('the steps after it', () => {
  it('take no file for an item that needs none', async () => {
    const free = await standalone(works.movie);
    const item = existing('assign', 0, logoOf(works.movie), free);
    const { submissionId } = submissionOf(await admit(await admission([item])));
    const file = { ...declare(await poster()), itemId: item.itemId };
    expect(await edits.send(submissionId, file)).toMatchObject({
      status: 422,
      body: refusal('item.without_file'),
    });
  });

  it('need sets:write alone', async () => {
    const file = declare(await poster());
    const { submissionId } = submissionOf(
      await admit(await admission([replacement(file, 0, posterOf(works.movie), held.movie)])),
    );
    const other = new Submissions(
      catalogue,
      await catalogue.token(1, 'assets:write assets:replace'),
      '/me/set-updates',
    );
    expect((await other.send(submissionId, file)).status).toBe(403);
    expect((await other.complete(submissionId)).status).toBe(403);
    const enough = new Submissions(catalogue, await catalogue.token(1, 'sets:write'), '/me/set-updates');
    expect((await enough.send(submissionId, file)).status).toBe(201);
    expect((await enough.read(submissionId)).items).toMatchObject([{ status: 'processing' }]);
    expect((await enough.complete(submissionId)).status).toBe(200);
    const stranger = await catalogue.token(2);
    expect((await catalogue.get(`/me/set-updates/${submissionId}`, stranger)).status).toBe(403);
    expect((await catalogue.get(`/me/set-uploads/${submissionId}`, token)).status).toBe(404);
  });

  it('can fail in the end, and leave everything as it was', async () => {
    const file = declare(await poster());
    const before = await revision();
    const body = await admission([replacement(file, 0, posterOf(works.movie), held.movie)], {
      titleBase: 'No',
    });
    const { submissionId } = submissionOf(await admit(body));
    await edits.send(submissionId, file);
    const failure = { code: 'set.edit.failed', message: 'The edit could not be applied.' };
    await fetch(`${catalogue.sandbox.origin}/.sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: '/me/set-updates/*/complete', do: 'process', milliseconds: 0, failure }),
    });
    expect(submissionOf(await edits.complete(submissionId))).toMatchObject({
      outcome: 'failed',
      metadata: { status: 'failed', error: failure },
      items: [{ status: 'failed', error: failure }],
    });
    expect(await revision()).toBe(before);
    expect(effectsOf(catalogue, body.clientMutationId)).not.toContain('set.edit');
  });
});
