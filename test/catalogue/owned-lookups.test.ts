import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRelationship, readReceipt, readUploadStatus } from '../../src/catalogue/records/owned.ts';
import { readSubmission } from '../../src/catalogue/submission.ts';
import { ownedAt } from './owned-access.ts';
import { json, serve } from './scripted-server.ts';

const mutation = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';
const asset = 'a4b7d0aa-7f52-4c5e-8a33-1d0f6f0a9b01';

async function upload(body: unknown, status = 200) {
  const server = await serve((_request, response) => json(response, status, body));
  return ownedAt(server.origin).findAssetUpload(mutation);
}

describe('the status of an upload', () => {
  test('that succeeded', async () => {
    const data = {
      clientMutationId: mutation,
      assetId: asset,
      processingStatus: 'succeeded',
      publicationStatus: 'pending',
      retryable: false,
      extra: 1,
    };
    expect(await upload({ data })).toEqual({
      state: 'succeeded',
      processingStatus: 'succeeded',
      publication: 'pending',
      publicationStatus: 'pending',
      mutationId: mutation,
      assetId: asset,
      updatedAt: null,
      retryable: false,
      error: null,
      record: data,
    });
  });

  test('that failed, with its error', async () => {
    const error = { code: 'asset.file.maxSize', message: 'Too\u0000 large.', details: { maxBytes: 5 } };
    const data = { mutationId: mutation, processingStatus: 'failed', retryable: true, error };
    expect(await upload({ data })).toMatchObject({
      state: 'failed',
      assetId: null,
      publication: 'unknown',
      error: { code: 'asset.file.maxSize', message: 'Too large.', details: { maxBytes: 5 } },
    });
  });

  test.each([
    [{ processingStatus: 'processing' }, 'processing'],
    [{ processingStatus: 'queued' }, 'unknown'],
    [{ processingStatus: 'Succeeded' }, 'unknown'],
    [{ processingStatus: ' succeeded' }, 'unknown'],
    [{ processingStatus: null, assetId: asset }, 'unknown'],
    [{ processingStatus: ['succeeded'] }, 'unknown'],
    [{ publicationStatus: 'succeeded', assetId: asset }, 'unknown'],
    [{ processingStatus: 'succeeded', error: { code: 'x', message: 'But no.' } }, 'unknown'],
    [{ processingStatus: 'succeeded', error: 'no' }, 'unknown'],
    [{ processingStatus: 'succeeded', error: false }, 'unknown'],
    [{ processingStatus: 'succeeded', error: null }, 'succeeded'],
  ])('%j is %s', async (data, state) => {
    expect(await upload({ data })).toMatchObject({ state });
    expect(await upload({ ...data, clientMutationId: mutation })).toMatchObject({ state });
  });

  test('that is not known now', async () => {
    expect(await upload({ error: { code: 'not_found', message: 'No.' } }, 404)).toBeNull();
    expect(await upload({ data: null, error: { code: 'not_found', message: 'No.' } })).toBeNull();
  });

  test('that is another upload’s', async () => {
    const data = { clientMutationId: asset, processingStatus: 'succeeded' };
    await expect(upload({ data })).rejects.toMatchObject({ category: 'bad_response' });
  });
});

describe('a submission', () => {
  const statuses = (kind: 'creation' | 'edit', body: unknown, status = 200) =>
    serve((_request, response) => json(response, status, body)).then(({ origin }) =>
      ownedAt(origin).findSubmission(kind, 's1'),
    );

  test('with its items', async () => {
    const record = {
      submission: { submissionId: 's1', clientMutationId: mutation },
      outcome: 'partial',
      publicationStatus: 'not_required',
      set: { id: 77, updatedAt: '2026-01-01T00:00:00.000Z' },
    };
    const items = [
      { itemId: 'i1', status: 'succeeded', assetId: asset },
      { itemId: 'i2', status: 'failed', error: { code: 'asset.ratio', message: 'Too wide.' } },
      { itemId: 'i3', status: 'staged' },
      'noise',
    ];
    expect(await statuses('creation', { data: { ...record, items } })).toMatchObject({
      state: 'partial',
      outcome: 'partial',
      publication: 'not_required',
      submissionId: 's1',
      mutationId: mutation,
      setId: '77',
      updatedAt: '2026-01-01T00:00:00.000Z',
      error: null,
      items: [
        { itemId: 'i1', state: 'succeeded', assetId: asset, error: null },
        {
          itemId: 'i2',
          state: 'failed',
          assetId: null,
          error: { code: 'asset.ratio', message: 'Too wide.' },
        },
        { itemId: 'i3', state: 'unknown', status: 'staged' },
      ],
      record,
    });
  });

  test.each([
    ['only its id', { submission: { submissionId: 's1' } }, 'open', []],
    ['bare', { submissionId: 's1', outcome: 'failed' }, 'failed', []],
    ['everything inside', { data: { submission: { id: 's1', outcome: 'succeeded' } } }, 'succeeded', []],
    [
      'an outcome under another name',
      { data: { submissionId: 's1', overallOutcome: 'failed' } },
      'failed',
      [],
    ],
    ['a status only', { data: { submissionId: 's1', status: 'unresolved' } }, 'unresolved', []],
    ['a status beside an outcome', { data: { outcome: 'partial', status: 'succeeded' } }, 'partial', []],
    ['an unknown outcome', { data: { submissionId: 's1', outcome: 'completed' } }, 'open', []],
    [
      'an outcome that is no text',
      { data: { submissionId: 's1', outcome: { succeeded: true } } },
      'open',
      [],
    ],
    [
      'items by id',
      { data: { items: { i1: { status: 'processing' }, i2: 'failed' } } },
      'open',
      ['processing', 'failed'],
    ],
    ['files', { data: { files: [{ id: 1, processingStatus: 'succeeded' }] } }, 'open', ['succeeded']],
  ])('with %s', async (_what, body, state, items) => {
    const found = await statuses('creation', body);
    expect(found?.state).toBe(state);
    expect(found?.items.map((item) => item.state)).toEqual(items);
  });

  test('of another id, or of none', async () => {
    const other = { data: { submissionId: 's2', outcome: 'succeeded' } };
    await expect(statuses('edit', other)).rejects.toMatchObject({ category: 'bad_response' });
    expect(await statuses('edit', { error: { code: 'not_found', message: 'No.' } }, 404)).toBeNull();
  });
});

