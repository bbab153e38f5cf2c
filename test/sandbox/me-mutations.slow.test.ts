import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, type Heard, type OwnersCatalogue, refusal, startCatalogue, textOf } from './me-catalogue.ts';
import { animation, poster } from './me-pictures.ts';
import { groups, plantWorks, sets, works } from './me-works.ts';

const lag = 5_000;

let catalogue: OwnersCatalogue;
let token: string;
beforeAll(async () => {
  catalogue = await startCatalogue({ publicationLagMs: lag });
  plantWorks(catalogue.database);
  token = await catalogue.token(1);
});
afterAll(() => catalogue.stop());

async function added(
  changes: Record<string, string | number | null> = {},
  file?: { bytes: Buffer; contentType: string },
) {
  const receipt = await catalogue.upload('/me/assets', token, {
    bytes: file?.bytes ?? (await poster()),
    contentType: file?.contentType ?? 'image/png',
    query: {
      operation: 'add',
      clientMutationId: randomUUID(),
      slot: 'poster',
      targetKind: 'movie',
      targetId: works.movie.id,
      languageCode: 'en',
      ...changes,
    },
  });
  expect(receipt.status).toBe(201);
  return { id: textOf(receipt, 'assetId'), updatedAt: textOf(receipt, 'updatedAt') };
}

const revisionOf = async (path: string) => textOf(await catalogue.get(path, token), 'updatedAt');

const effects = (id: string) =>
  catalogue.database
    .only('SELECT count(*) AS many FROM effects WHERE client_mutation_id = ?', id)
    .integer('many');

const allEffects = () => catalogue.database.only('SELECT count(*) AS many FROM effects').integer('many');

function expectStale(answer: Heard, expected: string, current: string): void {
  expect(answer).toMatchObject({
    status: 409,
    body: refusal('revision.stale', { expectedUpdatedAt: expected, updatedAt: current }),
  });
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
}

