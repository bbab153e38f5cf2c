import { describe, expect, test } from 'vitest';
import type { Owned } from '../../src/catalogue/owned.ts';
import type { Log } from '../../src/log.ts';
import { handOut, ownedAt, tokenOf } from './owned-access.ts';
import { json, type Script, serve } from './scripted-server.ts';

const uuid = '0b51a0a2-6f0f-4a6a-9d7e-3f7b6f2f1c55';

/** Every protected read, its path, and the scopes of the interface document's table. */
const reads: readonly (readonly [string, (owned: Owned) => Promise<unknown>, string, unknown, string[]])[] = [
  ['an Asset', (o) => o.readAsset(uuid), `/me/assets/${uuid}`, { id: uuid }, ['assets:write']],
  ['an Asset, to replace', (o) => o.readAsset(uuid), `/me/assets/${uuid}`, { id: uuid }, ['assets:replace']],
  ['a Set', (o) => o.readSet(12), '/me/sets/12', { id: 12 }, ['sets:write']],
  ['a group', (o) => o.readGroup('g 1'), '/me/groups/g%201', { id: 'g 1' }, ['groups:write']],
  [
    'media Set destinations',
    (o) => o.findUploadDestinations({ kind: 'media_set' }),
    '/me/upload-destinations?kind=media_set',
    [],
    ['sets:write'],
  ],
  [
    'talent Set destinations',
    (o) => o.findUploadDestinations({ kind: 'talent_set', q: 'Ada & co. +1' }),
    '/me/upload-destinations?kind=talent_set&q=Ada%20%26%20co.%20%2B1',
    [],
    ['sets:write'],
  ],
  [
    'game destinations',
    (o) => o.findUploadDestinations({ kind: 'boxset', family: 'game', q: 'x' }),
    '/me/upload-destinations?kind=boxset&family=game&q=x',
    [],
    ['groups:write'],
  ],
  ['relationships', (o) => o.readRelationships(null), '/me/relationships', [], ['relationships:write']],
  [
    'an upload',
    (o) => o.findAssetUpload(uuid),
    `/me/asset-uploads/${uuid}`,
    { processingStatus: 'processing' },
    ['assets:replace'],
  ],
  [
    'a creation',
    (o) => o.findSubmission('creation', 's1'),
    '/me/set-uploads/s1',
    { submissionId: 's1' },
    ['sets:write', 'assets:write'],
  ],
  [
    'an edit',
    (o) => o.findSubmission('edit', 's1'),
    '/me/set-updates/s1',
    { submissionId: 's1' },
    ['sets:write'],
  ],
];

describe.each(reads)('%s', (_what, read, path, data, scopes) => {
  test('is read at its path with a bearer token, and nothing else that identifies', async () => {
    const server = await serve((_request, response) => {
      response.setHeader('set-cookie', 'session=1; Path=/');
      json(response, 200, { data });
    });
    const owned = ownedAt(`${server.origin}/api/`, handOut({ scopes }));
    await read(owned);
    await read(owned);
    expect(server.seen).toEqual([`GET /api${path}`, `GET /api${path}`]);
    for (const headers of server.headers) {
      expect(headers.authorization).toBe(`Bearer ${tokenOf(1)}`);
      expect(headers['user-agent']).toBe('artwork-mcp/0.0.0-test');
      expect(headers).not.toHaveProperty('cookie');
    }
  });

  test('is not sent without its scope', async () => {
    const server = await serve((_request, response) => json(response, 200, { data }));
    const others = ['openid', 'offline_access'];
    for (const left of [others, ...scopes.map((scope) => scopes.filter((one) => one !== scope))]) {
      const refused = read(ownedAt(server.origin, handOut({ scopes: left })));
      await expect(refused).rejects.toMatchObject({
        category: 'scope_missing',
        status: undefined,
        next: { tool: 'connect_account' },
      });
    }
    expect(server.seen).toEqual([]);
  });
});

