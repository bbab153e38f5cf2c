import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';
import { dataOf, type OwnersCatalogue, refusal, startCatalogue, textOf } from './me-catalogue.ts';
import { poster } from './me-pictures.ts';
import { plantWorks, works } from './me-works.ts';
import { present } from './oauth-app.ts';

let catalogue: OwnersCatalogue;
let token: string;
beforeAll(async () => {
  catalogue = await startCatalogue({ faults: true, publicationLagMs: 0 });
  plantWorks(catalogue.database);
  token = await catalogue.token(1);
});
afterAll(() => catalogue.stop());
beforeEach(async () => {
  await control('DELETE', 'faults');
});

async function control(method: string, name: string, body?: unknown) {
  const answer = await fetch(`${catalogue.sandbox.origin}/.sandbox/${name}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text: unknown = await answer.json();
  return { status: answer.status, body: text };
}

const queue = async (...faults: object[]) => {
  const { status } = await control('POST', 'faults', faults);
  expect(status).toBe(201);
};

const query = (clientMutationId: string = randomUUID()) => ({
  operation: 'add',
  clientMutationId,
  slot: 'poster',
  targetKind: 'movie',
  targetId: works.movie.id,
});

async function effects(clientMutationId: string): Promise<{ at: string }[]> {
  const { body } = await control('GET', 'effects');
  const all: unknown = body instanceof Object && 'effects' in body ? body.effects : [];
  if (!Array.isArray(all)) throw new Error('no list');
  return all.filter(
    (one: { at: string; clientMutationId: string }) => one.clientMutationId === clientMutationId,
  );
}

describe('a fault', () => {
  const upload = async (asked: ReturnType<typeof query>, bytes: Buffer) =>
    catalogue.upload('/me/assets', token, { bytes, query: asked });

  it.each([
    ['before', 0, 404],
    ['received', 0, 404],
    ['after', 1, 200],
  ])('%s the effect answers in its place', async (when, applied, lookup) => {
    const asked = query();
    const bytes = await poster();
    await queue({
      method: 'POST',
      path: '/me/assets',
      do: 'answer',
      when,
      status: 502,
      headers: { 'retry-after': '1', 'content-type': 'text/html' },
      body: '<h1>Bad gateway</h1>',
    });
    const answer = await catalogue.raw('/me/assets', token, { bytes, query: asked });
    expect(answer.status).toBe(502);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('content-type')).toBe('text/html');
    expect(await answer.text()).toBe('<h1>Bad gateway</h1>');
    expect(await effects(asked.clientMutationId)).toHaveLength(applied);
    expect((await catalogue.get(`/me/asset-uploads/${asked.clientMutationId}`, token)).status).toBe(lookup);
    // It has met its one request: the same identity gets through, and applies once in all.
    expect((await upload(asked, bytes)).status).toBe(applied === 0 ? 201 : 200);
    expect(await effects(asked.clientMutationId)).toHaveLength(1);
  });

  it.each([
    ['before', 0],
    ['received', 0],
    ['after', 1],
  ])('%s the effect cuts the connection', async (when, applied) => {
    const asked = query();
    await queue({ path: '/me/assets', do: 'cut', when });
    await expect(upload(asked, await poster())).rejects.toThrow('fetch failed');
    expect(await effects(asked.clientMutationId)).toHaveLength(applied);
  });

  it('after the effect loses the answer', async () => {
    const asked = query();
    await queue({ path: '/me/assets', do: 'silence', milliseconds: 600_000 });
    const gone = new AbortController();
    const answer = catalogue.raw('/me/assets', token, { bytes: await poster(), query: asked }, gone.signal);
    while ((await effects(asked.clientMutationId)).length === 0) await sleep(10);
    gone.abort();
    await expect(answer).rejects.toThrow('aborted');
  });

  it('cuts a silent connection in the end', async () => {
    await queue({ path: '/me/assets', do: 'silence', when: 'before', milliseconds: 50 });
    await expect(upload(query(), await poster())).rejects.toThrow('fetch failed');
  });

  it('cuts the answer’s body', async () => {
    const asked = query();
    await queue({ path: '/me/assets', do: 'truncate' });
    const answer = await catalogue.raw('/me/assets', token, { bytes: await poster(), query: asked });
    expect(answer.status).toBe(201);
    await expect(answer.text()).rejects.toThrow('terminated');
    expect(await effects(asked.clientMutationId)).toHaveLength(1);
  });

  it.each(['before', 'after'])('delays: %s the effect', async (when) => {
    const asked = query();
    const milliseconds = 300;
    await queue({ path: '/me/assets', do: 'delay', when, milliseconds });
    const sentAt = Date.now();
    expect((await upload(asked, await poster())).status).toBe(201);
    const answeredAt = Date.now();
    const [effect] = await effects(asked.clientMutationId);
    const appliedAt = Date.parse(present(effect?.at, 'effect'));
    // A timer may be a millisecond early by the wall clock.
    expect(when === 'before' ? appliedAt - sentAt : answeredAt - appliedAt).toBeGreaterThan(milliseconds - 5);
  });

  it('answers that the outcome is unresolved', async () => {
    const asked = query();
    await queue({ path: '/me/*', do: 'unresolved' });
    expect(await upload(asked, await poster())).toMatchObject({
      status: 503,
      body: refusal('set_creation_upload.outcome_unresolved'),
    });
    expect(await effects(asked.clientMutationId)).toHaveLength(1);
  });

  it('lets the token expire before a request, or after it', async () => {
    const held = await catalogue.token(2);
    await queue({ path: '/me/relationships', do: 'expire_token', when: 'after' });
    expect((await catalogue.get('/me/relationships', held)).status).toBe(200);
    expect(await catalogue.get('/me/relationships', held)).toMatchObject({
      status: 401,
      body: refusal('invalid_token'),
    });
    const other = await catalogue.token(2);
    await queue({ path: '/me/relationships', do: 'expire_token', when: 'before' });
    expect((await catalogue.get('/me/relationships', other)).status).toBe(401);
    expect((await catalogue.get('/me/relationships', token)).status).toBe(200);
  });

  it('has an upload processed for a while, and then saved', async () => {
    const asked = query();
    await queue({ path: '/me/assets', do: 'process', milliseconds: 60_000 });
    const receipt = await upload(asked, await poster());
    expect(receipt).toMatchObject({ status: 201, body: { data: { processingStatus: 'processing' } } });
    const status = () => catalogue.get(`/me/asset-uploads/${asked.clientMutationId}`, token);
    expect(await status()).toMatchObject({
      body: { data: { processingStatus: 'processing', publicationStatus: 'pending' } },
    });
    catalogue.pass(60_000);
    expect(await status()).toMatchObject({
      body: {
        data: { processingStatus: 'succeeded', assetId: textOf(receipt, 'assetId'), retryable: false },
      },
    });
  });

  it('has an upload fail in processing: nothing is saved, and its identity is used', async () => {
    const asked = query();
    const bytes = await poster();
    const failure = { code: 'asset.processing.failed', message: 'The picture could not be processed.' };
    await queue({ path: '/me/assets', do: 'process', milliseconds: 60_000, failure });
    const receipt = await upload(asked, bytes);
    expect(receipt).toMatchObject({
      status: 202,
      body: { data: { processingStatus: 'processing', assetId: null } },
    });
    catalogue.pass(60_000);
    const status = await catalogue.get(`/me/asset-uploads/${asked.clientMutationId}`, token);
    expect(dataOf(status)).toEqual({
      clientMutationId: asked.clientMutationId,
      assetId: null,
      processingStatus: 'failed',
      publicationStatus: 'not_required',
      retryable: false,
      error: failure,
    });
    expect(await upload(asked, bytes)).toMatchObject({ status: 200, body: receipt.body });
    expect(await effects(asked.clientMutationId)).toEqual([]);
  });

  it('meets public reads and the token endpoint as well', async () => {
    const path = `/movies/${works.movie.id}`;
    await queue(
      { method: 'GET', path: '/movies/{id}', do: 'answer', status: 503 },
      {
        method: 'POST',
        path: '/api/auth/oauth2/token',
        do: 'answer',
        status: 429,
        body: { error: 'slow_down' },
      },
    );
    expect((await fetch(catalogue.baseUrl + path)).status).toBe(503);
    expect((await fetch(catalogue.baseUrl + path)).status).toBe(200);
    const refresh = () => fetch(`${catalogue.baseUrl}/api/auth/oauth2/token`, { method: 'POST' });
    expect((await refresh()).status).toBe(429);
    expect((await refresh()).status).not.toBe(429);
  });

  it('waits for its turn, its query and its method', async () => {
    const fault = { path: '/me/upload-destinations', do: 'answer', when: 'before', status: 500 };
    await queue({ ...fault, method: 'GET', query: { kind: 'boxset' }, skip: 1, count: 2 });
    const ask = async (kind: string) =>
      (await catalogue.get(`/me/upload-destinations?kind=${kind}`, token)).status;
    expect(await ask('talent_set')).toBe(200);
    expect(await ask('boxset')).toBe(200);
    expect((await catalogue.post('/me/upload-destinations?kind=boxset', token, {})).status).toBe(405);
    expect((await control('GET', 'faults')).body).toMatchObject({ faults: [{ left: 2, fault }] });
    expect([await ask('boxset'), await ask('media_set'), await ask('boxset')]).toEqual([500, 200, 500]);
    expect(await ask('boxset')).toBe(200);
    expect((await control('GET', 'faults')).body).toEqual({ faults: [] });
  });
});

describe('the control of faults', () => {
  it('refuses what is no fault, and queues none of it', async () => {
    for (const fault of [
      { path: '/me/assets', do: 'explode' },
      { path: 'me/assets', do: 'cut' },
      { path: '/me/assets', do: 'answer' },
      { path: '/me/assets', do: 'cut', count: 0 },
      { path: '/me/assets', do: 'cut', unknown: 1 },
      { path: '/me/assets', do: 'truncate', when: 'before' },
    ]) {
      expect((await control('POST', 'faults', [{ path: '/me', do: 'cut' }, fault])).status).toBe(400);
    }
    expect((await control('GET', 'faults')).body).toEqual({ faults: [] });
    expect((await control('PUT', 'faults', {})).status).toBe(405);
  });

  it('tells which requests came, and nothing secret of them', async () => {
    await catalogue.get('/me/upload-destinations?kind=talent_set&q=marker', token);
    const { body } = await control('GET', 'requests');
    const text = JSON.stringify(body);
    expect(text).toContain('q=marker');
    expect(text).not.toContain(token);
    expect(body).toMatchObject({
      requests: expect.arrayContaining([
        expect.objectContaining({
          method: 'GET',
          path: '/me/upload-destinations',
          query: 'kind=talent_set&q=marker',
          status: 200,
        }),
      ]),
    });
  });

  it('is not there unless the catalogue was started for it', async () => {
    const usual = await startCatalogue();
    try {
      for (const name of ['faults', 'effects', 'requests']) {
        expect((await fetch(`${usual.sandbox.origin}/.sandbox/${name}`)).status).toBe(404);
      }
    } finally {
      await usual.stop();
    }
  });

  it('is there in a process that was started with --faults', async () => {
    const started = await startSandbox({ flags: ['--faults', '--publication-lag', '0'] });
    try {
      const answer = await fetch(`${started.baseUrl}/.sandbox/faults`);
      expect([answer.status, await answer.json()]).toEqual([200, { faults: [] }]);
    } finally {
      expect(await started.stop()).toBe(0);
    }
  });
});