describe('an edit of an Asset’s metadata', () => {
  const edit = (id: string, body: unknown) => catalogue.post(`/me/assets/${id}/metadata`, token, body);

  it('changes what it names, and gives a new revision', async () => {
    const { id, updatedAt } = await added();
    catalogue.pass(lag);
    const first = await edit(id, { expectedUpdatedAt: updatedAt, languageCode: 'fr', editionId: 2 });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      data: {
        operation: 'asset.metadata',
        clientMutationId: null,
        assetId: id,
        languageCode: 'fr',
        editionId: 2,
        updatedAt: expect.any(String),
        publicationStatus: 'succeeded',
        holder: null,
      },
    });
    expect(textOf(first, 'updatedAt') > updatedAt).toBe(true);
    expect(await catalogue.get(`/me/assets/${id}`, token)).toMatchObject({
      body: { data: { languageCode: 'fr', editionId: 2, updatedAt: textOf(first, 'updatedAt') } },
    });
    const second = await edit(id, { expectedUpdatedAt: textOf(first, 'updatedAt'), languageCode: null });
    expect(second.status).toBe(200);
    expect(await catalogue.get(`/me/assets/${id}`, token)).toMatchObject({
      body: { data: { languageCode: null, editionId: 2 } },
    });
    expectStale(
      await edit(id, { expectedUpdatedAt: updatedAt, languageCode: 'de' }),
      updatedAt,
      textOf(second, 'updatedAt'),
    );
  });

  it('changes the revision of the Set that holds it', async () => {
    const receipt = await catalogue.upload(`/me/sets/${sets.movie}/assets`, token, {
      bytes: await poster(),
      query: { operation: 'add', clientMutationId: randomUUID(), slot: 'poster' },
    });
    const before = await revisionOf(`/me/sets/${sets.movie}`);
    const answer = await edit(textOf(receipt, 'assetId'), {
      expectedUpdatedAt: textOf(receipt, 'updatedAt'),
      languageCode: 'it',
    });
    const after = await revisionOf(`/me/sets/${sets.movie}`);
    expect(after > before).toBe(true);
    expect(dataOf(answer).holder).toEqual({ kind: 'set', id: sets.movie, updatedAt: after });
  });

  it.each<[string, object, number, string]>([
    ['no revision', { languageCode: 'en' }, 400, 'request.invalid'],
    ['a revision of null', { expectedUpdatedAt: null, languageCode: 'en' }, 400, 'request.invalid'],
    ['nothing to change', { expectedUpdatedAt: 'NOW' }, 400, 'request.invalid'],
    ['a language that is none', { expectedUpdatedAt: 'NOW', languageCode: 'e' }, 400, 'request.invalid'],
    [
      'an unknown field',
      { expectedUpdatedAt: 'NOW', languageCode: 'en', title: 'x' },
      400,
      'request.invalid',
    ],
    ['an edition that is no id', { expectedUpdatedAt: 'NOW', editionId: 'IMAX' }, 400, 'request.invalid'],
    ['an unknown edition', { expectedUpdatedAt: 'NOW', editionId: 99 }, 422, 'edition.unknown'],
  ])('is refused with %s, and changes nothing', async (_, body, status, code) => {
    const { id, updatedAt } = await added();
    const before = allEffects();
    const filled = JSON.parse(JSON.stringify(body).replace('"NOW"', JSON.stringify(updatedAt)));
    expect(await edit(id, filled)).toMatchObject({ status, body: refusal(code) });
    expect(await revisionOf(`/me/assets/${id}`)).toBe(updatedAt);
    expect(allEffects()).toBe(before);
  });

  it.each<[string, string, Record<string, string>, number]>([
    ['not JSON', '{"expectedUpdatedAt"', {}, 400],
    ['an array', '[]', {}, 400],
    ['more than a megabyte', JSON.stringify({ x: 'x'.repeat(1024 * 1024) }), {}, 413],
  ])('is refused when its body is %s', async (_, body, __, status) => {
    const { id } = await added();
    expect((await edit(id, body)).status).toBe(status);
  });

  it('is refused as another media type', async () => {
    const { id, updatedAt } = await added();
    const answer = await fetch(`${catalogue.baseUrl}/me/assets/${id}/metadata`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
      body: JSON.stringify({ expectedUpdatedAt: updatedAt, languageCode: 'de' }),
    });
    expect(answer.status).toBe(415);
  });

  it('of a replaced Asset is refused', async () => {
    const { id, updatedAt } = await added();
    await added({ operation: 'replace', previousAssetId: id });
    expect(await edit(id, { expectedUpdatedAt: updatedAt, languageCode: 'de' })).toMatchObject({
      status: 409,
      body: refusal('asset.replaced'),
    });
  });
});

describe('the selection of a preview frame', () => {
  const select = (id: string, body: unknown) => catalogue.post(`/me/assets/${id}/preview`, token, body);

  it.each([
    ['gif', 'image/gif'],
    ['webp', 'image/webp'],
  ] as const)('of an animated %s is kept, within its frames', async (format, contentType) => {
    const { id, updatedAt } = await added({}, { bytes: await animation(200, 300, 4, format), contentType });
    expect(await catalogue.get(`/me/assets/${id}`, token)).toMatchObject({
      body: { data: { frames: 4, selectedSourceFrame: null, width: 200, height: 300 } },
    });
    const query = { clientMutationId: randomUUID(), expectedUpdatedAt: updatedAt, selectedSourceFrame: 3 };
    const answer = await select(id, query);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ data: { assetId: id, selectedSourceFrame: 3 } });
    const revision = textOf(answer, 'updatedAt');
    expect(await catalogue.get(`/me/assets/${id}`, token)).toMatchObject({
      body: { data: { selectedSourceFrame: 3, updatedAt: revision } },
    });
    expect((await select(id, query)).body).toEqual(answer.body);
    expect(effects(query.clientMutationId)).toBe(1);
    expect(await select(id, { expectedUpdatedAt: revision, selectedSourceFrame: 4 })).toMatchObject({
      status: 422,
      body: refusal('asset.preview.frame_range', { frames: 4 }),
    });
    expectStale(
      await select(id, { expectedUpdatedAt: updatedAt, selectedSourceFrame: 0 }),
      updatedAt,
      revision,
    );
    expect(await revisionOf(`/me/assets/${id}`)).toBe(revision);
  });

  it('of a still picture is refused', async () => {
    const { id, updatedAt } = await added();
    expect(await select(id, { expectedUpdatedAt: updatedAt, selectedSourceFrame: 0 })).toMatchObject({
      status: 422,
      body: refusal('asset.preview.not_animated'),
    });
    expect(await revisionOf(`/me/assets/${id}`)).toBe(updatedAt);
  });
});