describe('a record', () => {
  const answers = (body: unknown): Script => {
    return (_request, response) => json(response, 200, body);
  };

  test('comes with every field, cleaned', async () => {
    const asset = {
      id: uuid,
      updatedAt: '2026-03-04T05:06:07.000001Z',
      languageCode: null,
      editionId: 4,
      slot: 'poster',
      note: 'left\u202eright\u0007',
      deep: [{ more: { '\u200bkey': 1 } }],
    };
    const server = await serve(answers({ data: asset, meta: {} }));
    expect(await ownedAt(server.origin).readAsset(uuid)).toEqual({
      ...asset,
      note: 'leftright',
      deep: [{ more: { key: 1 } }],
    });
  });

  test.each([
    [
      'without its wrapping',
      { id: 5, updatedAt: 'r', data: 'a field' },
      { id: 5, updatedAt: 'r', data: 'a field' },
    ],
    ['with its id as text', { data: { id: '5', updatedAt: 'r' } }, { id: 5, updatedAt: 'r' }],
    ['without an id', { data: { updatedAt: 'r' } }, { updatedAt: 'r' }],
    ['with a revision that is a number', { data: { id: 5, updatedAt: 17 } }, { id: 5, updatedAt: 17 }],
  ])('%s', async (_what, body, record) => {
    const server = await serve(answers(body));
    expect(await ownedAt(server.origin).readSet(5)).toEqual(record);
  });
});

describe('lists', () => {
  const follow = { targetKind: 'user', targetId: 3 };
  const shapes: readonly (readonly [string, unknown, unknown[]])[] = [
    ['as data', { data: [follow], meta: {} }, [follow]],
    ['bare', [follow], [follow]],
    ['named', { data: { relationships: [follow], total: 1 } }, [follow]],
    ['named, without wrapping', { relationships: [follow] }, [follow]],
    [
      'several',
      { data: { follows: [follow], hides: [{ id: '9' }, null] } },
      [
        { ...follow, listedUnder: 'follows' },
        { id: '9', listedUnder: 'hides' },
      ],
    ],
    ['empty', { data: [] }, []],
  ];
  test.each(shapes)('%s', async (what, body, items) => {
    const warnings: string[] = [];
    const keep = (line: string) => warnings.push(line);
    const log: Log = { error: keep, warn: keep, info: keep, debug: keep };
    const server = await serve((_request, response) => json(response, 200, body));
    const owned = ownedAt(server.origin, handOut(), { log });
    expect(await owned.readRelationships(null)).toEqual({ items, nextPage: null });
    expect(await owned.findUploadDestinations({ kind: 'media_set' })).toEqual(items);
    // One element of one of the lists is no record, and each of the two reads says so.
    expect(warnings).toHaveLength(what === 'several' ? 2 : 0);
  });

  test('a later page is followed on its own path only', async () => {
    const server = await serve((request, response) =>
      json(response, 200, {
        data: [{ id: request.url }],
        meta: { nextPage: request.url?.includes('page') ? '/me/assets/1' : '/me/relationships?page=2' },
      }),
    );
    const owned = ownedAt(server.origin);
    const first = await owned.readRelationships(null);
    const second = await owned.readRelationships(first.nextPage);
    expect(second.items).toEqual([{ id: '/me/relationships?page=2' }]);
    await expect(owned.readRelationships(second.nextPage)).rejects.toMatchObject({
      category: 'bad_response',
    });
    expect(server.seen).toEqual(['GET /me/relationships', 'GET /me/relationships?page=2']);
  });
});

describe('what stops a read', () => {
  test('no connection: the reason is handed on, and nothing is sent', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: { id: 1 } }));
    const then = new Error('not connected');
    await expect(ownedAt(server.origin, handOut({ tokens: [], then })).readSet(1)).rejects.toBe(then);
    expect(server.seen).toEqual([]);
  });
});
