import { describe, expect, test } from 'vitest';
import { jsonBytes, sendJson } from '../../../src/catalogue/request.ts';
import { createMediaSet } from '../../../src/mutations/operations/create-media-set.ts';
import { editAssetMetadata } from '../../../src/mutations/operations/edit-asset-metadata.ts';
import { editSet } from '../../../src/mutations/operations/edit-set.ts';
import { sent } from '../../catalogue/requests-sent.ts';
import { jsonRequestOf, planOf } from './request-of.ts';

const mutation = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';
const asset = 'a4b7d0aa-7f52-4c5e-8a33-1d0f6f0a9b01';
const itemIds = [1, 2, 3, 4].map((n) => `0b51a0a2-6f0f-4a6a-9d7e-3f7b6f2f1c0${n}`);
const revision = '2026-03-04T05:06:07.123456Z';
const ownDigest = `sha256:${'0'.repeat(64)}`;
const announced = { filename: 'a.png', contentType: 'image/png', contentLength: 10 };
const file = { ...announced, sha256: 'a'.repeat(64) };

describe('an Asset’s metadata', () => {
  const edit = { clientMutationId: mutation, assetId: asset, expectedUpdatedAt: revision };
  test.each([
    [{ languageCode: 'de' }, `{"expectedUpdatedAt":"${revision}","languageCode":"de"}`],
    [{ languageCode: null }, `{"expectedUpdatedAt":"${revision}","languageCode":null}`],
    [{ editionId: 4 }, `{"expectedUpdatedAt":"${revision}","editionId":4}`],
    [
      { editionId: null, languageCode: 'x' },
      `{"expectedUpdatedAt":"${revision}","languageCode":"x","editionId":null}`,
    ],
  ])('%j', async (changes, body) => {
    const request = jsonRequestOf(editAssetMetadata, { ...edit, ...changes });
    const seen = await sent(request);
    expect(seen).toMatchObject({ line: `POST /me/assets/${asset}/metadata`, body });
    expect(seen.headers['content-type']).toBe('application/json');
    expect(request).toMatchObject({ needed: { allOf: ['assets:write'] }, identity: 'none' });
  });
});

