import { createHash, randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, type Heard, type OwnersCatalogue, refusal, startCatalogue, textOf } from './me-catalogue.ts';
import { picture, poster } from './me-pictures.ts';
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

const moviePoster = (clientMutationId: string = randomUUID()) => ({
  operation: 'add',
  clientMutationId,
  slot: 'poster',
  targetKind: 'movie',
  targetId: works.movie.id,
  languageCode: 'en',
});

const publicRead = async (where: string): Promise<Record<string, unknown>> => {
  const body: unknown = await (await fetch(catalogue.baseUrl + where)).json();
  return dataOf({ body });
};

const feed = async (name: 'assets' | 'sets'): Promise<unknown[]> => {
  const body: unknown = await (await fetch(`${catalogue.baseUrl}/feeds/${name}`)).json();
  return body instanceof Object && 'data' in body && Array.isArray(body.data) ? body.data : [];
};

const status = (id: string, asker = token) => catalogue.get(`/me/asset-uploads/${id}`, asker);

/** The latest movie posters in public. */
const publicPosters = async () => {
  const { assets } = await publicRead(`/movies/${works.movie.id}`);
  if (!(assets instanceof Object && 'posters' in assets && Array.isArray(assets.posters))) {
    throw new Error('no posters');
  }
  return assets.posters.map((one: { id: string }) => one.id);
};

describe('an added Asset', () => {
  it('has a receipt, is its owner’s at once, and public after the lag', async () => {
    const query = moviePoster();
    const bytes = await poster();
    const receipt = await catalogue.upload('/me/assets', token, { bytes, query });
    expect(receipt.status).toBe(201);
    expect(receipt.headers.get('cache-control')).toBe('private, no-store');
    const assetId = textOf(receipt, 'assetId');
    expect(receipt.body).toEqual({
      data: {
        operation: 'asset.add',
        clientMutationId: query.clientMutationId,
        assetId,
        processingStatus: 'succeeded',
        publicationStatus: 'pending',
        slot: 'poster',
        target: works.movie,
        previousAssetId: null,
        updatedAt: expect.any(String),
        holder: null,
      },
    });
    const owned = await catalogue.get(`/me/assets/${assetId}`, token);
    expect(owned.body).toMatchObject({
      data: {
        setId: null,
        languageCode: 'en',
        editionId: null,
        width: 400,
        height: 600,
        contentType: 'image/png',
        frames: 1,
        updatedAt: textOf(receipt, 'updatedAt'),
        publicationStatus: 'pending',
      },
    });
    expect(await status(query.clientMutationId)).toMatchObject({
      status: 200,
      body: {
        data: {
          clientMutationId: query.clientMutationId,
          assetId,
          processingStatus: 'succeeded',
          publicationStatus: 'pending',
          retryable: false,
        },
      },
    });
    const where = new URL(textOf(owned, 'path'), catalogue.sandbox.origin);
    expect(await publicPosters()).not.toContain(assetId);
    expect((await fetch(where)).status).toBe(404);
    expect(await feed('assets')).not.toContainEqual(expect.objectContaining({ assetId }));

    catalogue.pass(lag);
    expect(await publicPosters()).toContain(assetId);
    expect(await feed('assets')).toContainEqual(
      expect.objectContaining({
        assetId,
        changeType: 'added',
        target: works.movie,
        previousAssetId: null,
        replacements: [],
      }),
    );
    expect(Buffer.from(await (await fetch(where)).arrayBuffer()).equals(bytes)).toBe(true);
    expect(await status(query.clientMutationId)).toMatchObject({
      body: { data: { publicationStatus: 'succeeded' } },
    });
    expect(await catalogue.get(`/me/assets/${assetId}`, token)).toMatchObject({
      body: { data: { publicationStatus: 'succeeded' } },
    });
  });

  it.each([
    ['jpeg', 'image/jpeg', 'jpg'],
    ['webp', 'image/webp', 'webp'],
    ['gif', 'image/gif', 'gif'],
  ] as const)('can be a %s', async (format, contentType, extension) => {
    const bytes = await picture(400, 600, format);
    const receipt = await catalogue.upload('/me/assets', token, { bytes, contentType, query: moviePoster() });
    expect(receipt.status).toBe(201);
    const owned = await catalogue.get(`/me/assets/${textOf(receipt, 'assetId')}`, token);
    expect(owned.body).toMatchObject({
      data: { contentType, path: expect.stringMatching(`.${extension}$`) },
    });
  });

  it('is kept in files that only their owner can read', async () => {
    const receipt = await catalogue.upload('/me/assets', token, {
      bytes: await poster(),
      query: moviePoster(),
    });
    const folder = path.join(catalogue.dataDir, 'pictures');
    const file = (await readdir(folder)).find((name) => name.includes(textOf(receipt, 'assetId')));
    if (process.platform !== 'win32') {
      expect((await stat(path.join(folder, file ?? ''))).mode & 0o777).toBe(0o600);
    }
    expect(await readdir(path.join(catalogue.dataDir, 'uploads'))).toEqual([]);
  });

  it('may be of a ratio that is almost right', async () => {
    for (const [slot, width, height] of [
      ['poster', 1000, 1426],
      ['poster', 680, 1000],
      ['backdrop', 1280, 720],
      ['squareArt', 512, 512],
      ['logo', 800, 310],
      ['thumb', 1000, 562],
    ] as const) {
      const bytes = await picture(width, height);
      const answer = await catalogue.upload('/me/assets', token, {
        bytes,
        query: { ...moviePoster(), slot },
      });
      expect([slot, answer.status]).toEqual([slot, 201]);
    }
  });
});

