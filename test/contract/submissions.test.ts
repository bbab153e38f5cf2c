import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Catalogue, ids, picture, refused, startCatalogue } from './catalogue.ts';

const lag = 60_000;
let own: Catalogue;
beforeAll(async () => {
  own = await startCatalogue('small', { publicationLagMs: lag });
});
afterAll(() => own.stop());

type Family = 'set-uploads' | 'set-updates';
interface File {
  readonly itemId: string;
  readonly bytes: Buffer;
}
interface Place {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}
interface Asset {
  readonly id: string;
  readonly updatedAt: string;
}

const posterOf = (targetId: number): Place => ({ targetKind: 'movie', targetId, slot: 'poster' });
const place = posterOf(ids.movie);
const fileOf = async (width = 200, height = 300): Promise<File> => ({
  ...{ itemId: randomUUID(), bytes: await picture(width, height) },
});
const declared = ({ bytes }: File) => ({
  ...{ filename: 'a.png', contentType: 'image/png', contentLength: bytes.length, selectedSourceFrame: null },
});

/** A new Set of a collection with these files as posters of its movies. */
const creationOf = (files: readonly File[], changes: object = {}) => ({
  ...{ clientMutationId: randomUUID(), setKind: 'media_set', entryTargetKind: 'collection' },
  ...{ entryTargetId: ids.collection, titleBase: 'New Set', description: null, languageCode: 'en' },
  ...{ editionId: null, finalised: true, destination: null },
  declaredFiles: files.map((file, position) => ({
    ...{ itemId: file.itemId, position, ...posterOf(position === 0 ? ids.movie : ids.otherMovie) },
    ...declared(file),
  })),
  ...changes,
});

const idOf = (answer: Answer) => answer.text('submission.submissionId');
const admit = async (body: object) => idOf(await own.post('/me/set-uploads', body));
const send = (family: Family, id: string, { itemId, bytes }: File, headers = {}) =>
  own.post(`/me/${family}/${id}/assets?itemId=${itemId}`, bytes, {
    headers: { 'content-type': 'image/png', 'x-upload-filename': 'a.png', ...headers },
  });
const complete = (family: Family, id: string) => own.post(`/me/${family}/${id}/complete`, {});
const statusOf = async (family: Family, id: string) =>
  Object((await own.get(`/me/${family}/${id}`)).body).submission;

const unused = { existingAssetId: null, expectedPreviousAssetId: null, expectedAssetUpdatedAt: null };
const addition = (file: File, at: Place) => ({
  ...{ operation: 'add', itemId: file.itemId, position: 0, ...at, ...unused, declaredFile: declared(file) },
});
const replacement = (file: File, at: Place, { id, updatedAt }: Asset) => ({
  ...{ ...addition(file, at), operation: 'replace' },
  ...{ expectedPreviousAssetId: id, expectedAssetUpdatedAt: updatedAt },
});
const ofAsset = (operation: string, at: Place, { id, updatedAt }: Asset, changes: object = {}) => ({
  ...{ operation, itemId: randomUUID(), position: 0, ...at, ...unused, declaredFile: null },
  ...{ existingAssetId: id, expectedAssetUpdatedAt: updatedAt, ...changes },
});

/** A grouped edit of a Set at its revision of now. */
const editOf = async (setId: number, items: readonly object[], changes: object = {}) => ({
  ...{ clientMutationId: randomUUID(), setId, setKind: 'media_set', items },
  expectedUpdatedAt: await own.revision(`/me/sets/${setId}`),
  ...changes,
});
const admitEdit = async (setId: number, items: readonly object[], changes: object = {}) =>
  own.post(`/me/sets/${setId}/updates`, await editOf(setId, items, changes));

/** A Set of its own for a test, with a poster of each movie of the collection. */
async function newSet() {
  const files = [await fileOf(), await fileOf()];
  const id = await admit(creationOf(files));
  for (const file of files) await send('set-uploads', id, file);
  const { submission } = Object((await complete('set-uploads', id)).body);
  own.pass(lag);
  const [first, second] = submission.items.map((item: { assetId: string; updatedAt: string }) => ({
    ...{ id: item.assetId, updatedAt: item.updatedAt },
  }));
  return { setId: submission.setId, first, second };
}