describe('a group', () => {
  it('is created, shows in public after the lag, and once per identity', async () => {
    const body = {
      clientMutationId: randomUUID(),
      kind: 'boxset',
      title: 'Planted by a test',
      description: 'Two films.',
      languageCode: 'en',
      setIds: [sets.ungrouped, sets.movie],
    };
    const receipt = await catalogue.post('/me/groups', token, body);
    expect(receipt.status).toBe(201);
    expect(receipt.body).toMatchObject({
      data: { operation: 'group.create', kind: 'boxset', publicationStatus: 'pending' },
    });
    const { id } = dataOf(receipt);
    const owned = await catalogue.get(`/me/groups/${id}`, token);
    expect(owned.body).toMatchObject({
      data: {
        title: body.title,
        description: body.description,
        sets: [{ id: sets.ungrouped }, { id: sets.movie }],
        updatedAt: textOf(receipt, 'updatedAt'),
      },
    });
    expect((await fetch(`${catalogue.baseUrl}/boxsets/${id}`)).status).toBe(404);
    catalogue.pass(lag);
    expect((await fetch(`${catalogue.baseUrl}/boxsets/${id}`)).status).toBe(200);
    expect(await catalogue.post('/me/groups', token, body)).toMatchObject({
      status: 200,
      body: receipt.body,
    });
    expect(await catalogue.post('/me/groups', token, { ...body, title: 'Another' })).toMatchObject({
      status: 409,
      body: refusal('client_mutation.reused'),
    });
    expect(effects(body.clientMutationId)).toBe(1);

    const edited = await catalogue.post(`/me/groups/${id}`, token, {
      expectedUpdatedAt: textOf(receipt, 'updatedAt'),
      title: 'Renamed',
      setIds: [sets.movie],
    });
    expect(edited.status).toBe(200);
    expect(await catalogue.get(`/me/groups/${id}`, token)).toMatchObject({
      body: {
        data: {
          title: 'Renamed',
          description: 'Two films.',
          sets: [{ id: sets.movie }],
          updatedAt: textOf(edited, 'updatedAt'),
        },
      },
    });
    expect(await catalogue.get(`/me/sets/${sets.ungrouped}`, token)).toMatchObject({
      body: { data: { group: null } },
    });
    expectStale(
      await catalogue.post(`/me/groups/${id}`, token, {
        expectedUpdatedAt: textOf(receipt, 'updatedAt'),
        title: 'Late',
      }),
      textOf(receipt, 'updatedAt'),
      textOf(edited, 'updatedAt'),
    );
  });

  it('is a Loadout by its kind or its family', async () => {
    for (const kind of [{ kind: 'loadout' }, { kind: 'boxset', family: 'game' }]) {
      const receipt = await catalogue.post('/me/groups', token, { ...kind, title: 'Games' });
      expect(receipt).toMatchObject({ status: 201, body: { data: { kind: 'loadout' } } });
    }
  });

  it.each<[string, object, number, string]>([
    ['no title', { kind: 'boxset' }, 400, 'request.invalid'],
    ['an empty title', { kind: 'boxset', title: ' ' }, 400, 'request.invalid'],
    ['an unknown kind', { kind: 'shelf', title: 'x' }, 400, 'request.invalid'],
    [
      'a Loadout of the family media',
      { kind: 'loadout', family: 'media', title: 'x' },
      400,
      'request.invalid',
    ],
    ['an unknown Set', { kind: 'boxset', title: 'x', setIds: [1] }, 404, 'not_found'],
    [
      'another account’s Set',
      { kind: 'boxset', title: 'x', setIds: [sets.foreign] },
      403,
      'resource.not_owned',
    ],
    [
      'a Set twice',
      { kind: 'boxset', title: 'x', setIds: [sets.ungrouped, sets.ungrouped] },
      422,
      'group.set_repeated',
    ],
    ['a Game Set in a Boxset', { kind: 'boxset', title: 'x', setIds: [sets.game] }, 422, 'group.set_kind'],
    [
      'a Movie Set in a Loadout',
      { kind: 'loadout', title: 'x', setIds: [sets.ungrouped] },
      422,
      'group.set_kind',
    ],
    ['a Set of another group', { kind: 'loadout', title: 'x', setIds: [sets.game] }, 409, 'group.set_taken'],
  ])('is not created with %s', async (_, body, status, code) => {
    const before = allEffects();
    const many = () => catalogue.database.only('SELECT count(*) AS many FROM groups').integer('many');
    const groupsBefore = many();
    expect(await catalogue.post('/me/groups', token, body)).toMatchObject({ status, body: refusal(code) });
    expect([allEffects(), many()]).toEqual([before, groupsBefore]);
  });

  it('of another account, or of none, is not edited', async () => {
    const foreign = catalogue.database.only('SELECT id FROM groups WHERE owner_id = 2').integer('id');
    const body = { expectedUpdatedAt: 'x', title: 'Mine' };
    expect(await catalogue.post(`/me/groups/${foreign}`, token, body)).toMatchObject({ status: 403 });
    expect(await catalogue.post('/me/groups/1', token, body)).toMatchObject({ status: 404 });
    const updatedAt = await revisionOf(`/me/groups/${groups.loadout}`);
    for (const nothing of [{ expectedUpdatedAt: updatedAt }, { title: 'No revision' }]) {
      expect((await catalogue.post(`/me/groups/${groups.loadout}`, token, nothing)).status).toBe(400);
    }
    expect(await revisionOf(`/me/groups/${groups.loadout}`)).toBe(updatedAt);
  });
});

