import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Heard,
  type OwnersCatalogue,
  refusal,
  startCatalogue,
  textOf,
  type UploadedFile,
  withoutNulls,
} from './me-catalogue.ts';
import { animation, picture, poster } from './me-pictures.ts';
import { plantWorks, sets, works } from './me-works.ts';

/** The interface document shows this limit. */
const maxBytes = 20_971_520;

let catalogue: OwnersCatalogue;
let token: string;
let good: Buffer;
beforeAll(async () => {
  catalogue = await startCatalogue();
  plantWorks(catalogue.database);
  token = await catalogue.token(1);
  good = await poster();
});
afterAll(() => catalogue.stop());

type Query = Record<string, string | number | null>;

const query = (changes: Query = {}): Query => ({
  operation: 'add',
  clientMutationId: randomUUID(),
  slot: 'poster',
  targetKind: 'movie',
  targetId: works.movie.id,
  languageCode: 'en',
  ...changes,
});

/** Everything that an upload could leave, the record of its refusal aside. */
async function traces(): Promise<object> {
  const count = (table: string) =>
    catalogue.database.only(`SELECT count(*) AS many FROM ${table}`).integer('many');
  const files = (folder: string) => countFiles(path.join(catalogue.dataDir, folder));
  return {
    rows: ['assets', 'asset_files', 'effects', 'asset_changes', 'set_changes'].map(count),
    revisions: catalogue.database.only('SELECT max(updated_at) AS last FROM sets').text('last'),
    staged: await files('uploads'),
    kept: await files('pictures'),
  };
}

const staging = () => path.join(catalogue.dataDir, 'uploads');

/** None in a folder that has not been needed yet. */
async function countFiles(folder: string): Promise<number> {
  return existsSync(folder) ? (await readdir(folder)).length : 0;
}

const refusals = () =>
  ['asset_uploads', 'mutations'].map((table) =>
    catalogue.database.only(`SELECT count(*) AS many FROM ${table}`).integer('many'),
  );

async function leavesNothing<T>(work: () => Promise<T>): Promise<T> {
  const before = [await traces(), refusals()];
  const result = await work();
  expect([await traces(), refusals()]).toEqual(before);
  return result;
}

/** Sends an upload with a final refusal: only the refusal is stored, the lookup reports it, and the same request gets it again. */
async function leavesItsRefusal(where: string, file: UploadedFile, code: string): Promise<Heard> {
  const before = await traces();
  const answer = await catalogue.upload(where, token, file);
  const id = String(file.query.clientMutationId);
  await lookupSaysFailed(id, code);
  expect(await catalogue.upload(where, token, file)).toMatchObject({
    status: answer.status,
    body: answer.body,
  });
  expect(await traces()).toEqual(before);
  return answer;
}

async function lookupSaysFailed(id: string, code: string): Promise<void> {
  const status = await catalogue.get(`/me/asset-uploads/${id}`, token);
  expect(status.body).toEqual({
    data: {
      clientMutationId: id,
      assetId: null,
      processingStatus: 'failed',
      publicationStatus: 'not_required',
      retryable: false,
      error: { code, message: expect.any(String) },
    },
  });
}