describe('a receipt', () => {
  test.each([
    ['names the Asset', { data: { assetId: asset } }, 'succeeded', asset],
    ['holds the Asset', { data: { asset: { id: asset, publicationStatus: 'pending' } } }, 'succeeded', asset],
    ['is the Asset', { id: asset, updatedAt: 'r' }, 'succeeded', asset],
    ['is still processed', { data: { assetId: asset, processingStatus: 'processing' } }, 'processing', asset],
    [
      'failed',
      { data: { processingStatus: 'failed', error: { code: 'x', message: 'No.' } } },
      'failed',
      null,
    ],
    ['in a new state', { data: { assetId: asset, processingStatus: 'stored' } }, 'unknown', asset],
    ['with an error', { data: { assetId: asset, error: { code: 'x', message: 'No.' } } }, 'unknown', asset],
    ['names nothing', { data: { publicationStatus: 'succeeded' } }, 'unknown', null],
    ['of another mutation', { data: { assetId: asset, clientMutationId: asset } }, 'unknown', asset],
    [
      'of this one',
      { data: { assetId: asset, clientMutationId: mutation.toUpperCase() } },
      'succeeded',
      asset,
    ],
    ['empty', null, 'unknown', null],
    ['names an Asset of no letter', { data: { assetId: '' } }, 'unknown', null],
    ['names an Asset that is too long', { data: { assetId: 'x'.repeat(5_000) } }, 'unknown', null],
    ['of what can be no mutation', { data: { assetId: asset, clientMutationId: 5 } }, 'unknown', asset],
  ])('that %s', (_what, body, state, savedId) => {
    expect(readReceipt(body, 'asset', mutation)).toMatchObject({ state, savedId });
  });
});

test('whatever the service says, only its own words for success are one', () => {
  const word = fc.constantFrom(
    'succeeded',
    'Succeeded',
    'success',
    'ok',
    'done',
    'pending',
    'failed',
    '',
    'x',
  );
  const value = fc.oneof(word, fc.anything({ maxDepth: 2 }), fc.constant(null), fc.constant(asset));
  const names = [
    'processingStatus',
    'publicationStatus',
    'outcome',
    'status',
    'error',
    'assetId',
    'id',
    'items',
    'clientMutationId',
    'submission',
  ];
  const record = fc.dictionary(fc.constantFrom(...names), value);
  const body = fc.oneof(record, fc.record({ data: fc.oneof(record, value) }), fc.anything());
  fc.assert(
    fc.property(body, (answer) => {
      const status = readUploadStatus(answer);
      if (status.state === 'succeeded') {
        expect(status.processingStatus).toBe('succeeded');
        expect(status.error).toBeNull();
      }
      if (status.publication === 'succeeded') expect(status.publicationStatus).toBe('succeeded');
      for (const kind of ['creation', 'edit'] as const) {
        const found = readSubmission(answer, kind);
        if (found.state !== 'open') expect(found.state).toBe(found.outcome);
        for (const item of found.items) {
          if (item.state === 'succeeded') expect([item.status, item.error]).toEqual(['succeeded', null]);
        }
      }
      for (const saved of ['asset', 'set', 'group'] as const) {
        const receipt = readReceipt(answer, saved, mutation);
        if (receipt.state !== 'succeeded') continue;
        expect(receipt.savedId).not.toBeNull();
        expect(receipt.error).toBeNull();
        expect(['succeeded', null]).toContain(receipt.processingStatus);
      }
    }),
    { numRuns: 2000 },
  );
});

describe('a relationship', () => {
  const follows = { targetKind: 'user', targetId: 3, relationship: 'follow', updatedAt: 'r1' };
  const hides = { target: { kind: 'set', id: '3' }, listedUnder: 'hides' };
  test('is found by its target, however that is named', () => {
    expect(findRelationship([follows, hides], { targetKind: 'user', targetId: '3' })).toBe(follows);
    expect(findRelationship([follows, hides], { targetKind: 'set', targetId: 3 })).toBe(hides);
    expect(findRelationship([follows, hides], { targetKind: 'user', targetId: 33 })).toBeNull();
    expect(findRelationship([{ targetId: 3 }, {}], { targetKind: 'user', targetId: 3 })).toBeNull();
  });
});