describe('a media Set’s creation', () => {
  const item = {
    itemId: itemIds[0],
    position: 0,
    targetKind: 'episode',
    targetId: 9,
    slot: 'titlecard',
    file,
  };
  const creation = {
    clientMutationId: mutation,
    entryTargetKind: 'show',
    entryTargetId: 1,
    titleBase: 'Cards',
    description: null,
    languageCode: 'en',
    editionId: null,
    finalised: false,
    destination: null,
    declaredFiles: [{ ...item, selectedSourceFrame: null }],
  };

  test('is declared in the document’s words and order', async () => {
    const request = jsonRequestOf(createMediaSet, creation);
    expect(await sent(request)).toMatchObject({
      line: 'POST /me/set-uploads',
      body: JSON.stringify({
        clientMutationId: mutation,
        setKind: 'media_set',
        entryTargetKind: 'show',
        entryTargetId: 1,
        titleBase: 'Cards',
        description: null,
        languageCode: 'en',
        editionId: null,
        finalised: false,
        destination: null,
        declaredFiles: [
          {
            itemId: itemIds[0],
            position: 0,
            targetKind: 'episode',
            targetId: 9,
            slot: 'titlecard',
            filename: 'a.png',
            contentType: 'image/png',
            contentLength: 10,
            selectedSourceFrame: null,
          },
        ],
      }),
    });
    expect(request).toMatchObject({
      needed: { allOf: ['sets:write', 'assets:write'] },
      identity: 'documented',
    });
  });

  test('is repeated with the bytes that were kept', () => {
    const request = jsonRequestOf(createMediaSet, creation);
    const kept = Buffer.from('{"kept":true}');
    expect(sendJson(request, 't').body).toEqual(jsonBytes(request));
    expect(sendJson(request, 't', kept).body).toBe(kept);
  });

  const declared = { ...item, file: '/art/a.png' };
  const call = { ...creation, expectedUpdatedAt: null, declaredFiles: [declared] };
  test('is planned from the paths of its files', () => {
    expect(planOf(createMediaSet, call)).toMatchObject({ files: [{ file: '/art/a.png' }] });
  });

  test.each([
    ['no files', { declaredFiles: [] }],
    ['one item twice', { declaredFiles: [declared, { ...declared, position: 1 }] }],
    ['a half word on being finalised', { finalised: undefined }],
    ['no language', { languageCode: null }],
    ['an unknown field', { title: 'x' }],
    ['a digest of an item', { declaredFiles: [{ ...declared, sha256: 'a' }] }],
    ['a destination that is no record', { destination: 5 }],
  ])('with %s is not made', (_what, changes) => {
    expect(() => planOf(createMediaSet, { ...call, ...changes })).toThrow(/arguments can't be used/);
  });
});

describe('a grouped Set edit', () => {
  const at = { targetKind: 'movie', targetId: 550, slot: 'poster' };
  const common = (index: number) => ({ itemId: itemIds[index], position: index, ...at });
  const existing = { existingAssetId: asset, expectedAssetUpdatedAt: revision };
  const add = { operation: 'add', ...common(0), file };
  const replace = {
    operation: 'replace',
    ...common(1),
    file,
    expectedPreviousAssetId: asset,
    expectedAssetUpdatedAt: revision,
  };
  const assign = { operation: 'assign', ...common(2), ...existing };
  const metadata = { operation: 'asset_metadata', ...common(3), ...existing, languageCode: null };
  const edit = {
    clientMutationId: mutation,
    setId: 12,
    setKind: 'media_set',
    expectedUpdatedAt: revision,
    metadata: { titleBase: 'New', description: null },
    items: [add, replace, assign, metadata],
  };

  test('is admitted in the document’s words, unused identities null', async () => {
    const declaredFile = { ...announced, selectedSourceFrame: null };
    const seen = await sent(jsonRequestOf(editSet, edit));
    expect(seen.line).toBe('POST /me/sets/12/updates');
    expect(seen.body).toBe(
      JSON.stringify({
        clientMutationId: mutation,
        setId: 12,
        setKind: 'media_set',
        expectedUpdatedAt: revision,
        titleBase: 'New',
        description: null,
        items: [
          {
            ...common(0),
            operation: 'add',
            declaredFile,
            expectedPreviousAssetId: null,
            existingAssetId: null,
            expectedAssetUpdatedAt: null,
          },
          {
            ...common(1),
            operation: 'replace',
            declaredFile,
            expectedPreviousAssetId: asset,
            existingAssetId: null,
            expectedAssetUpdatedAt: revision,
          },
          {
            ...common(2),
            operation: 'assign',
            declaredFile: null,
            expectedPreviousAssetId: null,
            existingAssetId: asset,
            expectedAssetUpdatedAt: revision,
          },
          {
            ...common(3),
            operation: 'asset_metadata',
            declaredFile: null,
            expectedPreviousAssetId: null,
            existingAssetId: asset,
            expectedAssetUpdatedAt: revision,
            languageCode: null,
          },
        ],
      }),
    );
  });

  test.each([
    [[], ['sets:write']],
    [[assign], ['sets:write']],
    [[add], ['sets:write', 'assets:write']],
    [[metadata], ['sets:write', 'assets:write']],
    [[replace], ['sets:write', 'assets:replace']],
    [
      [replace, add, assign],
      ['sets:write', 'assets:write', 'assets:replace'],
    ],
  ])('needs what its items need', (items, scopes) => {
    const request = jsonRequestOf(editSet, { ...edit, items });
    expect(request).toMatchObject({ needed: { allOf: scopes }, identity: 'documented' });
  });

  const path = { file: '/art/a.png' };
  const byPath = { add: { ...add, ...path }, replace: { ...replace, ...path } };
  const call = { ...edit, items: [byPath.add, { ...byPath.replace, slot: 'logo' }] };
  const calls = (count: number) => {
    const items = Array.from({ length: count }, (_, position) => ({
      ...assign,
      position,
      existingAssetId: `a4b7d0aa-7f52-4c5e-8a33-${String(position).padStart(12, '0')}`,
      targetId: position,
      itemId: undefined,
    }));
    return () => planOf(editSet, { ...edit, items });
  };

  test('takes 300 items, and not one more', () => {
    expect(calls(300)()).toMatchObject({ places: expect.objectContaining({ length: 300 }) });
    expect(calls(301)).toThrow(/One edit takes 300 items/);
  });

  test.each([
    ['nothing to change', { metadata: {}, items: [] }],
    ['one item twice', { items: [byPath.add, { ...assign, itemId: add.itemId }] }],
    [
      'one item twice, in capitals',
      { items: [byPath.add, { ...assign, itemId: add.itemId?.toUpperCase() }] },
    ],
    ['an addition that names an Asset', { items: [{ ...byPath.add, existingAssetId: asset }] }],
    ['a replacement of nothing', { items: [{ ...byPath.replace, expectedPreviousAssetId: undefined }] }],
    ['an assignment with a file', { items: [{ ...assign, ...path }] }],
    ['an edit of an Asset that changes nothing', { items: [{ ...metadata, languageCode: undefined }] }],
    ['another kind', { setKind: 'movie_set' }],
    ['unknown metadata', { metadata: { title: 'x' } }],
  ])('with %s is not made', (_what, changes) => {
    expect(() => planOf(editSet, { ...call, ...changes })).toThrow(/arguments can't be used/);
  });

  test.each([
    ['the Set', { expectedUpdatedAt: ownDigest }, 'expectedUpdatedAt'],
    [
      'an Asset',
      { items: [add, { ...assign, expectedAssetUpdatedAt: ownDigest }] },
      'items.1.expectedAssetUpdatedAt',
    ],
  ])('a revision of %s that only we know is not sent', (_what, changes, place) => {
    expect(() => jsonRequestOf(editSet, { ...edit, ...changes })).toThrow(
      `${place} is not a revision of the service`,
    );
  });
});