describe('a request that is not as the document says is refused, and leaves nothing', () => {
  it.each<[string, Query, string]>([
    ['no operation', { operation: null }, 'operation'],
    ['an unknown operation', { operation: 'delete' }, 'operation'],
    ['no clientMutationId', { clientMutationId: null }, 'clientMutationId'],
    ['a clientMutationId that is no UUID', { clientMutationId: '1234' }, 'clientMutationId'],
    ['no slot', { slot: null }, 'slot'],
    ['no targetKind', { targetKind: null }, 'targetKind'],
    ['no targetId', { targetId: null }, 'targetId'],
    ['a targetId that is no integer', { targetId: 'one' }, 'targetId'],
    ['a languageCode that is none', { languageCode: 'English!' }, 'languageCode'],
    ['an unknown parameter', { language: 'en' }, 'language'],
    ['an add with a previous Asset', { previousAssetId: randomUUID() }, 'previousAssetId'],
    ['a replace without one', { operation: 'replace' }, 'previousAssetId'],
  ])('%s', async (_, changes, field) => {
    const answer = await leavesNothing(() =>
      catalogue.upload('/me/assets', token, { bytes: good, query: query(changes) }),
    );
    expect(answer).toMatchObject({ status: 400, body: refusal('request.invalid') });
    expect(answer.body).toMatchObject({ error: { issues: [{ path: [field] }] } });
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });

  it('a parameter that is given twice', async () => {
    const answer = await leavesNothing(() =>
      catalogue.upload('/me/assets?slot=poster&', token, { bytes: good, query: query() }),
    );
    expect(answer.status).toBe(400);
  });

  it.each<[string, Record<string, string | null>, number, string]>([
    ['no file name', { 'x-upload-filename': null }, 400, 'request.invalid'],
    ['a file name with a slash', { 'x-upload-filename': 'a/b.png' }, 400, 'request.invalid'],
    ['a file name with a backslash', { 'x-upload-filename': 'a\\b.png' }, 400, 'request.invalid'],
    ['a file name of dots', { 'x-upload-filename': '..' }, 400, 'request.invalid'],
    ['a file name that is not ASCII', { 'x-upload-filename': 'caf\u00e9.png' }, 400, 'request.invalid'],
    ['a file name of 256 characters', { 'x-upload-filename': 'a'.repeat(256) }, 400, 'request.invalid'],
    ['no digest', { 'x-upload-sha256': null }, 400, 'request.invalid'],
    ['a digest in capitals', { 'x-upload-sha256': 'A'.repeat(64) }, 400, 'request.invalid'],
    ['a content encoding', { 'content-encoding': 'gzip' }, 415, 'asset.file.type'],
  ])('%s', async (_, headers, status, code) => {
    const answer = await leavesNothing(() =>
      catalogue.upload('/me/assets', token, { bytes: good, query: query(), headers }),
    );
    expect(answer).toMatchObject({ status, body: refusal(code) });
  });
});

describe('a media type', () => {
  it.each(['IMAGE/PNG', 'Image/Png; charset=binary', 'image/png;q=1', 'image/png ; a="b;c"'])(
    'may be written %s',
    async (contentType) => {
      const answer = await catalogue.upload('/me/assets', token, {
        bytes: good,
        contentType,
        query: query(),
      });
      expect(answer.status).toBe(201);
    },
  );
});

