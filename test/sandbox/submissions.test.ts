import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Answer, ids, type Owner, ownOwner, refused, startOwner } from './owner.ts';
import { picture } from './me-pictures.ts';

let owner: Owner;
beforeAll(async () => {
  owner = await startOwner();
});
afterAll(() => owner.stop());

const none = { existingAssetId: null, expectedPreviousAssetId: null, expectedAssetUpdatedAt: null };
const film = { targetKind: 'movie', targetId: ids.movie, slot: 'poster' };

interface File {
  readonly itemId: string;
  readonly bytes: Buffer;
  readonly filename: string;
  readonly contentType: string;
}

function fileOf(bytes: Buffer, contentType = 'image/png'): File {
  return { itemId: randomUUID(), bytes, filename: 'picture.png', contentType };
}

function declared({ bytes, filename, contentType }: File, selectedSourceFrame: number | null = null) {
  return { filename, contentType, contentLength: bytes.length, selectedSourceFrame };
}

/** The body that declares a new Set of a movie, with a poster in each file. */
function creationOf(files: readonly object[], changes: object = {}) {
  return {
    ...{ clientMutationId: randomUUID(), setKind: 'media_set', entryTargetKind: 'movie' },
    ...{ entryTargetId: ids.movie, titleBase: 'New Set', description: null, languageCode: 'en' },
    ...{ editionId: null, finalised: false, destination: null, declaredFiles: files, ...changes },
  };
}

const fileItem = (file: File, place: object = film, position = 0) => ({
  ...{ itemId: file.itemId, position, ...place, ...declared(file) },
});

type Family = 'set-uploads' | 'set-updates';

function sendFile(
  who: Owner,
  family: Family,
  id: string,
  file: File,
  headers: Record<string, string | null> = {},
) {
  return who.ask('POST', `/me/${family}/${id}/assets?itemId=${file.itemId}`, {
    body: file.bytes,
    headers: { 'content-type': file.contentType, 'x-upload-filename': file.filename, ...headers },
  });
}

const complete = (who: Owner, family: Family, id: string) => who.post(`/me/${family}/${id}/complete`, {});
const record = async (who: Owner, family: Family, id: string) =>
  Object((await who.get(`/me/${family}/${id}`)).body).submission;
const idOf = (answer: Answer) => answer.text('submission.submissionId');

/** A grouped edit of the Set, at its revision of now. */
async function editOf(setId: number, items: readonly object[], changes: object = {}) {
  const expectedUpdatedAt = await owner.revision(`/me/sets/${setId}`);
  const named = { clientMutationId: randomUUID(), setId, setKind: 'media_set', expectedUpdatedAt };
  return { ...named, items: items.map((item, position) => ({ position, ...item })), ...changes };
}

const admitEdit = async (setId: number, items: readonly object[], changes: object = {}) =>
  owner.post(`/me/sets/${setId}/updates`, await editOf(setId, items, changes));