describe('a grouping Set', () => {
  const idOf = (table: string) => catalogue.database.only(`SELECT id FROM ${table} LIMIT 1`).integer('id');
  const create = (body: unknown) => catalogue.post('/me/grouping-sets', token, body);

  it.each<[string, () => object, string]>([
    ['talent_set', () => ({ entryTargetKind: 'person', entryTargetId: idOf('people') }), 'not_required'],
    [
      'category_set',
      () => ({ entryTargetKind: 'category', entryTargetId: idOf('categories') }),
      'not_required',
    ],
    ['brand_set', () => ({ networkIds: [idOf('networks')], companyIds: [idOf('companies')] }), 'pending'],
  ])('is created as a %s, once per identity', async (setKind, more, publicationStatus) => {
    const body = { clientMutationId: randomUUID(), setKind, titleBase: 'Faces', ...more() };
    const receipt = await create(body);
    expect(receipt.status).toBe(201);
    expect(receipt.body).toMatchObject({ data: { setKind, publicationStatus } });
    expect(await catalogue.get(`/me/sets/${dataOf(receipt).id}`, token)).toMatchObject({
      body: {
        data: { setKind, kind: setKind, title: 'Faces', assets: [], updatedAt: textOf(receipt, 'updatedAt') },
      },
    });
    expect(await create(body)).toMatchObject({ status: 200, body: receipt.body });
    expect(effects(body.clientMutationId)).toBe(1);
  });

  it.each<[string, object, number, string]>([
    ['an unknown kind', { setKind: 'media_set', titleBase: 'x' }, 400, 'request.invalid'],
    ['no title', { setKind: 'brand_set', networkIds: [1] }, 400, 'request.invalid'],
    ['no brand', { setKind: 'brand_set', titleBase: 'x' }, 400, 'request.invalid'],
    ['an unknown network', { setKind: 'brand_set', titleBase: 'x', networkIds: [1] }, 422, 'target.unknown'],
    ['no person', { setKind: 'talent_set', titleBase: 'x' }, 400, 'request.invalid'],
    [
      'a movie for a person',
      { setKind: 'talent_set', titleBase: 'x', entryTargetKind: 'movie', entryTargetId: works.movie.id },
      400,
      'request.invalid',
    ],
    [
      'an unknown person',
      { setKind: 'talent_set', titleBase: 'x', entryTargetKind: 'person', entryTargetId: 1 },
      422,
      'target.unknown',
    ],
    [
      'brands for a person',
      { setKind: 'talent_set', titleBase: 'x', entryTargetKind: 'person', entryTargetId: 1, networkIds: [1] },
      400,
      'request.invalid',
    ],
  ])('is not created with %s', async (_, body, status, code) => {
    const before = allEffects();
    expect(await create(body)).toMatchObject({ status, body: refusal(code) });
    expect(allEffects()).toBe(before);
  });

  describe('with standalone artwork', () => {
    let setId: number;
    let network: number;
    beforeAll(async () => {
      network = idOf('networks');
      const receipt = await create({ setKind: 'brand_set', titleBase: 'Logos', networkIds: [network] });
      setId = Number(dataOf(receipt).id);
    });
    const posterOf = (asset: { id: string; updatedAt: string }, changes: object = {}) => ({
      itemId: randomUUID(),
      position: 0,
      targetKind: 'network',
      targetId: network,
      slot: 'poster',
      existingAssetId: asset.id,
      expectedAssetUpdatedAt: asset.updatedAt,
      ...changes,
    });
    const assign = async (items: object[], changes: object = {}) =>
      catalogue.post(`/me/grouping-sets/${setId}/assets`, token, {
        expectedUpdatedAt: await revisionOf(`/me/sets/${setId}`),
        items,
        ...changes,
      });
    const networkPoster = () => added({ targetKind: 'network', targetId: network });

    it('takes all or none', async () => {
      const [first, second] = [await networkPoster(), await networkPoster()];
      const before = await revisionOf(`/me/sets/${setId}`);
      // Both into one slot: the second has no place.
      expect(await assign([posterOf(first), posterOf(second, { position: 1 })])).toMatchObject({
        status: 409,
        body: refusal('slot.occupied'),
      });
      expect(await revisionOf(`/me/sets/${setId}`)).toBe(before);
      expect(await revisionOf(`/me/assets/${first.id}`)).toBe(first.updatedAt);

      const clientMutationId = randomUUID();
      const item = posterOf(first);
      const body = { clientMutationId, expectedUpdatedAt: before };
      const receipt = await assign([item], body);
      expect(receipt.status).toBe(200);
      expect(receipt.body).toMatchObject({
        data: { id: setId, items: [{ itemId: item.itemId, status: 'succeeded', assetId: first.id }] },
      });
      const owned = await catalogue.get(`/me/sets/${setId}`, token);
      expect(dataOf(owned).assets).toEqual([expect.objectContaining({ id: first.id })]);
      expect(textOf(owned, 'updatedAt')).toBe(textOf(receipt, 'updatedAt'));
      expect(await catalogue.get(`/me/assets/${first.id}`, token)).toMatchObject({
        body: { data: { setId } },
      });
      expect(await assign([item], body)).toMatchObject({ status: 200, body: receipt.body });
      expect(effects(clientMutationId)).toBe(1);
      expectStale(
        await assign([posterOf(second)], { expectedUpdatedAt: before }),
        before,
        textOf(owned, 'updatedAt'),
      );
    });

    it.each<[string, (asset: { id: string; updatedAt: string }) => object[], number, string]>([
      ['no items', () => [], 400, 'request.invalid'],
      ['a stale Asset', (asset) => [posterOf(asset, { expectedAssetUpdatedAt: 'x' })], 409, 'revision.stale'],
      ['an unknown Asset', (asset) => [posterOf(asset, { existingAssetId: randomUUID() })], 404, 'not_found'],
      ['another slot', (asset) => [posterOf(asset, { slot: 'logo' })], 422, 'asset.other_place'],
      ['another target', (asset) => [posterOf(asset, { targetKind: 'company' })], 422, 'asset.other_place'],
    ])('refuses %s', async (_, items, status, code) => {
      const asset = await networkPoster();
      expect(await assign(items(asset))).toMatchObject({ status, body: refusal(code) });
    });

    it('refuses artwork of a Set, of a target outside, and a media Set', async () => {
      const outside = await added();
      const item = posterOf(outside, { targetKind: 'movie', targetId: works.movie.id });
      expect(await assign([item])).toMatchObject({ status: 422, body: refusal('target.outside_set') });
      const held = catalogue.database.only(
        'SELECT id, updated_at, target_kind, target_id, slot FROM assets WHERE owner_id = 1 AND set_id IS NOT NULL AND replaced_from IS NULL LIMIT 1',
      );
      expect(
        await assign([
          posterOf(
            { id: held.text('id'), updatedAt: held.text('updated_at') },
            {
              targetKind: held.text('target_kind'),
              targetId: held.integer('target_id'),
              slot: held.text('slot'),
            },
          ),
        ]),
      ).toMatchObject({ status: 409, body: refusal('asset.not_standalone') });
      expect(
        await catalogue.post(`/me/grouping-sets/${sets.ungrouped}/assets`, token, {
          expectedUpdatedAt: await revisionOf(`/me/sets/${sets.ungrouped}`),
          items: [item],
        }),
      ).toMatchObject({ status: 422, body: refusal('set.kind') });
    });
  });
});