describe('a file that is not a fitting picture is refused, and leaves nothing but its refusal', () => {
  it.each<[string, Record<string, string | null>, number, string]>([
    ['another digest', { 'x-upload-sha256': 'a'.repeat(64) }, 422, 'asset.file.digest_mismatch'],
    ['an unknown media type', { 'content-type': 'image/tiff' }, 415, 'asset.file.type'],
    ['no media type', { 'content-type': 'png' }, 415, 'asset.file.type'],
    ['another picture’s media type', { 'content-type': 'image/jpeg' }, 422, 'asset.file.content_mismatch'],
  ])('%s', async (_, headers, status, code) => {
    const answer = await leavesItsRefusal('/me/assets', { bytes: good, query: query(), headers }, code);
    expect(answer).toMatchObject({ status, body: refusal(code) });
  });

  const half = async (format: 'png' | 'jpeg' | 'webp' | 'gif') => {
    const whole = await picture(800, 1200, format);
    return whole.subarray(0, Math.floor(whole.length / 2));
  };

  it.each<[string, () => Promise<Buffer>, string, Query, string]>([
    [
      'no picture',
      async () => Buffer.from('hello, this is text'),
      'image/png',
      {},
      'asset.file.content_mismatch',
    ],
    [
      'an SVG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'image/png',
      {},
      'asset.file.content_mismatch',
    ],
    ['one byte', async () => Buffer.from('x'), 'image/gif', {}, 'asset.file.content_mismatch'],
    [
      'a signature alone',
      async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      'image/png',
      {},
      'asset.file.undecodable',
    ],
    [
      'noise behind a signature',
      async () => Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), randomBytes(4000)]),
      'image/jpeg',
      {},
      'asset.file.undecodable',
    ],
    ['half a PNG', () => half('png'), 'image/png', {}, 'asset.file.undecodable'],
    ['half a JPEG', () => half('jpeg'), 'image/jpeg', {}, 'asset.file.undecodable'],
    ['half a WebP', () => half('webp'), 'image/webp', {}, 'asset.file.undecodable'],
    ['half a GIF', () => half('gif'), 'image/gif', {}, 'asset.file.undecodable'],
    ['a small picture', () => picture(100, 150), 'image/png', {}, 'asset.file.dimensions'],
    [
      'a very long picture',
      () => picture(10_001, 64),
      'image/png',
      { slot: 'logo' },
      'asset.file.dimensions',
    ],
    ['a landscape for a poster', () => picture(1280, 720), 'image/png', {}, 'asset.file.ratio'],
    ['a poster a tenth too wide', () => picture(440, 600), 'image/png', {}, 'asset.file.ratio'],
    [
      'a poster for a backdrop',
      () => picture(800, 1200),
      'image/png',
      { slot: 'backdrop' },
      'asset.file.ratio',
    ],
    [
      'too many frames',
      () => animation(64, 8, 601, 'gif'),
      'image/gif',
      { slot: 'logo' },
      'asset.file.frames',
    ],
  ])('%s', async (_, make, contentType, changes, code) => {
    const bytes = await make();
    const file = { bytes, contentType, query: query(changes) };
    const answer = await leavesItsRefusal('/me/assets', file, code);
    expect(answer).toMatchObject({ status: 422, body: refusal(code) });
  });

  it('and its identity stands for that request', async () => {
    const same = query();
    const bytes = await picture(100, 150);
    expect((await catalogue.upload('/me/assets', token, { bytes, query: same })).status).toBe(422);
    const other = await leavesNothing(() =>
      catalogue.upload('/me/assets', token, { bytes: good, query: same }),
    );
    expect(other).toMatchObject({ status: 409, body: refusal('client_mutation.reused') });
    await lookupSaysFailed(String(same.clientMutationId), 'asset.file.dimensions');
  });

  it('after a restart too', async () => {
    const file = { bytes: await picture(100, 150), query: query() };
    await leavesItsRefusal('/me/assets', file, 'asset.file.dimensions');
    const other = await startCatalogue({ dataDir: catalogue.dataDir });
    const answer = await other.upload('/me/assets', await other.token(1), file);
    expect(answer).toMatchObject({ status: 422, body: refusal('asset.file.dimensions') });
    await other.stop();
  });
});

