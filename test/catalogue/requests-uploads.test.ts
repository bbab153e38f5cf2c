import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { completeSubmission } from '../../src/catalogue/requests/complete-submission.ts';
import { itemId, submissionId } from '../../src/catalogue/requests/fields.ts';
import { sendFile, showRequest } from '../../src/catalogue/requests/request.ts';
import {
  assetUpload,
  assetUploadScopes,
  uploadAssetRequest,
} from '../../src/catalogue/requests/upload-asset.ts';
import { uploadFile } from '../../src/catalogue/requests/upload-file.ts';
import { uploadItem } from '../../src/catalogue/requests/upload-item.ts';
import { sent } from './requests-sent.ts';

const bytes = Buffer.from('\u0089PNG, more or less', 'latin1');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const mutation = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';
const previous = 'a4b7d0aa-7f52-4c5e-8a33-1d0f6f0a9b01';
const file = { filename: 'S01E01 (v2).png', contentType: 'image/png', contentLength: bytes.length };
const target = { targetKind: 'movie', targetId: 550 };
const upload = {
  clientMutationId: mutation,
  change: { operation: 'add' },
  destination: { to: 'target', target },
  slot: 'poster',
  languageCode: 'en',
  file,
  sha256,
};

describe('a single upload', () => {
  test('to a target is a raw body with all of the rest in the query', async () => {
    const seen = await sent(uploadAssetRequest(assetUpload.parse(upload)), bytes);
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
      { change: { operation: 'replace', previousAssetId: previous } },
      `/me/assets?operation=replace&clientMutationId=${mutation}&slot=poster&targetKind=movie&targetId=550&languageCode=en&previousAssetId=${previous}`,
      ['assets:replace'],
    ],
    [
      'to a Set, which has its own target',
      { destination: { to: 'set', setId: 12 } },
      `/me/sets/12/assets?operation=add&clientMutationId=${mutation}&slot=poster&languageCode=en`,
      ['assets:write'],
    ],
    [
      'to a Set, with a target',
      { destination: { to: 'set', setId: 12, target }, languageCode: undefined },
      `/me/sets/12/assets?operation=add&clientMutationId=${mutation}&slot=poster&targetKind=movie&targetId=550`,
      ['assets:write'],
    ],
    [
      'as a group’s poster',
      { destination: { to: 'group', groupId: 'a/b' } },
      `/me/groups/a%2Fb/poster?operation=add&clientMutationId=${mutation}&slot=poster&languageCode=en`,
      ['groups:write', 'assets:write'],
    ],
    [
      'as a group’s poster, replaced',
      {
        destination: { to: 'group', groupId: 3 },
        change: { operation: 'replace', previousAssetId: previous },
      },
      `/me/groups/3/poster?operation=replace&clientMutationId=${mutation}&slot=poster&languageCode=en&previousAssetId=${previous}`,
      ['groups:write', 'assets:replace'],
    ],
    [
      'with words that need encoding',
      { slot: 'square art&x=1', languageCode: 'zh-Hant+é' },
      `/me/assets?operation=add&clientMutationId=${mutation}&slot=square%20art%26x%3D1&targetKind=movie&targetId=550&languageCode=zh-Hant%2B%C3%A9`,
      ['assets:write'],
    ],
  ];
  test.each(paths)('%s', async (_what, changes, path, scopes) => {
    const parsed = assetUpload.parse({ ...upload, ...changes });
    const request = uploadAssetRequest(parsed);
    expect((await sent(request, bytes)).line).toBe(`POST ${path}`);
    expect(request.needed).toEqual({ allOf: scopes });
    expect(assetUploadScopes(parsed)).toEqual({ allOf: scopes });
    expect(request.identity).toBe('documented');
  });

  test('is shown by a dry run as the document has it', () => {
    expect(JSON.stringify(showRequest(uploadAssetRequest(assetUpload.parse(upload))))).toBe(
      JSON.stringify({
        method: 'POST',
        path: '/me/assets',
        query: {
          operation: 'add',
          clientMutationId: mutation,
          slot: 'poster',
          targetKind: 'movie',
          targetId: 550,
          languageCode: 'en',
        },
        headers: {
          'Content-Type': 'image/png',
          'Content-Length': String(bytes.length),
          'X-Upload-Filename': 'S01E01 (v2).png',
          'X-Upload-SHA256': sha256,
        },
        body: { bytesOfFile: bytes.length },
      }),
    );
  });

  test('has one spelling of its identity', () => {
    const loud = assetUpload.parse({ ...upload, clientMutationId: mutation.toUpperCase() });
    expect(loud.clientMutationId).toBe(mutation);
  });

  test.each([
    ['an unknown field', { more: 1 }, ['more']],
    ['no identity', { clientMutationId: undefined }, ['clientMutationId']],
    ['an identity that is none', { clientMutationId: 'abc' }, ['clientMutationId']],
    ['a slot with a line end', { slot: 'poster\n' }, ['slot']],
    ['a slot of half a character', { slot: '\ud83d' }, ['slot']],
    ['no target', { destination: { to: 'target' } }, ['destination']],
    [
      'half a target',
      { destination: { to: 'set', setId: 1, target: { targetKind: 'movie' } } },
      ['destination'],
    ],
    ['a Set and a group', { destination: { to: 'set', setId: 1, groupId: 2 } }, ['destination']],
    ['a Set id that is none', { destination: { to: 'set', setId: '1' } }, ['destination']],
    ['a replacement of nothing', { change: { operation: 'replace' } }, ['change']],
    ['an addition that replaces', { change: { operation: 'add', previousAssetId: previous } }, ['change']],
    ['a digest in capitals', { sha256: sha256.toUpperCase() }, ['sha256']],
    ['an empty file', { file: { ...file, contentLength: 0 } }, ['file']],
    ['a name with an accent', { file: { ...file, filename: 'é.png' } }, ['file']],
    ['a name with a line end', { file: { ...file, filename: 'a\r\nx: 1.png' } }, ['file']],
    ['a type that is none', { file: { ...file, contentType: 'png' } }, ['file']],
    ['two types', { file: { ...file, contentType: 'image/png, image/gif' } }, ['file']],
  ])('with %s is not made', (_what, changes, [field]) => {
    const parsed = assetUpload.safeParse({ ...upload, ...changes });
    const issues = parsed.error?.issues ?? [];
    expect(
      issues.map((issue) => issue.path[0] ?? (issue.code === 'unrecognized_keys' && issue.keys[0])),
    ).toContain(field);
  });

  test('of a file that has grown or shrunk is not sent', () => {
    const request = uploadAssetRequest(assetUpload.parse(upload));
    expect(() => sendFile(request, Buffer.concat([bytes, bytes]), 't')).toThrow(/\d+ bytes.*were declared/);
    const stream = { length: bytes.length - 1, open: () => Readable.from([bytes]) };
    expect(() => sendFile(request, stream, 't')).toThrow(/changed meanwhile/);
  });
});