describe('a new Set', () => {
  test('is declared, filled and completed, once, and nothing shows before', async () => {
    const files = [await fileOf(), await fileOf()];
    const [one, two] = [await fileOf(), await fileOf()];
    const body = creationOf([one, two], { destination: { id: ids.boxset, kind: 'boxset' } });
    const [id, again] = await Promise.all([admit(body), admit(body)]);
    expect(again).toBe(id);
    expect(await complete('set-uploads', id)).toMatchObject(refused(409, 'submission.files_pending'));
    expect((await send('set-uploads', id, one)).body).toMatchObject({ item: { status: 'processing' } });
    const before = await statusOf('set-uploads', id);
    expect(before).toMatchObject({ status: 'processing', outcome: null, setId: null });
    expect(before.items).toMatchObject([{ status: 'processing', assetId: null }, { status: 'pending' }]);
    expect(await complete('set-uploads', id)).toMatchObject(refused(409, 'submission.files_pending'));
    await send('set-uploads', id, two);
    expect(await own.effects(body.clientMutationId)).not.toContain('set.create');
    const completed = await complete('set-uploads', id);
    const { submission } = Object(completed.body);
    expect(submission).toMatchObject({ outcome: 'succeeded', publicationStatus: 'pending' });
    const { assets, ...set } = await own.owned(`/me/sets/${submission.setId}`);
    expect(set).toMatchObject({
      title: 'New Set',
      languageCode: 'en',
      finalised: true,
      group: { id: ids.boxset },
    });
    const idsOf = (list: Record<string, string>[], name: string) => list.map((item) => item[name]).sort();
    expect(idsOf(assets, 'id')).toEqual(idsOf(submission.items, 'assetId'));
    expect(await complete('set-uploads', id)).toMatchObject({ status: 200, body: completed.body });
    expect((await own.effects(body.clientMutationId)).filter((one) => one === 'set.create')).toHaveLength(1);
    expect(await own.shown(`/collection-set/${submission.setId}`)).toBe(404);
    own.pass(lag);
    expect((await statusOf('set-uploads', id)).publicationStatus).toBe('succeeded');
    const shown = await own.shown(`/collection-set/${submission.setId}`);
    expect(shown.collection.movies).toMatchObject(
      files.map(() => ({ poster: expect.any(String), logo: null })),
    );
    const other = await own.post('/me/set-uploads', { ...body, titleBase: 'Other' });
    expect(other).toMatchObject(refused(409, 'client_mutation.reused'));
    expect(await admit(body)).toBe(id);
  });

  test('is partial if a file was refused, and fails without any', async () => {
    for (const good of [true, false]) {
      const [bad, kept] = [await fileOf(300, 300), await fileOf()];
      const id = await admit(creationOf(good ? [bad, kept] : [bad]));
      expect(await send('set-uploads', id, bad)).toMatchObject(refused(422, 'asset.file.ratio'));
      if (good) await send('set-uploads', id, kept);
      const { submission } = Object((await complete('set-uploads', id)).body);
      expect(submission.outcome).toBe(good ? 'partial' : 'failed');
      expect(submission.items[0]).toMatchObject({ status: 'failed', error: { code: 'asset.file.ratio' } });
      expect(submission.setId === null).toBe(!good);
    }
  });

  const small: File = { itemId: randomUUID(), bytes: Buffer.alloc(9) };
  const [file = small] = creationOf([small]).declaredFiles;
  test.each<[number, string, object]>([
    [400, 'invalid_request', { declaredFiles: [] }],
    [400, 'invalid_request', { declaredFiles: [{ ...file, filename: 'a/b.png' }] }],
    [400, 'invalid_request', { entryTargetKind: 'season' }],
    [422, 'edition.unknown', { editionId: 99 }],
    [422, 'destination.incompatible', { destination: { id: ids.loadout, kind: 'boxset' } }],
    [403, 'resource.not_owned', { destination: { id: ids.foreignBoxset, kind: 'boxset' } }],
    [422, 'target.outside_set', { declaredFiles: [{ ...file, targetKind: 'show', targetId: ids.show }] }],
    [422, 'slot.unsupported', { declaredFiles: [{ ...file, slot: 'titlecard' }] }],
    [422, 'item.repeated', { declaredFiles: [file, { ...file, slot: 'logo' }] }],
    [422, 'item.repeated', { declaredFiles: [file, { ...file, itemId: randomUUID() }] }],
    [413, 'asset.file.maxSize', { declaredFiles: [{ ...file, contentLength: 20_971_521 }] }],
  ])('is refused with %i %s', async (status, code, changes) => {
    const answer = await own.post('/me/set-uploads', creationOf([small], changes));
    expect(answer).toMatchObject(refused(status, code));
  });
});