describe('an Asset added to a Set', () => {
  it('is for the Set’s own target unless another one of the Set is named', async () => {
    const add = { operation: 'add', clientMutationId: randomUUID(), slot: 'poster', languageCode: 'de' };
    const before = await catalogue.get(`/me/sets/${sets.collection}`, token);
    const receipt = await catalogue.upload(`/me/sets/${sets.collection}/assets`, token, {
      bytes: await poster(),
      query: add,
    });
    expect(receipt.status).toBe(201);
    expect(receipt.body).toMatchObject({
      data: { target: works.collection, holder: { kind: 'set', id: sets.collection } },
    });
    const after = await catalogue.get(`/me/sets/${sets.collection}`, token);
    expect(textOf(after, 'updatedAt') > textOf(before, 'updatedAt')).toBe(true);
    expect(dataOf(receipt).holder).toMatchObject({ updatedAt: textOf(after, 'updatedAt') });
    expect(dataOf(after).assets).toContainEqual(
      expect.objectContaining({
        id: textOf(receipt, 'assetId'),
        target: works.collection,
        languageCode: 'de',
      }),
    );
    const child = await catalogue.upload(`/me/sets/${sets.collection}/assets`, token, {
      bytes: await poster(),
      query: {
        ...add,
        clientMutationId: randomUUID(),
        targetKind: 'movie',
        targetId: works.otherMovie.id,
      },
    });
    expect(child.status).toBe(201);

    const hidden = await publicRead(`/collection-set/${sets.collection}`);
    expect(hidden.collection).toMatchObject({ poster: null });
    expect(await feed('sets')).not.toContainEqual(expect.objectContaining({ setId: sets.collection }));
    catalogue.pass(lag);
    const shown = await publicRead(`/collection-set/${sets.collection}`);
    expect(shown.collection).toMatchObject({
      poster: `/artwork/${textOf(receipt, 'assetId')}.png`,
      movies: expect.arrayContaining([
        expect.objectContaining({
          id: works.otherMovie.id,
          poster: `/artwork/${textOf(child, 'assetId')}.png`,
        }),
      ]),
    });
    expect(await feed('sets')).toContainEqual(
      expect.objectContaining({ setId: sets.collection, kind: 'collection_set', changeType: 'updated' }),
    );
  });
});