describe('a place that is none is refused, and leaves nothing but its refusal', () => {
  it.each<[string, string, () => Query, number, string]>([
    ['an unknown kind', '/me/assets', () => ({ targetKind: 'podcast' }), 422, 'target.unknown'],
    ['an unknown target', '/me/assets', () => ({ targetId: 424242 }), 422, 'target.unknown'],
    ['a group as a target', '/me/assets', () => ({ targetKind: 'boxset' }), 422, 'target.unknown'],
    ['a slot of another kind', '/me/assets', () => ({ slot: 'titlecard' }), 422, 'slot.unsupported'],
    ['an unknown slot', '/me/assets', () => ({ slot: 'screenshot' }), 422, 'slot.unsupported'],
    ['a target outside the Set', `/me/sets/${sets.ungrouped}/assets`, () => ({}), 422, 'target.outside_set'],
    ['an unknown Set', '/me/sets/1/assets', () => ({}), 404, 'not_found'],
    [
      'an unknown group',
      '/me/groups/1/poster',
      () => ({ targetKind: null, targetId: null }),
      404,
      'not_found',
    ],
    [
      'an unknown previous Asset',
      '/me/assets',
      () => ({ operation: 'replace', previousAssetId: randomUUID() }),
      404,
      'not_found',
    ],
  ])('%s', async (_, where, changes, status, code) => {
    const answer = await leavesItsRefusal(where, { bytes: good, query: query(changes()) }, code);
    expect(answer).toMatchObject({ status, body: refusal(code) });
  });

  // Not about what is asked for, but about who asks: the identity stays unused.
  it.each<[string, string, () => Query, number, string]>([
    ['another account’s Set', `/me/sets/${sets.foreign}/assets`, () => ({}), 403, 'resource.not_owned'],
    [
      'another account’s Asset',
      '/me/assets',
      () => ({
        operation: 'replace',
        previousAssetId: catalogue.database.only('SELECT id FROM assets WHERE owner_id = 2').text('id'),
      }),
      403,
      'resource.not_owned',
    ],
  ])('%s, which leaves nothing', async (_, where, changes, status, code) => {
    const asked = query(changes());
    const answer = await leavesNothing(() => catalogue.upload(where, token, { bytes: good, query: asked }));
    expect(answer).toMatchObject({ status, body: refusal(code) });
    expect((await catalogue.get(`/me/asset-uploads/${asked.clientMutationId}`, token)).status).toBe(404);
  });

  it('a slot of a Set that is taken', async () => {
    const where = `/me/sets/${sets.ungrouped}/assets`;
    const own = { targetKind: null, targetId: null };
    const first = await catalogue.upload(where, token, { bytes: good, query: query(own) });
    const bytes = await poster();
    const again = await leavesItsRefusal(where, { bytes, query: query(own) }, 'slot.occupied');
    expect(again).toMatchObject({
      status: 409,
      body: refusal('slot.occupied', { assetId: textOf(first, 'assetId') }),
    });
  });

  it('another account’s group', async () => {
    const group = catalogue.database.only('SELECT id FROM groups WHERE owner_id = 2').integer('id');
    const answer = await catalogue.upload(`/me/groups/${group}/poster`, token, {
      bytes: good,
      query: query({ targetKind: null, targetId: null }),
    });
    expect(answer).toMatchObject({ status: 403, body: refusal('resource.not_owned') });
  });
});

