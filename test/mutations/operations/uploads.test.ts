import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { itemId, submissionId, uploadFile } from '../../../src/catalogue/request.ts';
import { completeSubmission, submissions, uploadItem } from '../../../src/catalogue/submission.ts';
import { uploadAsset } from '../../../src/mutations/operations/upload-asset.ts';
import { sent } from '../../catalogue/requests-sent.ts';
import { fileRequestOf } from './request-of.ts';

const bytes = Buffer.from('\u0089PNG, more or less', 'latin1');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const mutation = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';
const previous = 'a4b7d0aa-7f52-4c5e-8a33-1d0f6f0a9b01';
const announced = { filename: 'S01E01 (v2).png', contentType: 'image/png', contentLength: bytes.length };
const file = { ...announced, sha256 };
const target = { targetKind: 'movie', targetId: 550 };
const upload = {
  clientMutationId: mutation,
  expectedUpdatedAt: 'r1',
  operation: 'add',
  slot: 'poster',
  languageCode: 'en',
  file,
};
const toTarget = { ...upload, expectedUpdatedAt: null, ...target };

describe('a single upload', () => {
  test('to a target is a raw body with all of the rest in the query', async () => {
    const seen = await sent(fileRequestOf(uploadAsset, toTarget), bytes);
    expect(seen.line).toBe(
      `POST /me/assets?operation=add&clientMutationId=${mutation}&slot=poster&targetKind=movie&targetId=550&languageCode=en`,
    );
    expect(seen.headers).toMatchObject({
      authorization: 'Bearer token',
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'x-upload-filename': 'S01E01 (v2).png',
      'x-upload-sha256': sha256,
    });
    expect(seen.headers).not.toHaveProperty('transfer-encoding');
    expect(seen.headers).not.toHaveProperty('cookie');
    expect(Buffer.from(seen.body, 'latin1')).toEqual(bytes);
  });

  const paths: readonly (readonly [string, object, string, string[]])[] = [
    [
      'a replacement',
      { ...target, operation: 'replace', previousAssetId: previous },
      `/me/assets?operation=replace&clientMutationId=${mutation}&slot=poster&targetKind=movie&targetId=550&languageCode=en&previousAssetId=${previous}`,
      ['assets:replace'],
    ],
    [
      'to a Set, which has its own target',
      { setId: 12 },
      `/me/sets/12/assets?operation=add&clientMutationId=${mutation}&slot=poster&languageCode=en`,
      ['assets:write'],
    ],
    [
      'to a Set, with a target',
      { setId: 12, ...target, languageCode: undefined },
      `/me/sets/12/assets?operation=add&clientMutationId=${mutation}&slot=poster&targetKind=movie&targetId=550`,
      ['assets:write'],
    ],
    [
      'as a group’s poster',
      { groupId: 'a/b' },
      `/me/groups/a%2Fb/poster?operation=add&clientMutationId=${mutation}&slot=poster&languageCode=en`,
      ['groups:write', 'assets:write'],
    ],
    [
      'as a group’s poster, replaced',
      {
        groupId: 3,
        operation: 'replace',
        previousAssetId: previous,
      },
      `/me/groups/3/poster?operation=replace&clientMutationId=${mutation}&slot=poster&languageCode=en&previousAssetId=${previous}`,
      ['groups:write', 'assets:replace'],
    ],
    [
      'with words that need encoding',
      { ...target, expectedUpdatedAt: null, slot: 'square art&x=1', languageCode: 'zh-Hant+é' },
      `/me/assets?operation=add&clientMutationId=${mutation}&slot=square%20art%26x%3D1&targetKind=movie&targetId=550&languageCode=zh-Hant%2B%C3%A9`,
      ['assets:write'],
    ],
  ];
  test.each(paths)('%s', async (_what, changes, path, scopes) => {
    const request = fileRequestOf(uploadAsset, { ...upload, ...changes });
    expect((await sent(request, bytes)).line).toBe(`POST ${path}`);
    expect(request).toMatchObject({ needed: { allOf: scopes }, identity: 'documented' });
  });

  test.each([
    ['an unknown field', { more: 1 }, 'more'],
    ['no identity', { clientMutationId: undefined }, 'clientMutationId'],
    ['an identity that is none', { clientMutationId: 'abc' }, 'clientMutationId'],
    ['a slot with a line end', { slot: 'poster\n' }, 'slot'],
    ['a slot with a lone surrogate', { slot: '\ud83d' }, 'slot'],
    ['no target', { targetKind: undefined, targetId: undefined }, 'targetKind'],
    ['half a target', { setId: 1, targetId: undefined }, 'targetId'],
    ['a Set and a group', { setId: 1, groupId: 2 }, 'groupId'],
    ['a Set id that is none', { setId: '1' }, 'setId'],
    ['a replacement of nothing', { operation: 'replace' }, 'previousAssetId'],
    ['an addition that replaces', { previousAssetId: previous }, 'previousAssetId'],
    ['a digest in capitals', { file: { ...file, sha256: sha256.toUpperCase() } }, 'file.sha256'],
    ['an empty file', { file: { ...file, contentLength: 0 } }, 'file.contentLength'],
    ['a name with an accent', { file: { ...file, filename: 'é.png' } }, 'file.filename'],
    ['a name with a line end', { file: { ...file, filename: 'a\r\nx: 1.png' } }, 'file.filename'],
    ['a type that is none', { file: { ...file, contentType: 'png' } }, 'file.contentType'],
    ['two types', { file: { ...file, contentType: 'image/png, image/gif' } }, 'file.contentType'],
  ])('with %s is not made', (_what, changes, place) => {
    expect(() => fileRequestOf(uploadAsset, { ...toTarget, ...changes })).toThrow(place);
  });
});

describe.each([
  ['creation', '/me/set-uploads', ['sets:write', 'assets:write']],
  ['edit', '/me/set-updates', ['sets:write']],
] as const)('a submission’s %s', (kind, base, scopes) => {
  const submission = submissionId.parse('s/1');
  const item = itemId.parse('0b51a0a2-6f0f-4a6a-9d7e-3f7b6f2f1c55');

  test('takes one item’s file, announced as it was declared', async () => {
    const request = uploadItem(kind, submission, item, uploadFile.parse(announced));
    const seen = await sent(request, bytes);
    expect(seen.line).toBe(`POST ${base}/s%2F1/assets?itemId=${item}`);
    expect(seen.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'x-upload-filename': 'S01E01 (v2).png',
    });
    expect(seen.headers).not.toHaveProperty('x-upload-sha256');
    expect(request.identity).toBe('documented');
    expect(submissions[kind].needed).toEqual({ allOf: scopes });
  });

  test('is completed with an empty object', async () => {
    const request = completeSubmission(kind, submission);
    const seen = await sent(request);
    expect(seen).toMatchObject({ line: `POST ${base}/s%2F1/complete`, body: '{}' });
    expect(seen.headers['content-type']).toBe('application/json');
    expect(request).toMatchObject({ identity: 'documented' });
  });
});