describe('a replacement', () => {
  const replace = (previousAssetId: string, more: Record<string, string | number | null> = {}) => ({
    ...moviePoster(),
    operation: 'replace',
    previousAssetId,
    ...more,
  });

  it('takes the place of the previous one in public, and chains', async () => {
    const query = moviePoster();
    const first = await catalogue.upload('/me/assets', token, { bytes: await poster(), query });
    catalogue.pass(lag);
    const ids = [textOf(first, 'assetId')];
    for (let round = 0; round < 2; round++) {
      const previous = ids.at(-1) ?? '';
      const next = await catalogue.upload('/me/assets', token, {
        bytes: await poster(),
        query: replace(previous, { languageCode: null }),
      });
      expect(next.status).toBe(201);
      expect(next.body).toMatchObject({ data: { operation: 'asset.replace', previousAssetId: previous } });
      const id = textOf(next, 'assetId');
      expect(await publicPosters()).toContain(previous);
      expect(await publicPosters()).not.toContain(id);
      catalogue.pass(lag);
      expect(await publicPosters()).not.toContain(previous);
      expect(await publicPosters()).toContain(id);
      expect(await catalogue.get(`/me/assets/${id}`, token)).toMatchObject({
        body: { data: { previousAssetId: previous, languageCode: 'en' } },
      });
      expect(await catalogue.get(`/me/assets/${previous}`, token)).toMatchObject({
        body: { data: { replacedByAssetId: id } },
      });
      ids.push(id);
    }
    const item = (await feed('assets')).find(
      (one) => one instanceof Object && 'assetId' in one && one.assetId === ids[2],
    );
    expect(item).toMatchObject({
      changeType: 'updated',
      previousAssetId: ids[1],
      replacements: [
        { previousAssetId: ids[0], newAssetId: ids[1] },
        { previousAssetId: ids[1], newAssetId: ids[2] },
      ],
    });
  });

  it('of artwork in a Set stays in the Set, whichever way it is sent', async () => {
    const add = { operation: 'add', clientMutationId: randomUUID(), slot: 'poster', languageCode: 'en' };
    const first = await catalogue.upload(`/me/sets/${sets.movie}/assets`, token, {
      bytes: await poster(),
      query: add,
    });
    expect(first.status).toBe(201);
    const second = await catalogue.upload('/me/assets', token, {
      bytes: await poster(),
      query: replace(textOf(first, 'assetId')),
    });
    expect(second.body).toMatchObject({ data: { holder: { kind: 'set', id: sets.movie } } });
    const third = await catalogue.upload(`/me/sets/${sets.movie}/assets`, token, {
      bytes: await poster(),
      query: { ...replace(textOf(second, 'assetId')), targetKind: null, targetId: null },
    });
    expect(third.status).toBe(201);
    expect(dataOf(await catalogue.get(`/me/sets/${sets.movie}`, token)).assets).toEqual([
      expect.objectContaining({ id: textOf(third, 'assetId') }),
    ]);
  });

  it('of what was replaced already, or is elsewhere, is refused', async () => {
    const first = await catalogue.upload('/me/assets', token, {
      bytes: await poster(),
      query: moviePoster(),
    });
    const id = textOf(first, 'assetId');
    const second = await catalogue.upload('/me/assets', token, { bytes: await poster(), query: replace(id) });
    expect(
      await catalogue.upload('/me/assets', token, { bytes: await poster(), query: replace(id) }),
    ).toMatchObject({
      status: 409,
      body: refusal('asset.replaced', { assetId: id, replacedByAssetId: textOf(second, 'assetId') }),
    });
    const current = textOf(second, 'assetId');
    for (const change of [{ targetId: works.otherMovie.id }, { slot: 'squareArt' }]) {
      const bytes = 'slot' in change ? await picture(300, 300) : await poster();
      expect(
        await catalogue.upload('/me/assets', token, { bytes, query: replace(current, change) }),
      ).toMatchObject({
        status: 422,
        body: refusal('asset.other_place'),
      });
    }
    expect(
      await catalogue.upload(`/me/sets/${sets.movie}/assets`, token, {
        bytes: await poster(),
        query: replace(current),
      }),
    ).toMatchObject({ status: 422, body: refusal('asset.other_place') });
  });
});

describe('a group’s poster', () => {
  it('is added once and replaced later', async () => {
    const where = `/me/groups/${groups.empty}/poster`;
    const query = { operation: 'add', clientMutationId: randomUUID(), languageCode: 'en' };
    const first = await catalogue.upload(where, token, { bytes: await poster(), query });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      data: { slot: 'poster', target: { kind: 'boxset', id: groups.empty }, holder: { kind: 'group' } },
    });
    const id = textOf(first, 'assetId');
    expect(await catalogue.get(`/me/groups/${groups.empty}`, token)).toMatchObject({
      body: { data: { poster: { id, publicationStatus: 'pending' } } },
    });
    expect(await publicRead(`/boxsets/${groups.empty}`)).toMatchObject({ poster: null });
    expect(
      await catalogue.upload(where, token, {
        bytes: await poster(),
        query: { ...query, clientMutationId: randomUUID() },
      }),
    ).toMatchObject({ status: 409, body: refusal('slot.occupied', { assetId: id }) });
    catalogue.pass(lag);
    expect(await publicRead(`/boxsets/${groups.empty}`)).toMatchObject({ poster: `/artwork/${id}.png` });
    const second = await catalogue.upload(where, token, {
      bytes: await poster(),
      query: {
        operation: 'replace',
        clientMutationId: randomUUID(),
        slot: 'poster',
        targetKind: 'boxset',
        targetId: groups.empty,
        previousAssetId: id,
      },
    });
    expect(second.status).toBe(201);
    catalogue.pass(lag);
    expect(await publicRead(`/boxsets/${groups.empty}`)).toMatchObject({
      poster: `/artwork/${textOf(second, 'assetId')}.png`,
    });
  });

  it('is for that group and that slot alone', async () => {
    const query = { operation: 'add', clientMutationId: randomUUID(), languageCode: 'en' };
    const send = async (change: Record<string, string | number>) =>
      catalogue.upload(`/me/groups/${groups.loadout}/poster`, token, {
        bytes: await poster(),
        query: { ...query, ...change },
      });
    expect(await send({ slot: 'backdrop' })).toMatchObject({ status: 400, body: refusal('request.invalid') });
    expect(await send({ targetKind: 'movie', targetId: works.movie.id })).toMatchObject({
      status: 422,
      body: refusal('target.outside_group'),
    });
  });
});