describe('the size of a file', () => {
  /** A picture with as many bytes: what follows the end of a PNG means nothing. */
  const sized = (bytes: number) => Buffer.concat([good, Buffer.alloc(bytes - good.length)]);

  it('may be 20,971,520 bytes, and not one more', async () => {
    const bytes = sized(maxBytes + 1);
    const file = { bytes, query: query() };
    const answer = await leavesItsRefusal('/me/assets', file, 'asset.file.maxSize');
    expect(answer).toMatchObject({
      status: 413,
      body: refusal('asset.file.maxSize', { maxBytes: 20_971_520 }),
    });
    const largest = bytes.subarray(0, maxBytes);
    expect((await catalogue.upload('/me/assets', token, { bytes: largest, query: query() })).status).toBe(
      201,
    );
  });

  it('is refused by its Content-Length alone, before any of it was sent', async () => {
    const asked = query();
    const answer = await send({ 'content-length': String(maxBytes + 1) }, [], asked);
    expect(answer).toMatchObject({ status: 413, code: 'asset.file.maxSize' });
    await lookupSaysFailed(String(asked.clientMutationId), 'asset.file.maxSize');
  });

  it('must be declared, and not be nothing', async () => {
    expect(await send({ 'content-length': '0' }, [])).toMatchObject({
      status: 400,
      code: 'asset.file.empty',
    });
    const unknown = await leavesNothing(() => send({ 'transfer-encoding': 'chunked' }, [good]));
    expect(unknown).toMatchObject({ status: 411, code: 'asset.file.length_required' });
  });

  it('must arrive: a body that breaks off leaves nothing', async () => {
    await leavesNothing(async () => {
      const asked = open({ 'content-length': String(good.length) });
      asked.on('error', () => {});
      asked.write(good.subarray(0, good.length - 1));
      while ((await countFiles(staging())) === 0) await sleep(5);
      asked.destroy();
      while ((await countFiles(staging())) > 0) await sleep(5);
    });
  });

  it('is refused before the body where the request is refused anyhow', async () => {
    for (const [headers, code] of [
      [{ authorization: 'Bearer nonsense' }, 'invalid_token'],
      [{ 'x-upload-filename': 'a/b' }, 'request.invalid'],
      [{ 'content-type': 'text/plain' }, 'asset.file.type'],
    ] as const) {
      expect(await send({ 'content-length': String(good.length), ...headers }, [])).toMatchObject({ code });
    }
  });

  function open(headers: Record<string, string>, asked = query()) {
    const parameters = new URLSearchParams(withoutNulls(asked));
    return request(`${catalogue.baseUrl}/me/assets?${parameters}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'image/png',
        'x-upload-filename': 'picture.png',
        'x-upload-sha256': 'a'.repeat(64),
        ...headers,
      },
    });
  }

  /** The answer to these chunks, of which there may be fewer than declared. */
  async function send(headers: Record<string, string>, chunks: Buffer[], meant = query()) {
    const asked = open(headers, meant);
    asked.flushHeaders();
    for (const chunk of chunks) asked.write(chunk);
    const answered = once(asked, 'response');
    if ('transfer-encoding' in headers) asked.end();
    const [response] = await answered;
    let text = '';
    for await (const chunk of response) text += chunk;
    asked.on('error', () => {}).destroy();
    const body: unknown = JSON.parse(text);
    const error = body instanceof Object && 'error' in body ? body.error : null;
    return { status: response.statusCode, code: error instanceof Object ? Reflect.get(error, 'code') : null };
  }
});

describe('the scopes of an upload', () => {
  const scopes = [
    'assets:write',
    'assets:replace',
    'sets:write',
    'groups:write',
    'relationships:write',
  ] as const;

  it.each<[string, () => string, string, readonly string[]]>([
    ['/me/assets', () => '/me/assets', 'add', ['assets:write']],
    ['/me/assets', () => '/me/assets', 'replace', ['assets:replace']],
    ['/me/assets', () => '/me/assets', 'neither', ['assets:write', 'assets:replace']],
    ['/me/sets/{id}/assets', () => `/me/sets/${sets.movie}/assets`, 'add', ['assets:write']],
    ['/me/sets/{id}/assets', () => `/me/sets/${sets.movie}/assets`, 'replace', ['assets:replace']],
    ['/me/groups/{id}/poster', () => '/me/groups/900002/poster', 'add', []],
    ['/me/groups/{id}/poster', () => '/me/groups/900002/poster', 'replace', []],
  ])('%s, %s', async (_, where, operation, enough) => {
    for (const scope of scopes) {
      const held = await catalogue.token(1, scope);
      // No name: a caller with the scope gets as far as that.
      const answer = await catalogue.upload(where(), held, {
        bytes: good,
        query: query({ operation, ...(operation === 'replace' ? { previousAssetId: randomUUID() } : {}) }),
        headers: { 'x-upload-filename': null },
      });
      expect([scope, answer.status]).toEqual([scope, enough.includes(scope) ? 400 : 403]);
      if (answer.status === 403) expect(answer.body).toMatchObject(refusal('insufficient_scope'));
    }
  });

  it.each([
    ['add', 'groups:write assets:write', 400],
    ['add', 'groups:write assets:replace', 403],
    ['replace', 'groups:write assets:replace', 400],
    ['replace', 'groups:write assets:write', 403],
    ['add', 'assets:write assets:replace', 403],
  ])('of a group’s poster: %s with %s is %i', async (operation, scope, expected) => {
    const answer = await catalogue.upload('/me/groups/900002/poster', await catalogue.token(1, scope), {
      bytes: good,
      query: { operation, clientMutationId: 'none' },
    });
    expect(answer.status).toBe(expected);
  });

  it('of the status lookup', async () => {
    for (const scope of scopes) {
      const held = await catalogue.token(1, scope);
      const answer = await catalogue.get(`/me/asset-uploads/${randomUUID()}`, held);
      expect([scope, answer.status]).toEqual([scope, scope.startsWith('assets:') ? 404 : 403]);
    }
  });
});