test('the file of an item is what was declared, and arrives once', async () => {
  const file = await fileOf();
  const id = await admit(creationOf([file]));
  const longer = { ...file, bytes: Buffer.concat([file.bytes, Buffer.alloc(1)]) };
  const conflicts = [
    send('set-uploads', id, longer),
    send('set-uploads', id, file, { 'x-upload-filename': 'b.png' }),
    send('set-uploads', id, file, { 'content-type': 'image/jpeg' }),
  ];
  for (const answer of await Promise.all(conflicts)) {
    expect(answer).toMatchObject(refused(409, 'file.declaration_conflict'));
  }
  const digest = { 'x-upload-sha256': '0'.repeat(64) };
  expect(await send('set-uploads', id, file, digest)).toMatchObject(
    refused(422, 'asset.file.digest_mismatch'),
  );
  const answers = await Promise.all([1, 2, 3].map(() => send('set-uploads', id, file)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  const changed = { ...file, bytes: Buffer.from(file.bytes).reverse() };
  expect(await send('set-uploads', id, changed)).toMatchObject(refused(409, 'file.already_received'));
  const unknown = { ...file, itemId: randomUUID() };
  expect(await send('set-uploads', id, unknown)).toMatchObject(refused(404, 'not_found'));
  expect((await send('set-updates', id, file)).status).toBe(404);
  expect((await own.get(`/me/set-uploads/${id}`, { token: own.token(2) })).status).toBe(403);
});

test('a file or a completion may be processed for a while, and fail in the end', async () => {
  for (const [what, failure] of [
    ['assets', null],
    ['assets', { code: 'asset.broken', message: 'It broke.' }],
    ['complete', null],
    ['complete', { code: 'set.broken', message: 'It broke.' }],
  ] as const) {
    const file = await fileOf();
    const id = await admit(creationOf([file]));
    const fault = { do: 'process', milliseconds: 5_000, failure };
    await own.control.fail({ method: 'POST', path: `/me/set-uploads/*/${what}`, ...fault });
    await send('set-uploads', id, file);
    expect((await complete('set-uploads', id)).status).toBe(what === 'assets' ? 409 : 200);
    const open = { status: 'processing', outcome: null, setId: null, items: [{ status: 'processing' }] };
    expect(await statusOf('set-uploads', id)).toMatchObject(open);
    own.pass(5_000);
    await complete('set-uploads', id);
    const ended = what === 'assets' ? 'failed' : 'rolled_back';
    const outcome = failure === null ? 'succeeded' : ended;
    const items = [{ status: outcome, error: failure }];
    expect(await statusOf('set-uploads', id)).toMatchObject({ status: 'completed', outcome, items });
  }
});

describe('a grouped edit', () => {
  const collection = { targetKind: 'collection', targetId: ids.collection };

  test('adds, replaces, assigns and edits, and shows nothing before it is completed', async () => {
    const { setId, first, second } = await newSet();
    const [backdrop, replacing] = [await fileOf(400, 225), await fileOf()];
    const alone = await own.asset({ ...collection, slot: 'poster' });
    const items = [
      addition(backdrop, { ...collection, slot: 'backdrop' }),
      replacement(replacing, place, first),
      ofAsset('assign', { ...collection, slot: 'poster' }, alone),
      ofAsset('asset_metadata', posterOf(ids.otherMovie), second, { languageCode: 'fr' }),
    ];
    const edit = { titleBase: 'Edited', description: 'New' };
    const id = idOf(await admitEdit(setId, items, edit));
    for (const file of [backdrop, replacing]) await send('set-updates', id, file);
    own.pass(lag);
    const before = await own.shown(`/collection-set/${setId}`);
    expect(before).toMatchObject({ title: 'New Set', collection: { backdrop: null, poster: null } });
    const { submission } = Object((await complete('set-updates', id)).body);
    expect(submission).toMatchObject({ outcome: 'succeeded', setId, set: { id: setId } });
    own.pass(lag);
    expect(await own.shown(`/collection-set/${setId}`)).toMatchObject({
      ...{ title: 'Edited', description: 'New' },
      collection: { backdrop: expect.any(String), poster: expect.stringContaining(alone.id) },
    });
    const set = await own.owned(`/me/sets/${setId}`);
    expect(set.updatedAt).toBe(submission.set.updatedAt);
    const made = submission.items.map(({ assetId }: { assetId: string }) => assetId);
    expect(made.slice(2)).toEqual([alone.id, second.id]);
    expect(set.assets.map((asset: Asset) => asset.id).sort()).toEqual([...made].sort());
    expect((await own.owned(`/me/assets/${second.id}`)).languageCode).toBe('fr');
    expect((await own.owned(`/me/assets/${first.id}`)).replacedByAssetId).toBe(made[1]);
  });

  test('saves its metadata and keeps the old artwork if its replacements fail, and changes nothing without', async () => {
    const { setId, first } = await newSet();
    for (const [metadata, outcome] of [
      [{ titleBase: 'Saved' }, 'partial'],
      [{}, 'failed'],
    ] as const) {
      const revision = await own.revision(`/me/sets/${setId}`);
      const bad = await fileOf(300, 300);
      const id = idOf(await admitEdit(setId, [replacement(bad, place, first)], metadata));
      await send('set-updates', id, bad);
      expect((await complete('set-updates', id)).body).toMatchObject({ submission: { outcome } });
      const { title, assets, updatedAt } = await own.owned(`/me/sets/${setId}`);
      expect([title, updatedAt === revision]).toEqual(['Saved', outcome === 'failed']);
      expect(assets.map((asset: Asset) => asset.id)).toContain(first.id);
    }
  });

  test('checks again at its completion what has changed since', async () => {
    const { setId, first, second } = await newSet();
    const id = idOf(
      await admitEdit(
        setId,
        [
          ofAsset('asset_metadata', place, first, { languageCode: 'fr' }),
          ofAsset('asset_metadata', posterOf(ids.otherMovie), second, { languageCode: 'fr' }),
        ],
        { titleBase: 'Stale' },
      ),
    );
    const edit = { expectedUpdatedAt: first.updatedAt, languageCode: 'de' };
    await own.post(`/me/assets/${first.id}/metadata`, edit);
    const { submission } = Object((await complete('set-updates', id)).body);
    expect(submission.outcome).toBe('partial');
    const failed = { status: 'failed', error: { code: 'revision.stale' } };
    expect(submission.items).toMatchObject([failed, { status: 'succeeded' }]);
    expect((await own.owned(`/me/sets/${setId}`)).title).toBe('New Set');
    expect((await own.owned(`/me/assets/${first.id}`)).languageCode).toBe('de');
  });

  test('is admitted once for each identity, at the revision of the Set, with the scopes of its items', async () => {
    const { setId, first } = await newSet();
    const path = `/me/sets/${setId}/updates`;
    const body = await editOf(setId, [], { titleBase: 'Once' });
    const id = idOf(await own.post(path, body));
    await complete('set-updates', id);
    expect(idOf(await own.post(path, body))).toBe(id);
    const late = await own.post(path, { ...body, clientMutationId: randomUUID() });
    expect(late).toMatchObject(refused(409, 'revision.stale'));
    for (const [item, scope] of [
      [addition(await fileOf(400, 225), { ...collection, slot: 'backdrop' }), 'assets:write'],
      [ofAsset('asset_metadata', place, first, { editionId: null }), 'assets:write'],
      [replacement(await fileOf(), place, first), 'assets:replace'],
    ] as const) {
      for (const scopes of [['sets:write'], ['sets:write', scope]]) {
        const answer = await own.post(path, await editOf(setId, [item]), { token: own.token(1, scopes) });
        expect(answer.status).toBe(scopes.length === 1 ? 403 : 201);
      }
    }
  });

  test('is refused for what it can’t do', async () => {
    const { setId, first, second } = await newSet();
    const file = await fileOf();
    const edit = (asset: Asset, changes: object = {}) =>
      ofAsset('asset_metadata', place, asset, { languageCode: 'fr', ...changes });
    const show = { targetKind: 'show', targetId: ids.show, slot: 'poster' };
    const many = Array.from({ length: 301 }, () => edit(first));
    const cases: [number, string, object[], object?][] = [
      [400, 'invalid_request', [edit(first)], { setId: ids.collectionSet }],
      [400, 'invalid_request', many],
      [422, 'item.repeated', many.slice(1)],
      [422, 'set.kind', [edit(first)], { setKind: 'talent_set' }],
      [409, 'revision.stale', [edit(first)], { expectedUpdatedAt: 'old' }],
      [409, 'revision.stale', [edit({ ...first, updatedAt: 'old' })]],
      [422, 'asset.other_place', [edit(second)]],
      [422, 'edition.unknown', [edit(first, { editionId: 99 })]],
      [409, 'slot.occupied', [addition(file, place)]],
      [422, 'target.outside_set', [addition(file, show)]],
      [422, 'asset.other_place', [replacement(file, posterOf(ids.otherMovie), first)]],
      [409, 'asset.not_standalone', [ofAsset('assign', place, first)]],
    ];
    for (const [status, code, items, changes] of cases) {
      expect(await admitEdit(setId, items, changes), code).toMatchObject(refused(status, code));
    }
  });
});