describe.each([
  ['creation', '/me/set-uploads', ['sets:write', 'assets:write']],
  ['edit', '/me/set-updates', ['sets:write']],
] as const)('a submission’s %s', (kind, base, scopes) => {
  const submission = submissionId.parse('s/1');
  const item = itemId.parse('0b51a0a2-6f0f-4a6a-9d7e-3f7b6f2f1c55');

  test('takes one item’s file, announced as it was declared', async () => {
    const request = uploadItem(kind, submission, item, uploadFile.parse(file));
    const seen = await sent(request, bytes);
    expect(seen.line).toBe(`POST ${base}/s%2F1/assets?itemId=${item}`);
    expect(seen.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'x-upload-filename': 'S01E01 (v2).png',
    });
    expect(seen.headers).not.toHaveProperty('x-upload-sha256');
    expect(request).toMatchObject({ needed: { allOf: scopes }, identity: 'documented' });
  });

  test('is completed with an empty object', async () => {
    const request = completeSubmission(kind, submission);
    const seen = await sent(request);
    expect(seen).toMatchObject({ line: `POST ${base}/s%2F1/complete`, body: '{}' });
    expect(seen.headers['content-type']).toBe('application/json');
    expect(request).toMatchObject({ needed: { allOf: scopes }, identity: 'documented' });
  });
});