describe('a new Set', () => {
  it('is declared, filled and completed, and nothing shows before', async () => {
    const slow = await ownOwner({ publicationLagMs: 60_000 });
    const [one, two] = [fileOf(await picture(200, 300)), fileOf(await picture(400, 225))];
    const backdrop = { ...film, slot: 'backdrop' };
    const destination = { id: ids.boxset, kind: 'boxset', title: 'as it came' };
    const body = creationOf([fileItem(one), fileItem(two, backdrop, 1)], { destination, finalised: true });
    const admitted = await slow.post('/me/set-uploads', body);
    expect(admitted).toMatchObject({
      status: 201,
      body: { submission: { status: 'processing', outcome: null } },
    });
    const id = idOf(admitted);
    expect(await complete(slow, 'set-uploads', id)).toMatchObject(refused(409, 'submission.files_pending'));
    expect(await sendFile(slow, 'set-uploads', id, one)).toMatchObject({
      status: 201,
      body: { item: { itemId: one.itemId, status: 'processing', assetId: null } },
    });
    expect((await record(slow, 'set-uploads', id)).items).toMatchObject([
      { status: 'processing' },
      { status: 'pending' },
    ]);
    await sendFile(slow, 'set-uploads', id, two);
    expect(slow.effects(body.clientMutationId)).not.toContain('set.create');
    const before = await slow.revision(`/me/groups/${ids.boxset}`);
    const completed = await complete(slow, 'set-uploads', id);
    const { submission } = Object(completed.body);
    expect(submission).toMatchObject({
      ...{ status: 'completed', outcome: 'succeeded', publicationStatus: 'pending' },
      items: [{ status: 'succeeded' }, { status: 'succeeded' }],
    });
    const set = await slow.get(`/me/sets/${submission.setId}`);
    expect(set.body).toMatchObject({
      data: {
        ...{
          kind: 'movie_set',
          title: 'New Set',
          languageCode: 'en',
          finalised: true,
          group: { id: ids.boxset },
        },
        updatedAt: submission.set.updatedAt,
        assets: [{ slot: expect.any(String), languageCode: 'en' }, {}],
      },
    });
    expect(
      Object(set.body)
        .data.assets.map((asset: { id: string }) => asset.id)
        .sort(),
    ).toEqual(submission.items.map((item: { assetId: string }) => item.assetId).sort());
    expect((await slow.revision(`/me/groups/${ids.boxset}`)) > before).toBe(true);
    expect(await complete(slow, 'set-uploads', id)).toMatchObject({ status: 200, body: completed.body });
    expect(slow.effects(body.clientMutationId).filter((one) => one === 'set.create')).toHaveLength(1);
    expect(await slow.shown(`/movie-set/${submission.setId}`)).toBe(404);
    slow.pass(60_000);
    expect(await record(slow, 'set-uploads', id)).toMatchObject({ publicationStatus: 'succeeded' });
    expect(await slow.shown(`/movie-set/${submission.setId}`)).toMatchObject({
      movie: { poster: expect.any(String), backdrop: expect.any(String), logo: null },
    });
  });

  it('is admitted once for each identity, and its declarations stay as they are', async () => {
    const file = fileOf(await picture(200, 300));
    const body = creationOf([fileItem(file)]);
    const [one, two] = await Promise.all([
      owner.post('/me/set-uploads', body),
      owner.post('/me/set-uploads', body),
    ]);
    expect(idOf(one)).toBe(idOf(two));
    await sendFile(owner, 'set-uploads', idOf(one), file);
    await complete(owner, 'set-uploads', idOf(one));
    expect(idOf(await owner.post('/me/set-uploads', body))).toBe(idOf(one));
    expect(await owner.post('/me/set-uploads', { ...body, titleBase: 'Other' })).toMatchObject(
      refused(409, 'client_mutation.reused'),
    );
  });

  it('is partial if a file was refused, and fails without any', async () => {
    for (const [good, outcome] of [
      [true, 'partial'],
      [false, 'failed'],
    ] as const) {
      const bad = fileOf(await picture(300, 300));
      const kept = fileOf(await picture(400, 225));
      const items = [fileItem(bad), ...(good ? [fileItem(kept, { ...film, slot: 'backdrop' }, 1)] : [])];
      const id = idOf(await owner.post('/me/set-uploads', creationOf(items)));
      expect(await sendFile(owner, 'set-uploads', id, bad)).toMatchObject(refused(422, 'asset.file.ratio'));
      expect(await sendFile(owner, 'set-uploads', id, bad)).toMatchObject({ status: 422 });
      if (good) await sendFile(owner, 'set-uploads', id, kept);
      const { submission } = Object((await complete(owner, 'set-uploads', id)).body);
      expect(submission).toMatchObject({ outcome, publicationStatus: good ? 'succeeded' : 'not_required' });
      expect(submission.items[0]).toMatchObject({
        status: 'failed',
        assetId: null,
        error: { code: 'asset.file.ratio' },
      });
      expect(submission.setId).toEqual(good ? expect.any(Number) : null);
      if (good) {
        expect((await owner.get(`/me/sets/${submission.setId}`)).body).toMatchObject({
          data: { assets: [{ id: submission.items[1].assetId }] },
        });
      }
    }
  });

  const [a, b] = [fileOf(Buffer.alloc(9)), fileOf(Buffer.alloc(9))];
  const good = fileItem(a);
  it.each<[number, string, object[], object?]>([
    [400, 'invalid_request', []],
    [400, 'invalid_request', [{ ...good, filename: 'a/b.png' }]],
    [400, 'invalid_request', [good], { entryTargetKind: 'season' }],
    [422, 'edition.unknown', [good], { editionId: 99 }],
    [422, 'destination.incompatible', [good], { destination: { id: ids.loadout, kind: 'boxset' } }],
    [403, 'resource.not_owned', [good], { destination: { id: ids.foreignBoxset, kind: 'boxset' } }],
    [422, 'target.outside_set', [{ ...good, targetId: ids.otherMovie }]],
    [422, 'slot.unsupported', [{ ...good, slot: 'titlecard' }]],
    [422, 'item.repeated', [good, fileItem(b, film, 1)]],
    [422, 'item.repeated', [good, fileItem(a, { ...film, slot: 'logo' }, 1)]],
    [413, 'asset.file.maxSize', [{ ...good, contentLength: 20_971_521 }]],
  ])('is refused with %i %s', async (status, code, files, changes = {}) => {
    expect(await owner.post('/me/set-uploads', creationOf(files, changes))).toMatchObject(
      refused(status, code),
    );
  });
});