describe('an identity that was used', () => {
  const effects = (id: string) =>
    catalogue.database
      .only('SELECT count(*) AS many FROM effects WHERE client_mutation_id = ?', id)
      .integer('many');

  it('gets the first receipt for the same request, whatever has happened since', async () => {
    const add = moviePoster();
    const original = await poster();
    const first = await catalogue.upload('/me/assets', token, { bytes: original, query: add });
    const bytes = await poster();
    const query = { ...moviePoster(), operation: 'replace', previousAssetId: textOf(first, 'assetId') };
    const second = await catalogue.upload('/me/assets', token, { bytes, query });
    catalogue.pass(lag);
    for (let again = 0; again < 3; again++) {
      const repeated = await catalogue.upload('/me/assets', token, { bytes, query });
      expect(repeated.status).toBe(200);
      expect(repeated.body).toEqual(second.body);
    }
    const upper = { ...query, clientMutationId: query.clientMutationId.toUpperCase() };
    expect((await catalogue.upload('/me/assets', token, { bytes, query: upper })).body).toEqual(second.body);
    expect(effects(query.clientMutationId)).toBe(1);
    expect(await catalogue.upload('/me/assets', token, { bytes: original, query: add })).toMatchObject({
      status: 200,
      body: first.body,
    });
  });

  it('is refused for any other request', async () => {
    const query = moviePoster();
    const bytes = await poster();
    await catalogue.upload('/me/assets', token, { bytes, query });
    const other = await poster();
    const asked = async (changes: Partial<Parameters<OwnersCatalogue['upload']>[2]>, where = '/me/assets') =>
      catalogue.upload(where, token, { bytes, query, ...changes });
    const answers = await Promise.all([
      asked({ bytes: other }),
      asked({ query: { ...query, languageCode: 'fr' } }),
      asked({ query: { ...query, languageCode: null } }),
      asked({ query: { ...query, targetId: works.otherMovie.id } }),
      asked({ headers: { 'x-upload-filename': 'other.png' } }),
      asked({}, `/me/sets/${sets.ungrouped}/assets`),
      catalogue.post('/me/groups', token, {
        clientMutationId: query.clientMutationId,
        kind: 'boxset',
        title: 'Same id',
      }),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 409,
        body: refusal('client_mutation.reused', {
          clientMutationId: query.clientMutationId,
          operation: 'asset.add',
        }),
      });
    }
    expect(effects(query.clientMutationId)).toBe(1);
  });

  it('is another account’s to use too', async () => {
    const query = moviePoster();
    const bytes = await poster();
    const others = await catalogue.token(2);
    const first = await catalogue.upload('/me/assets', token, { bytes, query });
    expect((await status(query.clientMutationId, others)).status).toBe(404);
    const second = await catalogue.upload('/me/assets', others, { bytes, query });
    expect(second.status).toBe(201);
    expect(textOf(second, 'assetId')).not.toBe(textOf(first, 'assetId'));
  });

  it('applies once when it comes many times at once', async () => {
    const query = moviePoster();
    const bytes = await poster();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => catalogue.upload('/me/assets', token, { bytes, query })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array<number>(11).fill(200), 201]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(effects(query.clientMutationId)).toBe(1);
  });

  it('applies once when different requests with it come at once', async () => {
    const query = moviePoster();
    const files = await Promise.all(Array.from({ length: 8 }, poster));
    const answers = await Promise.all(
      files.map((bytes) => catalogue.upload('/me/assets', token, { bytes, query })),
    );
    const statuses = answers.map((answer: Heard) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(effects(query.clientMutationId)).toBe(1);
    const digest = catalogue.database
      .only(
        'SELECT f.sha256 FROM asset_files f JOIN asset_uploads u ON u.asset_id = f.asset_id WHERE u.client_mutation_id = ?',
        query.clientMutationId,
      )
      .text('sha256');
    const winner = files[answers.findIndex((answer) => answer.status === 201)] ?? Buffer.alloc(0);
    expect(digest).toBe(createHash('sha256').update(winner).digest('hex'));
  });
});