describe('a relationship', () => {
  const change = (body: object) =>
    catalogue.post('/me/relationships', token, { targetKind: 'user', ...body });
  const listed = async (): Promise<unknown[]> => {
    const { body } = await catalogue.get('/me/relationships', token);
    return body instanceof Object && 'data' in body && Array.isArray(body.data) ? body.data : [];
  };

  it('is what was last said of it', async () => {
    const follow = await change({ targetId: 7, relationship: 'follow', expectedUpdatedAt: null });
    expect(follow).toMatchObject({
      status: 200,
      body: {
        data: { targetKind: 'user', targetId: 7, relationship: 'follow', publicationStatus: 'not_required' },
      },
    });
    const first = textOf(follow, 'updatedAt');
    expect(await listed()).toContainEqual(
      expect.objectContaining({ targetId: 7, relationship: 'follow', updatedAt: first }),
    );
    expect(textOf(await change({ targetId: 7, relationship: 'follow' }), 'updatedAt')).toBe(first);
    expectStale(await change({ targetId: 7, relationship: 'hide', expectedUpdatedAt: 'x' }), 'x', first);
    const hide = await change({ targetId: 7, relationship: 'hide', expectedUpdatedAt: first });
    expect(hide).toMatchObject({ status: 200, body: { data: { relationship: 'hide' } } });
    const cleared = await change({
      targetId: 7,
      relationship: 'clear',
      expectedUpdatedAt: textOf(hide, 'updatedAt'),
    });
    expect(cleared).toMatchObject({ status: 200, body: { data: { relationship: null, updatedAt: null } } });
    expect(await listed()).not.toContainEqual(expect.objectContaining({ targetId: 7 }));
    expect(await change({ targetId: 7, relationship: null })).toMatchObject({ status: 200 });
  });

  it('names an account by its name too, and applies once per identity', async () => {
    const body = { clientMutationId: randomUUID(), targetId: 'KUMO_IRO', relationship: 'follow' };
    expect(await change(body)).toMatchObject({ status: 200, body: { data: { targetId: 7 } } });
    await change({ targetId: 7, relationship: 'clear' });
    expect(await change(body)).toMatchObject({ status: 200, body: { data: { relationship: 'follow' } } });
    expect(await listed()).not.toContainEqual(expect.objectContaining({ targetId: 7 }));
    expect(effects(body.clientMutationId)).toBe(1);
  });

  it.each<[string, object, number, string]>([
    ['oneself', { targetId: 1, relationship: 'follow' }, 422, 'relationship.self'],
    ['an unknown id', { targetId: 4711, relationship: 'follow' }, 404, 'not_found'],
    ['an unknown name', { targetId: 'nobody-here', relationship: 'follow' }, 404, 'not_found'],
    ['another kind', { targetKind: 'show', targetId: 1, relationship: 'follow' }, 400, 'request.invalid'],
    ['an unknown relationship', { targetId: 2, relationship: 'love' }, 400, 'request.invalid'],
    ['no relationship', { targetId: 2 }, 400, 'request.invalid'],
  ])('is refused to %s', async (_, body, status, code) => {
    expect(await change(body)).toMatchObject({ status, body: refusal(code) });
  });
});

