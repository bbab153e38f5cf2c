import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Owned } from '../../src/catalogue/owned.ts';
import { deadlineIn, unhurried } from '../../src/deadline.ts';
import type { Log } from '../../src/log.ts';
import { freePort } from '../support/free-port.ts';
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

  test('of another id is not taken for the one that was asked for', async () => {
    const server = await serve(answers({ data: { id: 6, updatedAt: 'r' } }));
    await expect(ownedAt(server.origin).readSet(5)).rejects.toMatchObject({ category: 'bad_response' });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '<html>'],
    ['no data', '{}'],
    ['null', '{"data":null}'],
    ['another program’s status', '{"status":"ok"}'],
    ['a list', '{"data":[]}'],
  ])('that is %s is refused', async (_what, body) => {
    const server = await serve((_request, response) => void response.writeHead(200).end(body));
    const owned = ownedAt(server.origin);
    for (const read of [owned.readAsset(uuid), owned.readSet(1), owned.findAssetUpload(uuid)]) {
      await expect(read).rejects.toMatchObject({ category: 'bad_response' });
    }
  });

  test('may be large, but not without end', async () => {
    const server = await serve(answers({ data: { id: 5, fill: 'x'.repeat(5000) } }));
    const owned = ownedAt(server.origin, handOut(), { limits: { answerBytes: 4096 } });
    await expect(owned.readSet(5)).rejects.toMatchObject({ category: 'bad_response' });
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

  test.each([{ data: {} }, { data: 'x' }, { data: null }, 'x', {}])('%j is none', async (body) => {
    const server = await serve((_request, response) => json(response, 200, body));
    await expect(ownedAt(server.origin).readRelationships(null)).rejects.toMatchObject({
      category: 'bad_response',
    });
  });

  test('any text can be searched for', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: [] }));
    const q = '\ud83d \u{1f3ac} 100% ?#&=+/';
    await ownedAt(server.origin).findUploadDestinations({ kind: 'boxset', q });
    const url = new URL(server.seen[0]?.split(' ')[1] ?? '', server.origin);
    expect(url.searchParams.get('q')).toBe('\ufffd \u{1f3ac} 100% ?#&=+/');
  });

  test('a destination stays as it came', async () => {
    const destination = { id: '0012', kind: 'media_set', title: null, family: { id: 'game' } };
    const server = await serve((_request, response) => json(response, 200, { data: [destination] }));
    const found = await ownedAt(server.origin).findUploadDestinations({ kind: 'media_set' });
    expect(JSON.stringify(found)).toBe(JSON.stringify([destination]));
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
  test.each(['', '.', '..', 'half a \ud83d'])('%j as an id, which a path would lose', async (id) => {
    const server = await serve((_request, response) => json(response, 200, { data: { id: 1 } }));
    const owned = ownedAt(server.origin);
    const reads = [owned.readGroup(id), owned.readAsset(id), owned.findSubmission('edit', id)];
    for (const read of reads) await expect(read).rejects.toMatchObject({ category: 'invalid_arguments' });
    expect(server.seen).toEqual([]);
  });

  test('a redirect is not followed', async () => {
    const elsewhere = await serve((_request, response) => json(response, 200, { data: { id: 1 } }));
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: `${elsewhere.origin}/me/sets/1` }).end();
    });
    await expect(ownedAt(server.origin).readSet(1)).rejects.toMatchObject({ category: 'bad_response' });
    expect(elsewhere.seen).toEqual([]);
  });

  test('no service', async () => {
    const owned = ownedAt(`http://127.0.0.1:${await freePort()}`);
    await expect(owned.readSet(1, deadlineIn(300))).rejects.toMatchObject({ category: 'network' });
  });

  test('a service that is down for a moment is asked again with the same token', async () => {
    const access = handOut();
    let answers = 0;
    const server = await serve((_request, response) =>
      answers++ === 0 ? json(response, 503, {}) : json(response, 200, { data: { id: 1 } }),
    );
    expect(await ownedAt(server.origin, access).readSet(1)).toEqual({ id: 1 });
    expect(access.asked).toEqual(['bearer']);
  });

  test('no connection: the reason is handed on, and nothing is sent', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: { id: 1 } }));
    const then = new Error('not connected');
    await expect(ownedAt(server.origin, handOut({ tokens: [], then })).readSet(1)).rejects.toBe(then);
    expect(server.seen).toEqual([]);
  });

  test('cancelling, also while a token is waited for', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: { id: 1 } }));
    const controller = new AbortController();
    const access = handOut();
    let asked: AbortSignal | undefined;
    const slow = {
      ...access,
      bearer: async (signal: AbortSignal) => {
        asked = signal;
        controller.abort();
        await sleep(0);
        return access.bearer(signal);
      },
    };
    const read = ownedAt(server.origin, slow).readSet(1, unhurried(controller.signal));
    await expect(read).rejects.toMatchObject({ category: 'cancelled' });
    expect(asked?.aborted).toBe(true);
    expect(server.seen).toEqual([]);
  });

  test('closing', async () => {
    const server = await serve(() => undefined);
    const owned = ownedAt(server.origin);
    const read = owned.readSet(1);
    await expect.poll(() => server.seen.length).toBe(1);
    await owned.close();
    await expect(read).rejects.toMatchObject({ category: 'cancelled' });
  });
});