describe('the file of an item', () => {
  it('is what was declared, and arrives once', async () => {
    const file = fileOf(await picture(200, 300));
    const id = idOf(await owner.post('/me/set-uploads', creationOf([fileItem(file)])));
    const conflict = refused(409, 'file.declaration_conflict');
    const other = { ...file, bytes: Buffer.concat([file.bytes, Buffer.alloc(1)]) };
    expect(await sendFile(owner, 'set-uploads', id, other)).toMatchObject(conflict);
    expect(await sendFile(owner, 'set-uploads', id, { ...file, filename: 'other.png' })).toMatchObject(
      conflict,
    );
    expect(await sendFile(owner, 'set-uploads', id, { ...file, contentType: 'image/jpeg' })).toMatchObject(
      conflict,
    );
    const digest = { 'x-upload-sha256': '0'.repeat(64) };
    expect(await sendFile(owner, 'set-uploads', id, file, digest)).toMatchObject(
      refused(422, 'asset.file.digest_mismatch'),
    );
    const answers = await Promise.all([1, 2, 3].map(() => sendFile(owner, 'set-uploads', id, file)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const changed = { ...file, bytes: Buffer.from(file.bytes).reverse() };
    expect(await sendFile(owner, 'set-uploads', id, changed)).toMatchObject(
      refused(409, 'file.already_received'),
    );
    const unknown = { ...file, itemId: randomUUID() };
    expect(await sendFile(owner, 'set-uploads', id, unknown)).toMatchObject(refused(404, 'not_found'));
    expect((await sendFile(owner, 'set-updates', id, file)).status).toBe(404);
    const path = `/me/set-uploads/${id}`;
    expect((await owner.get(path, { token: owner.token(2) })).status).toBe(403);
  });

  it('can be processed for a while, and fail in the end', async () => {
    for (const failure of [null, { code: 'asset.broken', message: 'It broke.' }]) {
      const file = fileOf(await picture(200, 300));
      const id = idOf(await owner.post('/me/set-uploads', creationOf([fileItem(file)])));
      await owner.fault({ path: '/me/set-uploads/*/assets', do: 'process', milliseconds: 5_000, failure });
      expect((await sendFile(owner, 'set-uploads', id, file)).status).toBe(201);
      expect((await record(owner, 'set-uploads', id)).items).toMatchObject([
        { status: 'processing', error: null },
      ]);
      expect((await complete(owner, 'set-uploads', id)).status).toBe(409);
      owner.pass(5_000);
      expect((await record(owner, 'set-uploads', id)).items).toMatchObject([
        failure === null ? { status: 'processing' } : { status: 'failed', error: failure },
      ]);
      expect((await complete(owner, 'set-uploads', id)).body).toMatchObject({
        submission: { outcome: failure === null ? 'succeeded' : 'failed' },
      });
    }
  });
});

test('the outcome of a completion may be open for a while, and a new Set may be rolled back', async () => {
  for (const failure of [null, { code: 'set.broken', message: 'It broke.' }]) {
    const file = fileOf(await picture(200, 300));
    const id = idOf(await owner.post('/me/set-uploads', creationOf([fileItem(file)])));
    await sendFile(owner, 'set-uploads', id, file);
    await owner.fault({
      path: '/me/set-uploads/*/complete',
      do: 'process',
      milliseconds: 5_000,
      failure,
    });
    expect((await complete(owner, 'set-uploads', id)).body).toMatchObject({
      submission: {
        status: 'processing',
        outcome: null,
        setId: null,
        items: [{ status: 'processing', assetId: null }],
      },
    });
    owner.pass(5_000);
    expect(await record(owner, 'set-uploads', id)).toMatchObject(
      failure === null
        ? {
            status: 'completed',
            outcome: 'succeeded',
            setId: expect.any(Number),
            items: [{ status: 'succeeded' }],
          }
        : {
            outcome: 'rolled_back',
            setId: null,
            items: [{ status: 'rolled_back', assetId: null, error: failure }],
          },
    );
  }
});

describe('a grouped edit', () => {
  const set = ids.collectionSet;
  const posterOf = (targetId: number) => ({ targetKind: 'movie', targetId, slot: 'poster' });
  const addition = (file: File, place: object) => ({
    ...{ operation: 'add', itemId: file.itemId, ...place, ...none, declaredFile: declared(file) },
  });
  const replacement = (file: File, place: object, asset: { id: string; updatedAt: string }) => ({
    ...addition(file, place),
    ...{ operation: 'replace', expectedPreviousAssetId: asset.id, expectedAssetUpdatedAt: asset.updatedAt },
  });
  const ofAsset = (
    operation: string,
    place: object,
    asset: { id: string; updatedAt: string },
    changes: object = {},
  ) => ({
    ...{ operation, itemId: randomUUID(), ...place, ...none, declaredFile: null },
    ...{ existingAssetId: asset.id, expectedAssetUpdatedAt: asset.updatedAt, ...changes },
  });
  const emptied = async () => {
    // Each test has a Set of its own, which has a poster of each of its movies.
    const body = creationOf([{}], { entryTargetKind: 'collection', entryTargetId: ids.collection });
    const files = [fileOf(await picture(200, 300)), fileOf(await picture(200, 300))];
    const places = [posterOf(ids.movie), posterOf(ids.otherMovie)];
    const declaredFiles = files.map((file, index) => fileItem(file, places[index], index));
    const id = idOf(await owner.post('/me/set-uploads', { ...body, declaredFiles }));
    for (const file of files) await sendFile(owner, 'set-uploads', id, file);
    const { submission } = Object((await complete(owner, 'set-uploads', id)).body);
    const [first, second] = submission.items.map(({ assetId, updatedAt }: Record<string, string>) => ({
      id: assetId,
      updatedAt,
    }));
    return { setId: submission.setId, first, second };
  };
  const collection = { targetKind: 'collection', targetId: ids.collection };

  it('adds, replaces, assigns and edits, and shows nothing before it is completed', async () => {
    const { setId, first, second } = await emptied();
    const replacing = fileOf(await picture(200, 300));
    const alone = await owner.asset({ ...collection, slot: 'poster' });
    const backdrop = fileOf(await picture(400, 225));
    const items = [
      addition(backdrop, { ...collection, slot: 'backdrop' }),
      replacement(replacing, posterOf(ids.movie), first),
      ofAsset('assign', { ...collection, slot: 'poster' }, alone),
      ofAsset('asset_metadata', posterOf(ids.otherMovie), second, { languageCode: 'fr' }),
    ];
    const admitted = await admitEdit(setId, items, { titleBase: 'Edited', description: 'New' });
    const id = idOf(admitted);
    for (const file of [backdrop, replacing]) await sendFile(owner, 'set-updates', id, file);
    const before = await owner.shown(`/collection-set/${setId}`);
    expect(before).toMatchObject({ title: 'New Set', collection: { backdrop: null } });
    const { submission } = Object((await complete(owner, 'set-updates', id)).body);
    expect(submission).toMatchObject({
      ...{ outcome: 'succeeded', setId },
      items: Array.from({ length: 4 }, () => ({ status: 'succeeded' })),
    });
    expect(await owner.shown(`/collection-set/${setId}`)).toMatchObject({
      ...{ title: 'Edited', description: 'New' },
      collection: { backdrop: expect.any(String), poster: expect.stringContaining(alone.id) },
    });
    expect(await owner.revision(`/me/sets/${setId}`)).toBe(submission.set.updatedAt);
    const assetIds = submission.items.map(({ assetId }: { assetId: string }) => assetId);
    expect(assetIds.slice(2)).toEqual([alone.id, second.id]);
    expect((await owner.get(`/me/assets/${second.id}`)).body).toMatchObject({ data: { languageCode: 'fr' } });
    expect((await owner.get(`/me/assets/${first.id}`)).body).toMatchObject({
      data: { replacedByAssetId: assetIds[1] },
    });
  });

  it('saves its metadata and keeps the old artwork if its replacements fail', async () => {
    const { setId, first } = await emptied();
    const bad = fileOf(await picture(300, 300));
    const id = idOf(
      await admitEdit(setId, [replacement(bad, posterOf(ids.movie), first)], { titleBase: 'Saved' }),
    );
    await sendFile(owner, 'set-updates', id, bad);
    expect((await complete(owner, 'set-updates', id)).body).toMatchObject({
      submission: { outcome: 'partial', items: [{ status: 'failed' }] },
    });
    const answer = await owner.get(`/me/sets/${setId}`);
    expect(answer.body).toMatchObject({ data: { title: 'Saved' } });
    expect(JSON.stringify(answer.body)).toContain(first.id);
  });

  it('checks again at its completion what has changed since', async () => {
    const { setId, first, second } = await emptied();
    const items = [
      ofAsset('asset_metadata', posterOf(ids.movie), first, { languageCode: 'fr' }),
      ofAsset('asset_metadata', posterOf(ids.otherMovie), second, { languageCode: 'fr' }),
    ];
    const id = idOf(await admitEdit(setId, items, { titleBase: 'Stale' }));
    await owner.post(`/me/assets/${first.id}/metadata`, {
      expectedUpdatedAt: first.updatedAt,
      languageCode: 'de',
    });
    expect((await complete(owner, 'set-updates', id)).body).toMatchObject({
      submission: {
        outcome: 'partial',
        items: [{ status: 'failed', error: { code: 'revision.stale' } }, { status: 'succeeded' }],
      },
    });
    expect((await owner.get(`/me/sets/${setId}`)).body).toMatchObject({ data: { title: 'New Set' } });
    expect((await owner.get(`/me/assets/${first.id}`)).body).toMatchObject({ data: { languageCode: 'de' } });
  });

  it('changes nothing if nothing of it succeeds, or if it is made to fail', async () => {
    const { setId, first } = await emptied();
    const revision = await owner.revision(`/me/sets/${setId}`);
    const bad = fileOf(await picture(300, 300));
    const id = idOf(await admitEdit(setId, [replacement(bad, posterOf(ids.movie), first)]));
    await sendFile(owner, 'set-updates', id, bad);
    const failed = { submission: { outcome: 'failed', set: null, publicationStatus: 'not_required' } };
    expect((await complete(owner, 'set-updates', id)).body).toMatchObject(failed);
    const failure = { code: 'set.broken', message: 'It broke.' };
    await owner.fault({ path: '/me/set-updates/*/complete', do: 'process', milliseconds: 0, failure });
    const other = idOf(await admitEdit(setId, [], { titleBase: 'Never' }));
    expect((await complete(owner, 'set-updates', other)).body).toMatchObject(failed);
    expect(await owner.revision(`/me/sets/${setId}`)).toBe(revision);
  });

  it('is admitted once for each identity, at the revision of the Set, with the scopes of its items', async () => {
    const { setId, first } = await emptied();
    const body = await editOf(setId, [], { titleBase: 'Once' });
    const path = `/me/sets/${setId}/updates`;
    const admitted = await owner.post(path, body);
    expect(idOf(await owner.post(path, body))).toBe(idOf(admitted));
    await complete(owner, 'set-updates', idOf(admitted));
    expect(idOf(await owner.post(path, body))).toBe(idOf(admitted));
    const late = { ...body, clientMutationId: randomUUID() };
    expect(await owner.post(path, late)).toMatchObject(refused(409, 'revision.stale'));
    const needs: [object, string][] = [
      [addition(fileOf(await picture(400, 225)), { ...collection, slot: 'backdrop' }), 'assets:write'],
      [ofAsset('asset_metadata', posterOf(ids.movie), first, { editionId: null }), 'assets:write'],
      [replacement(fileOf(await picture(200, 300)), posterOf(ids.movie), first), 'assets:replace'],
    ];
    for (const [item, scope] of needs) {
      for (const scopes of [['sets:write'], ['sets:write', scope]]) {
        const { status } = await owner.post(path, await editOf(setId, [item]), {
          token: owner.token(1, scopes),
        });
        expect(status).toBe(scopes.length === 1 ? 403 : 201);
      }
    }
  });

  it('is refused for what it can’t do', async () => {
    const { setId, first, second } = await emptied();
    const [place, other] = [posterOf(ids.movie), posterOf(ids.otherMovie)];
    const file = fileOf(await picture(200, 300));
    const edit = (asset: typeof first, changes: object = {}) =>
      ofAsset('asset_metadata', place, asset, { languageCode: 'fr', ...changes });
    const cases: [number, string, object[], object?][] = [
      [400, 'invalid_request', [edit(first)], { setId: set }],
      [422, 'set.kind', [edit(first)], { setKind: 'talent_set' }],
      [409, 'revision.stale', [edit(first)], { expectedUpdatedAt: 'old' }],
      [409, 'revision.stale', [edit({ ...first, updatedAt: 'old' })]],
      [422, 'asset.other_place', [edit(second)]],
      [422, 'edition.unknown', [edit(first, { editionId: 99 })]],
      [409, 'slot.occupied', [addition(file, place)]],
      [
        422,
        'target.outside_set',
        [addition(file, { targetKind: 'show', targetId: ids.show, slot: 'poster' })],
      ],
      [422, 'asset.other_place', [replacement(file, other, first)]],
      [422, 'item.repeated', [edit(first), edit(first)]],
      [409, 'asset.not_standalone', [ofAsset('assign', place, first)]],
    ];
    for (const [status, code, items, changes] of cases) {
      expect(await admitEdit(setId, items, changes), code).toMatchObject(refused(status, code));
    }
    const many = Array.from({ length: 301 }, () => edit(first, { itemId: randomUUID() }));
    expect(await admitEdit(setId, many)).toMatchObject(refused(400, 'invalid_request'));
  });
});