describe('what belongs to another account, or is unknown', () => {
  const body = {
    expectedUpdatedAt: 'x',
    languageCode: 'en',
    selectedSourceFrame: 0,
    title: 'Mine',
    items: [
      {
        itemId: randomUUID(),
        position: 0,
        targetKind: 'person',
        targetId: 1,
        slot: 'poster',
        existingAssetId: randomUUID(),
        expectedAssetUpdatedAt: 'x',
      },
    ],
  };

  it.each<[string, string, string, (all: typeof body) => object]>([
    [
      'assets',
      'metadata',
      'assets',
      ({ expectedUpdatedAt, languageCode }) => ({ expectedUpdatedAt, languageCode }),
    ],
    ['assets', 'preview', 'assets', (all) => all],
    ['groups', '', 'groups', (all) => all],
    ['grouping-sets', 'assets', 'sets', (all) => all],
  ])('/me/%s/{id}/%s is not changed', async (folder, rest, table, send) => {
    const foreign = catalogue.database.only(`SELECT CAST(id AS TEXT) AS id FROM ${table} WHERE owner_id = 2`);
    const unknown = table === 'assets' ? randomUUID() : '1';
    for (const [id, status, code] of [
      [foreign.text('id'), 403, 'resource.not_owned'],
      [unknown, 404, 'not_found'],
    ] as const) {
      const path = ['/me', folder, id, rest].filter((part) => part !== '').join('/');
      expect(await catalogue.post(path, token, send(body))).toMatchObject({ status, body: refusal(code) });
    }
  });
});

describe('the scopes of a mutation', () => {
  it.each<[string, string]>([
    ['/me/assets/{id}/metadata', 'assets:write'],
    ['/me/assets/{id}/preview', 'assets:replace'],
    ['/me/groups', 'groups:write'],
    ['/me/groups/{id}', 'groups:write'],
    ['/me/grouping-sets', 'sets:write'],
    ['/me/grouping-sets/{id}/assets', 'sets:write'],
    ['/me/relationships', 'relationships:write'],
  ])('%s needs %s', async (path, needed) => {
    for (const scope of [
      'assets:write',
      'assets:replace',
      'sets:write',
      'groups:write',
      'relationships:write',
    ]) {
      const answer = await catalogue.post(path.replace('{id}', '1'), await catalogue.token(1, scope), {});
      expect([scope, answer.status]).toEqual([scope, scope === needed ? 400 : 403]);
      if (scope !== needed) expect(answer.body).toMatchObject(refusal('insufficient_scope'));
    }
  });
});
